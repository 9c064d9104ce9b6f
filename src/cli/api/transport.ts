// Sends one request to a service, through its socket or to its address. On node:http alone: loading what `fetch` needs
// takes longer than everything else that a short command does.

import { type IncomingMessage, request as requestOverHttp } from 'node:http'
import type { Readable } from 'node:stream'

export type ApiRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** To be read or destroyed. */
  readonly body: Readable
}

export type Place = { readonly socketPath: string } | { readonly url: string }

const silentMs = 300_000

/** Rejects when nobody listens there, and after five minutes without data. */
export async function sendRequest(place: Place, request: ApiRequest): Promise<Reply> {
  const { method, path, headers, body, signal } = request
  // A connection for each request: one that is kept may be closed by the other side just when it is used again.
  const options = { agent: false, method, headers, timeout: silentMs, ...(signal ? { signal } : {}) }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing =
    'url' in place
      ? (await requestOver(place.url))(place.url + path, options, resolve)
      : requestOverHttp({ ...options, socketPath: place.socketPath, path }, resolve)
  outgoing.on('error', reject)
  outgoing.on('timeout', () => outgoing.destroy(new Error('the service does not respond')))
  outgoing.end(body)
  const incoming = await promise
  return { status: incoming.statusCode ?? 500, headers: incoming.headers, body: incoming }
}

async function requestOver(url: string): Promise<typeof requestOverHttp> {
  return url.startsWith('https:') ? (await import('node:https')).request : requestOverHttp
}
