// Serves tracker/script.js, the script that pages of a site load to report page views. Needs no key, because the browsers
// of visitors request it. Knows nothing about sites: the script sends the id of its site with each report.

import { operationsOn } from '../contract/operation.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { App } from '../context.ts'
import { conditional, notModified, textBody } from '../contract/responses.ts'
import { entityTag, matchesTag } from '../request/conditional.ts'

const file = join(import.meta.dirname, '../../../tracker/script.js')

const scriptRoute = operationsOn('Page views').get('public', '/v1/script.js', {
  operationId: 'getScript',
  summary: 'Get the tracker script',
  description:
    'Load it in every page of a site with a `script` element that has the attributes `defer`, `src` (this address) and `data-site` (the id of the site). The script posts page views to `/v1/collect/{siteId}` on the same host. It is sent with gzip if the client accepts that.',
  request: { headers: conditional },
  responses: { 200: textBody('text/javascript', 'The script.', { headers: ['ETag'] }), ...notModified() },
})

/** As it is sent: without indentation, comments and empty lines, an eighth of its bytes. No text of it has several lines. */
export function readScript(): string {
  return readFileSync(file, 'utf8').replaceAll(/^ *(?:\/\/.*)?\n?/gm, '')
}

/** Reads the file once. */
export function addScriptRoute(app: App): void {
  const text = readScript()
  const plain = { body: text, tag: entityTag('script', text), encoding: {} }
  const packed = {
    body: gzipSync(text, { level: 9 }),
    // Other bytes are another representation, and need a strong tag of their own.
    tag: entityTag('script-gzip', text),
    encoding: { 'Content-Encoding': 'gzip' },
  }
  app.openapi(scriptRoute, (c) => {
    const { body, tag, encoding } = takesGzip(c.req.header('Accept-Encoding')) ? packed : plain
    c.header('ETag', tag)
    c.header('Vary', 'Accept-Encoding')
    c.header('Cache-Control', 'public, max-age=86400')
    // A browser needs this for a script element with `crossorigin` and `integrity`.
    c.header('Access-Control-Allow-Origin', '*')
    c.header('Cross-Origin-Resource-Policy', 'cross-origin')
    if (matchesTag(c.req.header('If-None-Match'), tag)) return c.body(null, 304)
    return c.body(body, 200, { 'Content-Type': 'text/javascript; charset=utf-8', ...encoding })
  })
}

function takesGzip(acceptEncoding: string | undefined): boolean {
  const codings = (acceptEncoding ?? '').toLowerCase().split(',')
  return codings.some((coding) => /^\s*(?:gzip|x-gzip)\s*(?:;\s*q=(?:1|0\.\d*[1-9]).*)?$/.test(coding))
}
