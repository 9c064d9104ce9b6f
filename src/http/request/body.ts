// Reads the body of a request: counted while it arrives, of the one type that we take, and kept as it came (the
// idempotency hash covers its bytes). What it says is judged by the schemas.

import { createMiddleware } from 'hono/factory'
import { Failure } from '../../lib/failure.ts'
import type { AppContext, AppEnv } from '../context.ts'
import { decodeText } from './raw-body.ts'
import { invalidInput } from './validation.ts'

const maxBodyBytes = 1024 * 1024
/** So much more is read and thrown away: a sender that ends within it hears the refusal on a healthy connection. */
const maxDiscardedBytes = 8 * 1024 * 1024

/** For operations that take a JSON body. */
export const readBody = createMiddleware<AppEnv>(async (c, next) => {
  const body = await readBytes(c)
  if (body.byteLength === 0) throw invalidInput('#', 'is missing')
  c.set('body', body)
  c.req.raw = withText(c.req.raw, decodeText(body))
  await next()
})

/** For operations without a body: one that comes nevertheless must be what the others take, and is not looked at. */
export const ignoreBody = createMiddleware<AppEnv>(async (c, next) => {
  await readBytes(c)
  await next()
})

async function readBytes(c: AppContext): Promise<Uint8Array> {
  if (Number(c.req.header('Content-Length')) > maxBodyBytes) throw tooLarge()
  const body = c.req.raw.body ? await readStream(c.req.raw.body.getReader()) : new Uint8Array()
  if (body.byteLength > 0) checkType(c)
  return body
}

async function readStream(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for (let size = 0; ;) {
    const { done, value } = await reader.read().catch(endedEarly)
    if (done && size <= maxBodyBytes) return Buffer.concat(chunks)
    if (done || size > maxBodyBytes + maxDiscardedBytes) throw tooLarge()
    size += value.byteLength
    if (size <= maxBodyBytes) chunks.push(value)
  }
}

function endedEarly(): never {
  throw invalidInput('#', 'ended early')
}

function checkType(c: AppContext): void {
  const encoding = c.req.header('Content-Encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw new Failure('unsupported_media_type', 'Send the body without a `Content-Encoding`.')
  }
  if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('Content-Type') ?? '')) {
    throw new Failure('unsupported_media_type', 'Send the body as `Content-Type: application/json`.')
  }
}

/** The request again for those who read it after us; the type in the one form that they all know. */
function withText(request: Request, body: string): Request {
  const headers = new Headers(request.headers)
  headers.set('Content-Type', 'application/json')
  return new Request(request.url, { method: request.method, headers, body, signal: request.signal })
}

function tooLarge(): Failure {
  return new Failure('payload_too_large', 'The body may have at most 1 MiB (1,048,576 bytes).')
}
