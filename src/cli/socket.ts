// The socket of the service that runs on a data directory: one request, and its answer as a stream.

import { type IncomingMessage, request as httpRequest } from 'node:http'

const timeoutMs = 120_000

/** Rejects when nobody listens, and when nothing comes for two minutes. */
export async function askSocket(path: string, request: Request): Promise<IncomingMessage> {
  const url = new URL(request.url)
  const body = request.body ? await request.text() : undefined
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options = {
    socketPath: path,
    method: request.method,
    path: url.pathname + url.search,
    headers: { ...Object.fromEntries(request.headers), host: 'localhost' },
    timeout: timeoutMs,
    signal: request.signal,
  }
  const outgoing = httpRequest(options, resolve)
  outgoing.on('error', reject)
  outgoing.on('timeout', () => outgoing.destroy(new Error('the service does not answer')))
  outgoing.end(body)
  return promise
}
