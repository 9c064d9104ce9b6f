// The ids in paths. A malformed id is treated like an unknown one, and never reaches a store.

import { z } from '@hono/zod-openapi'
import type { IdPrefix } from '../../lib/id.ts'
import { sourceName } from '../../projects/sources/sources.ts'

export const projectIdPattern = idPattern('prj')
export const importIdPattern = idPattern('imp')
export const historyIdPattern = idPattern('his')

const projectId = id('prj', 'The id of the project.')

export const projectParams = z.object({ projectId })

export const jobParams = z.object({
  projectId,
  id: id('job', 'The id of the job.'),
})

export const pullParams = z.object({
  projectId,
  number: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number)
    .openapi({ type: 'integer', minimum: 1, description: 'The number of the pull request.', example: 1 }),
})

export const siteParams = z.object({
  projectId,
  siteId: id('site', 'The id of the site.'),
})

export const sourceParams = z.object({
  projectId,
  name: z.string().regex(sourceName).openapi({ description: 'The name of the source.', example: 'api' }),
})

export const automationParams = z.object({
  projectId,
  automationId: id('aut', 'The id of the automation.'),
})

export const automationRunParams = automationParams.extend({ runId: id('aru', 'The id of the run.') })

export const webhookParams = z.object({
  projectId,
  webhookId: id('whk', 'The id of the webhook.'),
})

export const deliveryParams = webhookParams.extend({ deliveryId: id('dlv', 'The id of the delivery.') })

export const forgeWebhookParams = z.object({
  projectId,
  forgeWebhookId: id('fwh', 'The id of the webhook.'),
})

export const importParams = z.object({
  projectId,
  importId: id('imp', 'The id of the import.'),
})

export const historyParams = z.object({
  projectId,
  historyId: id('his', 'The id of what was imported.'),
})

export const keyParams = z.object({
  keyId: id('key', 'The id of the key, not the key itself.'),
})

export const tokenPattern = /^[\w-]{22}$/

/** The schema accepts any text, so that a broken link leads to a page and not to a problem in JSON. */
export const tokenParams = z.object({
  token: z.string().openapi({ description: 'The secret part of the link.', example: '0123456789abcdefghijkl' }),
})

export const personParams = z.object({
  personId: id('per', 'The id of the person.'),
})

export const sessionParams = z.object({
  sessionId: id('ses', 'The id of the session.'),
})

export const invitationParams = z.object({
  invitationId: id('inv', 'The id of the invitation.'),
})

export const invitationTokenParams = z.object({
  token: z
    .string()
    .regex(/^[0-9A-Za-z]{43}$/)
    .openapi({ description: 'The secret part of the link.', example: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFG' }),
})

export const segmentParams = z.object({
  projectId,
  segmentId: id('seg', 'The id of the segment.'),
})

export const shareParams = z.object({
  projectId,
  shareId: id('shr', 'The id of the shared link.'),
})

function id(prefix: IdPrefix, description: string) {
  return z
    .string()
    .regex(idPattern(prefix))
    .openapi({ description, example: `${prefix}_0123456789abcdefghij` })
}

function idPattern(prefix: IdPrefix): RegExp {
  return new RegExp(`^${prefix}_[0-9a-z]{20}$`)
}
