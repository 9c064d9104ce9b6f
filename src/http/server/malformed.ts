// Responses to bytes that never become a request of the app: not HTTP, headers that are too large, malformed addresses.
// They have the form of all other problems.

import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type FailureCode, failures, toFailure } from '../../lib/failure.ts'
import { createId } from '../../lib/id.ts'

type Refusal = { readonly status: number; readonly code: FailureCode; readonly title: string; readonly detail: string }

const malformed: Refusal = {
  status: 400,
  code: 'invalid_input',
  title: 'Bad Request',
  detail: 'This is not a valid HTTP request.',
}

/** By the error code of Node's parser. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'payload_too_large',
    title: 'Request Header Fields Too Large',
    detail: 'The headers may have at most 16 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'unavailable',
    title: 'Request Timeout',
    detail: 'The request took too long to arrive.',
  },
}

/** Node.js itself would refuse these without a body. */
const refusedByUs = {
  'no Host': { ...malformed, detail: 'The request has no Host header.' },
  'two Hosts': { ...malformed, detail: 'The request has more than one Host header.' },
  expectation: {
    status: 417,
    code: 'invalid_input',
    title: 'Expectation Failed',
    detail: 'The only expectation that is supported is `100-continue`.',
  },
} as const satisfies Readonly<Record<string, Refusal>>

export function refuse(outgoing: ServerResponse, why: keyof typeof refusedByUs): void {
  const { body, headers } = render(refusedByUs[why])
  outgoing.writeHead(refusedByUs[why].status, { ...headers, Connection: 'close' }).end(body)
}

/** For the event `connect`: this is not a proxy. */
export function refuseTunnel(socket: Duplex): void {
  respondToMalformed(new Error('CONNECT'), socket)
}

/** For the event `clientError` of the server. */
export function respondToMalformed(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const refusal = refusals[error.code ?? ''] ?? malformed
  const { body, headers } = render(refusal)
  const lines = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${refusal.status} ${refusal.title}\r\n${head}\r\n${body}`)
}

/** For errors before a request reaches the app, or outside of it. */
export function toErrorResponse(thrown: unknown): Response {
  const isAddress = thrown instanceof Error && thrown.name === 'RequestError'
  const { code, message } = toFailure(thrown)
  const { status, title } = failures[code]
  const refusal = isAddress
    ? { ...malformed, detail: 'The path or the Host header is malformed.' }
    : { status, code, title, detail: message }
  const { body, headers } = render(refusal)
  return new Response(body, { status: refusal.status, headers })
}

function render({ status, code, title, detail }: Refusal) {
  const requestId = createId('req')
  const problem = { type: 'about:blank', title, status, detail, instance: '', code, requestId, error: detail }
  const headers = {
    'Content-Type': 'application/problem+json',
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(failures[code].retry ? { 'Retry-After': '1' } : {}),
  }
  return { body: JSON.stringify(problem), headers }
}
