// Reads the body of a request straight from the connection: counted while it arrives and while it is unpacked, in one
// of the types that the operation takes. Knows nothing of what the body says; schemas check that.

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { createMiddleware } from 'hono/factory'
import { Failure, invalidInput } from '../../lib/failure.ts'
import { type AppContext, type AppEnv, bindingsOf } from '../context.ts'
import { isTooDeep, maxDepth } from './json-depth.ts'

type BodyRule = {
  /** As sent, and after unpacking. */
  readonly maxBytes: number
  /** Undefined: any. */
  readonly types?: readonly string[]
  readonly gzip?: boolean
}

const jsonRule: BodyRule = { maxBytes: 1024 * 1024, types: ['application/json'] }
/**
 * The service reads and discards this much more, so that most senders get the refusal on a connection that still works.
 */
const maxDiscardedBytes = 8 * 1024 * 1024

/** Reads a JSON body, for operations that take one: keeps its bytes in `body` and passes the text on to the schemas. */
export const readJson = createMiddleware<AppEnv>(async (c, next) => {
  const body = await readBody(c, jsonRule)
  if (body.byteLength === 0) throw invalidInput('#', 'is missing')
  const text = decodeText(body)
  refuseDeep(text)
  c.set('body', body)
  c.req.raw = withText(c.req.raw, text)
  await next()
})

/** As `readJson`; no body means an empty object. */
export const readOptionalJson = createMiddleware<AppEnv>(async (c, next) => {
  const sent = await readBody(c, jsonRule)
  const text = sent.byteLength === 0 ? '{}' : decodeText(sent)
  refuseDeep(text)
  c.req.raw = withText(c.req.raw, text)
  await next()
})

/** Reads and discards any body, for operations without one. It must fit the size and media type of a JSON body. */
export const ignoreBody = createMiddleware<AppEnv>(async (c, next) => {
  await readBody(c, jsonRule)
  await next()
})

/** Throws `payload_too_large` and `unsupported_media_type`. An empty body has any type. */
export async function readBody(c: AppContext, rule: BodyRule): Promise<Buffer> {
  if (Number(c.req.header('Content-Length')) > rule.maxBytes) throw tooLarge(rule)
  const sent = await readBytes(streamOf(c), rule)
  if (sent.byteLength === 0) return sent
  if (rule.types?.includes(mediaType(c.req.header('Content-Type'))) === false) {
    throw new Failure(
      'unsupported_media_type',
      `Send the body as ${rule.types.map((type) => `\`${type}\``).join(' or ')}.`,
    )
  }
  const encoding = (c.req.header('Content-Encoding') ?? 'identity').toLowerCase()
  if (encoding === 'identity') return sent
  if (rule.gzip === true && encoding === 'gzip') return unpack(sent, rule)
  const how = rule.gzip === true ? 'plain or with gzip' : 'without a `Content-Encoding`'
  throw new Failure('unsupported_media_type', `Send the body ${how}.`)
}

/** A request within this process has no connection, but a stream as `fetch` has it. */
function streamOf(c: AppContext): AsyncIterable<Uint8Array> {
  // Without the option, leaving the loop early would destroy the connection that the response needs.
  return bindingsOf(c).incoming?.iterator({ destroyOnReturn: false }) ?? c.req.raw.body ?? ReadableStream.from([])
}

async function readBytes(stream: AsyncIterable<Uint8Array>, rule: BodyRule): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      size += chunk.byteLength
      if (size > rule.maxBytes + maxDiscardedBytes) throw tooLarge(rule)
      if (size <= rule.maxBytes) chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Failure ? error : invalidInput('#', 'ended early')
  }
  if (size > rule.maxBytes) throw tooLarge(rule)
  return chunks.length === 1 && chunks[0] ? Buffer.from(chunks[0]) : Buffer.concat(chunks)
}

const inflate = promisify(gunzip)

async function unpack(packed: Buffer, rule: BodyRule): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: rule.maxBytes })
  } catch (error) {
    throw error instanceof RangeError ? tooLarge(rule) : invalidInput('#', 'is not gzip')
  }
}

/** `text/plain` or `application/json`; parameters do not matter. */
export function mediaType(contentType = ''): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Throws `invalid_input` when the bytes are not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidInput('#', 'is not UTF-8')
  }
}

/** Throws `invalid_input` when the text nests deeper than any body of ours. */
export function refuseDeep(text: string): void {
  if (isTooDeep(text)) throw invalidInput('#', `must be nested at most ${maxDepth} levels deep`)
}

/**
 * Replaces the body that was read, so that the schemas can read it again; sets the one media type that they all accept.
 */
function withText(request: Request, body: string): Request {
  const headers = new Headers(request.headers)
  headers.set('Content-Type', 'application/json')
  return new Request(request.url, { method: request.method, headers, body, signal: request.signal })
}

function tooLarge({ maxBytes }: BodyRule): Failure {
  return new Failure('payload_too_large', `The body may have at most ${maxBytes.toLocaleString('en')} bytes.`)
}
