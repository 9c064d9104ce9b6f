// Sends one HTTP request and receives its whole response, on a separate connection that is pinned to checked addresses.
// The response never contains the secret of the request. Knows nothing about forges or git: the callers interpret the
// status.

import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { errnoOf } from '../errno.ts'
import { createRedactor } from './redact.ts'

export type Exchange = {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Sent in a header. It is removed from the response, because hosts may repeat it. Empty without a secret. */
  readonly secret: string
  /** The checked addresses of the host. No other address is connected to. */
  readonly addresses: readonly string[]
  readonly limits: ExchangeLimits
}

export type ExchangeLimits = {
  /** The time limit from connecting to the last byte. */
  readonly deadlineMs: number
  readonly maxBytes: number
  /** Returns the first `maxBytes` of a longer response, which is otherwise a failure. */
  readonly cuts?: boolean
  /** Returns only so many bytes from the end of the response: whole lines, so that no secret is cut, unless it is one line. */
  readonly lastBytes?: number
}

export type Exchanged =
  | {
      readonly kind: 'whole'
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly body: Buffer
    }
  /** `wasSent` false: the connection failed, so the host has not seen the request. */
  | { readonly kind: 'lost'; readonly reason: string; readonly wasSent: boolean }

class Broken extends Error {
  override readonly name = 'Broken'
}

/** Follows no redirect and repeats nothing. Throws only the reason of `signal`. */
export async function exchange(input: Exchange, signal: AbortSignal): Promise<Exchanged> {
  signal.throwIfAborted()
  const deadline = new AbortController()
  const { deadlineMs } = input.limits
  const timer = setTimeout(() => deadline.abort(new Broken(`no response in ${deadlineMs / 1000} seconds`)), deadlineMs)
  const state = { wasSent: false }
  try {
    const response = await send(input, AbortSignal.any([signal, deadline.signal]), () => (state.wasSent = true))
    const body = await readAll(response, input.limits)
    return withoutSecret({ status: response.statusCode ?? 0, headers: response.headers, body }, input.secret)
  } catch (error) {
    signal.throwIfAborted()
    const reason = deadline.signal.aborted ? deadline.signal.reason : error
    return { kind: 'lost', reason: describe(reason), wasSent: state.wasSent }
  } finally {
    clearTimeout(timer)
  }
}

function send(input: Exchange, signal: AbortSignal, connected: () => void): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const { method, headers, addresses, body } = input
  const isSecure = input.url.protocol === 'https:'
  const start = isSecure ? requestHttps : requestHttp
  const request = start(input.url, { method, headers, signal, agent: false, lookup: pinTo(addresses) }, resolve)
  request.once('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', connected))
  request.on('error', reject)
  request.end(body)
  return promise
}

async function readAll(response: IncomingMessage, limits: ExchangeLimits): Promise<Buffer> {
  const { maxBytes, cuts, lastBytes = maxBytes } = limits
  const chunks: Buffer[] = []
  let bytes = 0
  let dropped = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes && cuts === true) return Buffer.concat([...chunks, chunk]).subarray(0, maxBytes)
    if (bytes > maxBytes) throw new Broken(`the response is larger than ${maxBytes / 1_000_000} MB`)
    chunks.push(chunk)
    for (let [first] = chunks; first && bytes - dropped - first.length >= lastBytes; [first] = chunks) {
      dropped += first.length
      chunks.shift()
    }
  }
  const end = Buffer.concat(chunks).subarray(-lastBytes)
  return bytes > lastBytes ? end.subarray(end.indexOf('\n') + 1) : end
}

type Whole = Extract<Exchanged, { kind: 'whole' }>

function withoutSecret({ status, headers, body }: Omit<Whole, 'kind'>, secret: string): Whole {
  const clean = createRedactor(secret)
  const cleaned = Object.entries(headers).map(([name, value]) => {
    return [name, Array.isArray(value) ? value.map(clean) : value && clean(value)] as const
  })
  // Each byte as a character, so that no byte of another encoding is lost.
  const text = body.toString('latin1')
  return { kind: 'whole', status, headers: Object.fromEntries(cleaned), body: Buffer.from(clean(text), 'latin1') }
}

function pinTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_, options, done) => {
    if (options.all === true) return done(null, all)
    const first = all[0]
    if (first) done(null, first.address, first.family)
    else done(new Error('The host has no address.'), '')
  }
}

/** Describes the error without the platform's message, which could quote a header. */
function describe(error: unknown): string {
  if (error instanceof Broken) return error.message
  return `the connection failed (${errnoOf(error) ?? 'no code'})`
}
