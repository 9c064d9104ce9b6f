// The comments of the loopback Bitbucket. Only their authors may edit them.

import type { Remark } from '../remarks.ts'
import { type Call, type Routes, textOf } from '../routes.ts'
import type { Right, Token, World } from '../world.ts'
import { refuse, shapeUser } from './shapes.ts'

const place = '/repositories/:workspace/:repo_slug/pullrequests/:pull_request_id/comments'

export function commentRoutes(world: World, open: (call: Call, right: Right) => Token, web: string): Routes {
  const { remarks } = world
  const numberOf = (call: Call) => Number(call.params['pull_request_id'])
  const textIn = ({ body }: Call) => textOf((body['content'] as { readonly raw?: unknown } | undefined)?.raw)
  const shape = (row: Remark) => ({
    type: 'pullrequest_comment',
    id: row.id,
    created_on: precise(row.createdAt),
    updated_on: precise(row.updatedAt),
    content: { raw: row.text, markup: 'markdown', html: '' },
    user: shapeUser(row.login, web),
    deleted: false,
    pending: false,
    ...(row.kind === 'line' ? { inline: { path: row.path, to: row.line } } : {}),
    ...(row.isResolved ? { resolution: { type: 'comment_resolution' } } : {}),
  })
  return {
    [`GET ${place}`]: (call) => {
      open(call, 'read')
      const page = Number(call.query.get('page') ?? 1)
      const pagelen = Number(call.query.get('pagelen') ?? 10)
      const all = remarks.all.filter(({ number, kind }) => number === numberOf(call) && kind !== 'review')
      const values = all.slice((page - 1) * pagelen, page * pagelen).map(shape)
      return { status: 200, body: { page, pagelen, size: all.length, values } }
    },
    [`POST ${place}`]: (call) => {
      const { login } = open(call, 'pullRequests')
      return { status: 201, body: shape(remarks.find(remarks.comment(numberOf(call), { login, text: textIn(call) }))) }
    },
    [`PUT ${place}/:comment_id`]: (call) => {
      const { login } = open(call, 'pullRequests')
      const row = remarks.all.find(({ id }) => id === Number(call.params['comment_id']))
      if (!row) throw refuse(404, 'Resource not found')
      if (row.login !== login) throw refuse(403, 'You may only edit your own comments.')
      remarks.edit(row.id, textIn(call))
      return { status: 200, body: shape(row) }
    },
  }
}

function precise(date: string): string {
  return date.replace('Z', '.123456+00:00')
}
