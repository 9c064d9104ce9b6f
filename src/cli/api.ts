// How a command reaches the API: over HTTP with a key, through the socket of a running service, or, while none runs,
// in this process on the data itself. The commands see one function and do not know which.

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Config, type Environment, parseConfig } from '../config/config.ts'
import { Failure, type FailureCode, type FailureDetail, failures } from '../lib/failure.ts'
import { operator } from '../projects/keys.ts'
import { buildApp } from '../service/app.ts'
import { isServed, socketPath } from '../service/data-directory.ts'
import { openEngines } from '../service/engines.ts'
import { usage } from './exit.ts'
import { askSocket } from './socket.ts'

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: string }

/** An answer whose body comes little by little. */
export type Streamed = {
  readonly status: number
  /** Ends when the other side does, well or not, after `silentMs` without a word, and when `stop` is aborted. */
  chunks(silentMs: number, stop: AbortSignal): AsyncGenerator<string, void>
}

export interface Api {
  /** Throws a Failure that says what to do for every answer of 400 and above. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** A body of another type than JSON. Throws as `send` does. */
  sendText(path: string, type: string, text: string): Promise<Answer>
  /** Throws only when nothing answers, or when `stop` is aborted. */
  stream(path: string, headers: Readonly<Record<string, string>>, stop: AbortSignal): Promise<Streamed>
  /** The text of an answer, little by little. Throws as `send` does, and `unavailable` when the answer breaks off. */
  download(path: string, headers: Readonly<Record<string, string>>, stop: AbortSignal): AsyncGenerator<string, void>
  close(): Promise<void>
}

/** `needsService`: the command means nothing without a worker, so it never opens the data itself. */
export async function openApi(environment: Environment, needsService: boolean): Promise<Api> {
  const { DOCENT_URL: url, DOCENT_API_KEY: key } = environment
  if (url) return overHttp(url.replace(/\/+$/, ''), key)
  const config = parseConfig(environment)
  if (await isServed(config)) return openSocketApi(config)
  if (needsService) {
    throw new Failure(
      'unavailable',
      `No service runs on ${config.dataDir}. Start one with \`docent serve\`, or set DOCENT_URL and DOCENT_API_KEY.`,
    )
  }
  const engines = await openEngines({ ...config, logLevel: 'error' })
  const app = buildApp(engines, config.publicUrl ?? `http://${config.host}:${config.port}`)
  const close = () => engines.close()
  return { ...createApi(async (request) => app.fetch(request, { principal: operator }), 'http://docent.local'), close }
}

function overHttp(url: string, key: string | undefined): Api {
  if (!key) throw usage('DOCENT_URL is set, so DOCENT_API_KEY must be set too.')
  // What the platform says of them would repeat them, secrets included.
  if (!isWebAddress(url)) throw usage('DOCENT_URL must be an http or https address without credentials or query.')
  if (!/^[\u0021-\u007e]+$/.test(key)) throw usage('DOCENT_API_KEY is no key: it has blanks or other characters.')
  const send = (request: Request) => {
    request.headers.set('Authorization', `Bearer ${key}`)
    return fetch(request).catch((cause: unknown) => {
      if (request.signal.aborted) throw cause
      throw new Failure('unavailable', `Nothing answers at ${url}.`, { cause })
    })
  }
  return { ...createApi(send, url), close: () => Promise.resolve() }
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
}

/** The API of the service that runs on this data directory, as its operator. */
export function openSocketApi(config: Config): Api {
  const send = (request: Request) => sendThroughSocket(socketPath(config), request)
  return { ...createApi(send, 'http://docent.local'), close: () => Promise.resolve() }
}

function createApi(send: (request: Request) => Promise<Response>, origin: string): Omit<Api, 'close'> {
  const ask = async (path: string, init: RequestInit) => {
    const response = await send(new Request(origin + path, init))
    const answer = { status: response.status, headers: response.headers, body: await response.text() }
    if (response.status >= 400) throw toFailure(answer)
    return answer
  }
  return {
    send: (method, path, body, headers = {}) => {
      const json = body === undefined ? {} : { body: JSON.stringify(body) }
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
      return ask(path, { method, headers: { ...type, ...headers }, ...json })
    },
    sendText: (path, type, text) => ask(path, { method: 'POST', headers: { 'Content-Type': type }, body: text }),
    stream: async (path, headers, stop) => {
      const response = await send(new Request(origin + path, { headers, signal: stop }))
      return { status: response.status, chunks: (silentMs, stop) => readText(response, silentMs, stop) }
    },
    download: async function* (path, headers, stop) {
      yield* readWhole(await send(new Request(origin + path, { headers, signal: stop })), stop)
    },
  }
}

async function* readWhole(response: Response, stop: AbortSignal): AsyncGenerator<string, void> {
  if (response.status >= 400) {
    throw toFailure({ status: response.status, headers: response.headers, body: await response.text() })
  }
  if (!response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const next = await reader.read().catch((cause: unknown) => {
        stop.throwIfAborted()
        throw new Failure('unavailable', 'The answer broke off before its end.', { cause })
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function* readText(response: Response, silentMs: number, stop: AbortSignal): AsyncGenerator<string, void> {
  if (!response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const leave = () => void reader.cancel().catch(() => undefined)
  stop.addEventListener('abort', leave)
  try {
    while (!stop.aborted) {
      const timer = setTimeout(leave, silentMs)
      const next = await reader
        .read()
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

/** The problem that the service answered, as a Failure with its code and its words. */
function toFailure(answer: Answer): Failure {
  const problem = readProblem(answer.body)
  const fallback = answer.status === 503 ? 'unavailable' : 'invalid_input'
  const code = problem.code !== undefined && Object.hasOwn(failures, problem.code) ? problem.code : fallback
  const words = problem.detail ?? `The service answered ${answer.status}.`
  const retryAfter = Number(answer.headers.get('Retry-After') ?? Number.NaN)
  const after = Number.isFinite(retryAfter) && retryAfter >= 0 ? { retryAfter } : {}
  return new Failure(code as FailureCode, words, { details: problem.details ?? [], ...after })
}

type Problem = { readonly code?: string; readonly detail?: string; readonly details?: readonly FailureDetail[] }

/** A proxy on the way may have answered something else. */
function readProblem(body: string): Problem {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

/** The problem in an answer that came as a stream. Throws it. */
export async function refuseAnswer(answer: IncomingMessage): Promise<never> {
  throw toFailure({ status: answer.statusCode ?? 500, headers: new Headers(), body: await text(answer) })
}

async function sendThroughSocket(path: string, request: Request): Promise<Response> {
  const incoming = await askSocket(path, request)
  const headers = new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  const status = incoming.statusCode ?? 500
  const isEmpty = status === 204 || status === 304
  if (isEmpty) incoming.resume()
  return new Response(isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>), { status, headers })
}
