// The operations on the shared links of a project, and what requests and responses of them look like.

import { string, time } from '../../contract/fields.ts'
import { operationsOn } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import type { Share } from '../../../projects/shares.ts'
import { projectParams, shareParams } from '../../contract/ids.ts'
import { body, empty, json } from '../../contract/responses.ts'
import { exactObject, schemaOf } from '../../contract/schema-of.ts'
import { expiry, text } from '../../contract/text.ts'

const operations = operationsOn('Shared links')

const shareObject = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: time(),
  expiresAt: time('null: never.').nullable(),
  lastUsedAt: time('When the link was last used, to the minute; null: never.').nullable(),
})

const example = {
  id: 'shr_0123456789abcdefghij',
  name: 'For the docs team',
  createdAt: '2026-11-20T08:00:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
}

const shareSchema = schemaOf<Share>()(shareObject.openapi('Share', { example }))

const shownShareSchema = schemaOf<Share & { readonly link: string }>()(
  shareObject.extend({ link: string('The link itself. It is never shown again.') }).openapi('CreatedShare', {
    example: {
      ...example,
      link: 'https://docent.example.com/shared/prj_0123456789abcdefghij#docshare_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
    },
  }),
)

const newShareSchema = exactObject({
  name: text({ max: 100, description: 'Who the link is for.', example: 'For the docs team' }),
  expiresAt: expiry.default(null).openapi({ description: 'When the link stops working; null: never.' }),
}).openapi('NewShare', { example: { name: 'For the docs team', expiresAt: null } })

export const listSharesRoute = operations.get('admin', '/v1/projects/{projectId}/shares', {
  operationId: 'listShares',
  summary: 'List shared links',
  request: { params: projectParams },
  responses: {
    200: json('The links that work.', z.object({ shares: z.array(shareSchema).readonly() }).openapi('Shares')),
  },
})

export const createShareRoute = operations.post('admin', '/v1/projects/{projectId}/shares', {
  operationId: 'createShare',
  summary: 'Share the statistics',
  description:
    'Creates a link that shows the statistics of this project to people without an account. Its token reads the exports of the project and nothing else.',
  request: { params: projectParams, body: body(newShareSchema) },
  responses: { 201: json('The link. The response must not be cached.', shownShareSchema) },
})

export const revokeShareRoute = operations.delete('admin', '/v1/projects/{projectId}/shares/{shareId}', {
  operationId: 'revokeShare',
  summary: 'Revoke a shared link',
  description: 'The link stops working at once.',
  request: { params: shareParams },
  responses: { 204: empty('The link is revoked.') },
})
