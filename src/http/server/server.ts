// Listens on an address, or on a socket in the data directory for users who can read that directory. Knows only the
// `fetch` of the app.

import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { errnoOf } from '../../lib/errno.ts'
import { Failure } from '../../lib/failure.ts'
import type { AppBindings } from '../context.ts'
import { respondToMalformed, toErrorResponse, refuse, refuseTunnel } from './malformed.ts'

export type FetchHandler = {
  readonly fetch: (request: Request, bindings: AppBindings) => Response | Promise<Response>
  /** Answers a request, or returns false and leaves it to `fetch`. */
  readonly plain?: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean
}

export type Place = { readonly host: string; readonly port: number } | { readonly socketPath: string }

export type Listening = {
  /** `http://127.0.0.1:4100`, or the path of the socket. */
  readonly address: string
  /** Accepts no more connections, lets requests finish for `graceMs`, then cuts them off. */
  close(graceMs: number): Promise<void>
}

/**
 * How long a slow sender holds a connection. Node.js looks for such connections at an interval, every 30 s by default,
 * so a limit may be passed by that much.
 */
export const slowSenders = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
} as const

/** Idle connections are kept for longer than load balancers keep them (60 s). */
const options: ServerOptions = {
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  // Node.js would refuse a request without Host with an empty response.
  requireHostHeader: false,
}

/**
 * Connections that wait to be accepted while the process is busy; the system may allow fewer. Beyond them, and with the 511
 * of Node.js, a flood of page views made Linux delay connections by seconds and reset others.
 */
const backlog = 4_096

/** Rejects when the address or socket is in use. A socket file has mode 0600 before anyone can connect. */
export async function listen(
  app: FetchHandler,
  place: Place,
  limits: Pick<ServerOptions, keyof typeof slowSenders> = slowSenders,
): Promise<Listening> {
  const fetch = (request: Request, { incoming }: { incoming: unknown }) =>
    app.fetch(request, { incoming: incoming as IncomingMessage })
  // The host name is for HTTP/1.0 requests, which have no Host header. The platform's own Request and Response are not
  // replaced, because other code in the process uses them.
  const respond = getRequestListener(fetch, {
    hostname: 'localhost',
    errorHandler: toErrorResponse,
    overrideGlobalObjects: false,
  })
  const server = createServer({ ...options, ...limits }, (incoming, outgoing) => {
    const problem = problemOfHost(incoming)
    if (problem !== undefined) refuse(outgoing, problem)
    else if (!app.plain?.(incoming, outgoing)) void respond(incoming, outgoing)
  })
  server.on('clientError', respondToMalformed)
  server.on('checkExpectation', (_incoming, outgoing: ServerResponse) => refuse(outgoing, 'expectation'))
  server.on('connect', (_incoming, socket: Duplex) => refuseTunnel(socket))
  const closing = closeQuickly(server)
  await start(server, place)
  return {
    address: addressOf(server),
    close: (graceMs) => close(server, graceMs, closing),
  }
}

/** HTTP/1.1 requires exactly one Host header (RFC 9112, section 3.2). */
function problemOfHost({ httpVersion, headers, headersDistinct }: IncomingMessage) {
  if ((headersDistinct['host']?.length ?? 0) > 1) return 'two Hosts'
  return httpVersion === '1.1' && !headers.host ? 'no Host' : undefined
}

async function start(server: Server, place: Place): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.once('listening', resolve)
  // Binding a socket happens within `listen`, before it returns: the mask covers just that.
  const mask = 'socketPath' in place ? process.umask(0o177) : undefined
  try {
    const where = 'socketPath' in place ? { path: place.socketPath } : { host: place.host, port: place.port }
    server.listen({ ...where, backlog })
  } finally {
    if (mask !== undefined) process.umask(mask)
  }
  await promise.catch((error: unknown) => {
    throw 'socketPath' in place ? error : toListenFailure(error, place)
  })
  server.off('error', reject)
}

/** Did `listen` reject because another process has the port? */
export function isPortTaken(error: unknown): boolean {
  return error instanceof Failure && errnoOf(error.cause) === 'EADDRINUSE'
}

/** `unavailable` may pass when another process ends or the network comes up; `config_invalid` needs other settings. */
function toListenFailure(cause: unknown, { host, port }: { readonly host: string; readonly port: number }): unknown {
  const code = errnoOf(cause)
  const refuse = (as: 'unavailable' | 'config_invalid', why: string) =>
    new Failure(as, `Cannot listen on ${host}, port ${port}: ${why}.`, { cause })
  if (code === 'EADDRINUSE') return refuse('unavailable', 'another process has it')
  if (code === 'EADDRNOTAVAIL') return refuse('unavailable', 'this machine has no such address')
  if (code === 'EACCES') return refuse('config_invalid', 'the system does not allow it')
  return code === 'ENOTFOUND' ? refuse('config_invalid', 'there is no such name') : cause
}

/** While closing, a connection is closed after its response instead of kept for another request. */
function closeQuickly(server: Server): { isClosing: boolean } {
  const state = { isClosing: false }
  server.prependListener('request', (_request, response) => {
    response.once('close', () => {
      if (state.isClosing) setImmediate(() => server.closeIdleConnections())
    })
  })
  return state
}

async function close(server: Server, graceMs: number, state: { isClosing: boolean }): Promise<void> {
  state.isClosing = true
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs)
  await promise
  clearTimeout(deadline)
}

function addressOf(server: Server): string {
  const address = server.address() as AddressInfo | string
  if (typeof address === 'string') return address
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
