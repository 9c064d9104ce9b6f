// The body of a request whose sender may be anyone, or may send thousands at once: read straight from the connection,
// counted while it arrives and while it is unpacked. What stands in it is judged by who asked for it.

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Failure } from '../../lib/failure.ts'
import { type AppContext, bindingsOf } from '../context.ts'
import { invalidInput } from './validation.ts'

/** So much more is read and thrown away: a sender that ends within it hears the refusal on a healthy connection. */
const maxDiscardedBytes = 8 * 1024 * 1024

/** Throws `payload_too_large`, also for what unpacks to more than `maxBytes`. */
export async function readRawBody(c: AppContext, maxBytes: number): Promise<Buffer> {
  if (Number(c.req.header('Content-Length')) > maxBytes) throw tooLarge(maxBytes)
  const packed = await readBytes(bodyOf(c), maxBytes)
  const encoding = (c.req.header('Content-Encoding') ?? 'identity').toLowerCase()
  if (encoding === 'identity') return packed
  if (encoding !== 'gzip') throw new Failure('unsupported_media_type', 'Send the body plain or with gzip.')
  return unpack(packed, maxBytes)
}

/** In this process there is no connection, but a request as `fetch` has it. */
function bodyOf(c: AppContext): AsyncIterable<Uint8Array> {
  // A request that is destroyed takes the answer with it.
  return (
    bindingsOf(c).incoming?.iterator({ destroyOnReturn: false }) ??
    c.req.raw.body ??
    new ReadableStream({ start: (controller) => controller.close() })
  )
}

async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.byteLength
      if (size > maxBytes + maxDiscardedBytes) throw tooLarge(maxBytes)
      if (size <= maxBytes) chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw invalidInput('#', 'ended early')
  }
  if (size > maxBytes) throw tooLarge(maxBytes)
  return chunks.length === 1 && chunks[0] ? Buffer.from(chunks[0]) : Buffer.concat(chunks)
}

const inflate = promisify(gunzip)

async function unpack(packed: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: maxBytes })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(maxBytes)
    throw invalidInput('#', 'is not gzip')
  }
}

/** `text/plain` or `application/json`; parameters do not matter. */
export function mediaType(c: AppContext): string {
  return (c.req.header('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Throws `invalid_input` for what is not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidInput('#', 'is not UTF-8')
  }
}

function tooLarge(maxBytes: number): Failure {
  return new Failure('payload_too_large', `The body may have at most ${maxBytes.toLocaleString('en')} bytes.`)
}
