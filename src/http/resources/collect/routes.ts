// Page views from browsers, without a key. The id of a site is public; the site's origins say which pages may report.
// Anyone can send requests here, so every request is cheap and bounded. `plain.ts` answers most of them before the framework.

import type { App, AppContext } from '../../context.ts'
import { peerOf } from '../../response/envelope.ts'
import { readBody } from '../../request/body.ts'
import { browserBody, type TakeBrowserView } from './browser-views.ts'
import { describeCollect } from './contract.ts'

/** The pattern of the operation. */
export const collectPath = '/v1/collect/:siteId'

/** Responses contain no secrets, and cookies are never read. */
export const openToAll = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const

export function addCollectRoutes(app: App, take: TakeBrowserView): void {
  describeCollect(app)
  app.options(collectPath, (c) => {
    allowOrigins(c)
    c.header('Access-Control-Allow-Methods', 'POST')
    c.header('Access-Control-Allow-Headers', 'Content-Type')
    c.header('Access-Control-Max-Age', '86400')
    return c.body(null, 204)
  })
  app.post(collectPath, async (c) => {
    allowOrigins(c)
    const status = await take({
      siteId: c.req.param('siteId'),
      address: c.get('address'),
      peer: peerOf(c),
      headers: c.req.header(),
      readBody: () => readBody(c, browserBody),
    })
    return c.body(null, status)
  })
}

function allowOrigins(c: AppContext): void {
  for (const [name, value] of Object.entries(openToAll)) c.header(name, value)
}
