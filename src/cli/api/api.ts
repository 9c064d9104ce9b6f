// The API for commands: one interface over three transports. Requests are sent over HTTP with a key, through the socket
// of a running service, or, without a running service, to the app in this process. with-api.ts chooses.

import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Config } from '../../config/config.ts'
import { Failure, type FailureCode, type FailureDetail, failures } from '../../lib/failure.ts'
import { socketPath } from '../../service/socket.ts'
import { usage } from '../exit.ts'
import { type ApiRequest, type Reply, sendRequest } from './transport.ts'

export type ApiResponse = Pick<Reply, 'status' | 'headers'> & { readonly body: string }

/** A response whose body is read in pieces. */
export type Streamed = {
  readonly status: number
  /** Ends with the connection, after `silentMs` without data, and when `stop` is aborted. */
  chunks(silentMs: number, stop: AbortSignal): AsyncGenerator<string, void>
}

export interface Api {
  /** Throws a Failure for every status of 400 and above. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>
  /** Posts a body that is not JSON. Throws as `send` does. */
  sendText(path: string, type: string, text: string): Promise<ApiResponse>
  /** Throws only when there is no response, or when `stop` is aborted. */
  stream(path: string, headers: Readonly<Record<string, string>>, stop: AbortSignal): Promise<Streamed>
  /** The body in pieces of text. Throws as `send` does, and `unavailable` when the connection breaks. */
  download(path: string, headers: Readonly<Record<string, string>>, stop: AbortSignal): AsyncGenerator<string, void>
  close(): Promise<void>
}

/** The API at an address, with a key. Throws a usage failure for a wrong address or key. */
export function openHttpApi(url: string, key: string | undefined): Api {
  if (!key) throw usage('DOCENT_URL is set, so DOCENT_API_KEY must be set too.')
  // Checked here, because the platform's own errors repeat the value, secrets included.
  if (!isWebAddress(url)) throw usage('DOCENT_URL must be an http or https address without credentials or query.')
  if (!/^[\u0021-\u007e]+$/.test(key))
    throw usage('DOCENT_API_KEY is not a key: it contains blanks or other characters that no key has.')
  const send = async (request: ApiRequest) => {
    const headers = { ...request.headers, Authorization: `Bearer ${key}` }
    const reply = await sendRequest({ url }, { ...request, headers }).catch((cause: unknown) => {
      if (request.signal?.aborted) throw cause
      throw new Failure('unavailable', `There is no response from ${url}.`, { cause })
    })
    const isRedirect = reply.status >= 300 && reply.status < 400 && reply.status !== 304
    if (!isRedirect) return reply
    reply.body.destroy()
    throw usage(`${url} redirects to another address: set DOCENT_URL to the address of the service itself.`)
  }
  return { ...createApi(send), close: () => Promise.resolve() }
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
}

/** The API of the service that runs on this data directory, as its operator. */
export function openSocketApi(config: Pick<Config, 'dataDir'>): Api {
  const send = (request: ApiRequest) => sendRequest({ socketPath: socketPath(config) }, request)
  return { ...createApi(send), close: () => Promise.resolve() }
}

/** Creates the API from a function that sends a request. */
export function createApi(send: (request: ApiRequest) => Promise<Reply>): Omit<Api, 'close'> {
  const ask = async (request: ApiRequest) => {
    const reply = await send(request)
    const body = await text(reply.body)
    if (reply.status >= 400) throw toFailure(reply, body)
    return { status: reply.status, headers: reply.headers, body }
  }
  return {
    send: (method, path, body, headers = {}) => {
      if (body === undefined) return ask({ method, path, headers })
      const type = { 'Content-Type': 'application/json' }
      return ask({ method, path, headers: { ...type, ...headers }, body: JSON.stringify(body) })
    },
    sendText: (path, type, body) => ask({ method: 'POST', path, headers: { 'Content-Type': type }, body }),
    stream: async (path, headers, signal) => {
      const { status, body } = await send({ method: 'GET', path, headers, signal })
      if (status !== 200) body.destroy()
      return { status, chunks: (silentMs, stop) => readUntilSilent(body.setEncoding('utf8'), silentMs, stop) }
    },
    download: async function* (path, headers, signal) {
      const reply = await send({ method: 'GET', path, headers, signal })
      if (reply.status >= 400) throw toFailure(reply, await text(reply.body))
      yield* readWhole(reply.body.setEncoding('utf8'), signal)
    },
  }
}

async function* readWhole(body: AsyncIterable<string>, stop: AbortSignal): AsyncGenerator<string, void> {
  try {
    for await (const chunk of body) {
      stop.throwIfAborted()
      yield chunk
    }
  } catch (cause) {
    stop.throwIfAborted()
    throw new Failure('unavailable', 'The connection broke before the end of the response.', { cause })
  }
}

async function* readUntilSilent(body: Readable, silentMs: number, stop: AbortSignal): AsyncGenerator<string, void> {
  const leave = () => void body.destroy()
  const chunks = (body as AsyncIterable<string>)[Symbol.asyncIterator]()
  stop.addEventListener('abort', leave)
  try {
    while (!stop.aborted) {
      const timer = setTimeout(leave, silentMs)
      const next = await chunks
        .next()
        .catch(() => undefined)
        .finally(() => clearTimeout(timer))
      if (!next || next.done) return
      yield next.value
    }
  } finally {
    stop.removeEventListener('abort', leave)
    leave()
  }
}

/** The problem in a response, as a Failure with its code and detail. */
function toFailure({ status, headers }: Pick<Reply, 'status' | 'headers'>, body: string): Failure {
  const problem = readProblem(body)
  const fallback = status === 503 ? 'unavailable' : 'invalid_input'
  const code = problem.code !== undefined && Object.hasOwn(failures, problem.code) ? problem.code : fallback
  const words = problem.detail ?? `The service responded with ${status}.`
  const retryAfter = Number(headers['retry-after'] ?? Number.NaN)
  const after = Number.isFinite(retryAfter) && retryAfter >= 0 ? { retryAfter } : {}
  return new Failure(code as FailureCode, words, { details: problem.details ?? [], ...after })
}

type Problem = { readonly code?: string; readonly detail?: string; readonly details?: readonly FailureDetail[] }

/** Returns an empty problem when the body is not a problem document, such as a proxy's page. */
function readProblem(body: string): Problem {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

/** Throws the problem in a response that was not read yet. */
export async function throwProblem(reply: Reply): Promise<never> {
  throw toFailure(reply, await text(reply.body))
}
