// The comments of the loopback Bitbucket. Only their authors may edit them.

import { byChange, type Remark } from '../remarks.ts'
import { type Call, type Routes, textOf } from '../routes.ts'
import type { Right, Token, World } from '../world.ts'
import { pageOfRows } from './pulls.ts'
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
    deleted: remarks.removed.includes(row),
    pending: false,
    ...(row.kind === 'line' ? { inline: { path: row.path, to: row.line } } : {}),
    links: { html: { href: `${web}/${world.path}/pull-requests/${row.number}#comment-${row.id}` } },
    ...(row.isResolved ? { resolution: { type: 'comment_resolution' } } : {}),
  })
  return {
    [`GET ${place}`]: (call) => {
      open(call, 'read')
      const shown = [...remarks.all, ...remarks.removed]
      const all = shown.filter(({ number, kind }) => number === numberOf(call) && kind !== 'review')
      const isByChange = call.query.get('sort') === '-updated_on'
      const sorted = isByChange ? all.toSorted(byChange).toReversed() : all
      const { items, ...rest } = pageOfRows(call, sorted, `${web}/2.0${call.path}`)
      return { status: 200, body: { ...rest, values: items.map(shape) } }
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
