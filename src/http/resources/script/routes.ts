// Serves tracker/script.js to any page, as it is. Knows nothing of sites: the script says its own when it collects.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { entityTag, matchesTag } from '../../request/conditional.ts'
import type { App } from '../../context.ts'
import { scriptRoute } from './contract.ts'

const file = join(import.meta.dirname, '../../../../tracker/script.js')

/** Reads the file, once. */
export function addScriptRoute(app: App): void {
  const text = readFileSync(file, 'utf8')
  const plain = { body: text, tag: entityTag('script', text), encoding: {} }
  const packed = {
    body: gzipSync(text, { level: 9 }),
    // Other bytes are another representation: a strong tag tells them apart.
    tag: entityTag('script-gzip', text),
    encoding: { 'Content-Encoding': 'gzip' },
  }
  app.openapi(scriptRoute, (c) => {
    const { body, tag, encoding } = takesGzip(c.req.header('Accept-Encoding')) ? packed : plain
    c.header('ETag', tag)
    c.header('Vary', 'Accept-Encoding')
    c.header('Cache-Control', 'public, max-age=86400')
    // With `crossorigin` and `integrity` on the tag, a browser asks for the leave to read it.
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
