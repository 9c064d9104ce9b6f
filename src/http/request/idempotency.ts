// The Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header-07; also without quotes, as others take it)
// and the hash that two requests must share for the second one to get the response of the first.

import { invalidInput } from '../../lib/failure.ts'
import { createHash } from 'node:crypto'
import type { IdempotentRequest } from '../../requests/idempotency.ts'
import type { AppContext } from '../context.ts'

/** Needs `authenticate` before it, and `readJson` where there is a body. Undefined if the request has no key. Throws `invalid_input`. */
export function toIdempotentRequest(c: AppContext): IdempotentRequest | undefined {
  const header = c.req.header('Idempotency-Key')
  if (header === undefined) return undefined
  const body: Uint8Array | undefined = c.get('body')
  const hash = createHash('sha256')
    .update(`${c.req.method} ${c.req.path}\n`)
    .update(body ?? '')
    .digest('hex')
  return { principal: c.get('principal').id, key: parseIdempotencyKey(header), hash }
}

/** `"abc"` and `abc` are the same key. */
function parseIdempotencyKey(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1]
  const key = quoted === undefined ? header : quoted.replaceAll(/\\(["\\])/g, '$1')
  const isMalformed = quoted === undefined && header.startsWith('"')
  if (!isMalformed && /^[\u0021-\u007e]{1,255}$/.test(key)) return key
  throw invalidInput('#/header/Idempotency-Key', 'must have 1 to 255 visible ASCII characters')
}
