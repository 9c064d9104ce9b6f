// A web server on the loopback interface that a test scripts: one response after another, or a fault.

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Cleanup } from './git-remote.ts'
import { certificate, certificateKey } from './loopback-certificate.ts'

export type HttpRequest = {
  readonly method: string
  /** The path with the query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON; undefined if there was no body. */
  readonly body: unknown
}

export type HttpAnswer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown
  /**
   * `reset`: no response. `cut`: half of the body, then a reset. `stall`: half of the body, then nothing. `drop`: half of a
   * body without a declared length, which then ends as if it were complete.
   */
  readonly broken?: 'reset' | 'cut' | 'stall' | 'drop'
}

export type HttpServer = {
  /** `host:port`, for `privateHosts`. */
  readonly host: string
  readonly url: string
  readonly requests: HttpRequest[]
}

export async function serveHttp(
  t: Cleanup,
  answer: (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>,
  protocol: 'http' | 'https' = 'http',
): Promise<HttpServer> {
  const requests: HttpRequest[] = []
  const listener: RequestListener = (incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const { method = '', url = '', headers } = incoming
      const request = { method, url, headers, body: text === '' ? undefined : JSON.parse(text) }
      requests.push(request)
      void Promise.resolve(answer(request)).then((given) => send(response, given))
    })
  }
  const secure = { cert: certificate, key: certificateKey }
  const server = protocol === 'https' ? createSecureServer(secure, listener) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `${protocol}://${host}`, requests }
}

function send(response: ServerResponse, { status = 200, headers = {}, body, broken }: HttpAnswer): void {
  if (broken === 'reset') return breakOff(response)
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/html' : 'application/json'
  const half = text.slice(0, Math.ceil(text.length / 2))
  if (broken === 'drop') {
    response.writeHead(status, { 'content-type': type, connection: 'close', ...headers })
    return void response.end(half)
  }
  const length = status === 304 || status === 204 ? {} : { 'content-length': String(Buffer.byteLength(text)) }
  response.writeHead(status, { 'content-type': type, ...length, ...headers })
  if (broken === undefined) return void response.end(text)
  response.write(half, () => {
    if (broken === 'cut') breakOff(response)
  })
}

/** A TLS connection cannot be reset, so it is ended. */
function breakOff({ socket }: ServerResponse): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket?.resetAndDestroy()
}
