// The one HTTP client for forges. It repeats only requests that certainly had no effect, and those once, because a repeated
// write may create a second pull request: it says instead whether the request had an effect, and `propose.ts` looks before
// it writes again. The reasons are in docs/decisions.

import type { IncomingHttpHeaders } from 'node:http'
import { Failure } from '../lib/failure.ts'
import { askAgain } from '../lib/outbound/ask-again.ts'
import { type Resolve, resolveHost, systemResolve } from '../lib/outbound/resolve.ts'
import { sanitise } from '../lib/outbound/sanitise.ts'
import { refusedHost, type WebHost, webHost } from '../lib/outbound/web-host.ts'
import { exchange, type Exchanged, type ExchangeLimits } from '../lib/outbound/exchange.ts'
import type { TokenSource } from './host.ts'
import { readEnd } from './logs/read-end.ts'
import { limitOf, waitOf } from '../lib/outbound/retry-after.ts'
import { wordsOf } from './reply/words.ts'

export type ForgeRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** After the base address, with `/` first; the caller percent-encodes each part. */
  readonly path: string
  /** The path is not below the base address: GitHub Enterprise has its GraphQL API beside the other. */
  readonly isFromOrigin?: true
  /** A list repeats the name. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as If-None-Match; the host may respond with 304. */
  readonly etag?: string | null
}

export type ForgeResponse = {
  readonly kind: 'response'
  /** 2xx, 304 or 4xx. */
  readonly status: number
  /** Parsed JSON; undefined when the body is empty, or when an error is not JSON. */
  readonly body: unknown
  /** The words of the host in an error, sanitised; empty for other responses. */
  readonly words: string
  readonly headers: IncomingHttpHeaders
  readonly etag: string | null
  /** The path to which a read was redirected: the repository has another name now. */
  readonly movedTo: string | null
}

export type Reply =
  | ForgeResponse
  /** Refused before any effect, for too many requests. `retryAfter` in seconds, 1 to 3,600. */
  | { readonly kind: 'limited'; readonly retryAfter: number; readonly words: string }
  /** A read failed, or a write that the host never saw. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfter: number | null }
  /** The response to a write was lost: it may have happened. Look before doing it again. */
  | { readonly kind: 'unknown_effect'; readonly reason: string }
  /** A redirect that was not followed: a write, or a read that leads to another origin. Nothing was changed. */
  | { readonly kind: 'moved'; readonly to: string }

export interface ForgeClient {
  /** The origin of the API, such as `https://api.github.com`. */
  readonly origin: string
  /** The path of the base address, without a trailing slash. */
  readonly basePath: string
  /** Throws the reason of `signal`, and what the token source throws. */
  ask(request: ForgeRequest, signal: AbortSignal): Promise<Reply>
  /** The end of a log (`logs/read-end.ts`). Undefined: the host does not show it. Throws as `ask` does. */
  readEnd(log: Pick<ForgeRequest, 'path' | 'query'>, signal: AbortSignal): Promise<string | undefined>
  /** The requests so far, except those with the response 304. */
  countRequests(): number
}

export type Authorization = {
  /** `Basic`: the token is the password of `user`. */
  readonly scheme: 'Bearer' | 'token' | 'Basic'
  readonly user?: string
  readonly token: TokenSource
  /** How often a request that was refused with 401 is repeated with the next token; 1 if not set. */
  readonly repeats?: number
}

export type ForgeClientOptions = {
  /** Such as `https://gitlab.example.com/api/v4`. */
  readonly apiUrl: string
  /** Undefined: requests are sent without a credential. */
  readonly authorization?: Authorization | undefined
  /** Sent with every request, such as `X-GitHub-Api-Version`. */
  readonly headers?: Readonly<Record<string, string>>
  /** `host` or `host:port` that may be private, an IP literal, or plain http. */
  readonly privateHosts: readonly string[]
  readonly resolve?: Resolve | undefined
  /** Gets the `Date` of each response that came over https. */
  readonly report?: ((response: { readonly url: string; readonly date: string | null }) => void) | undefined
  readonly limits?: Partial<ExchangeLimits>
  /**
   * The host sends a page for signing in, and no 401, when it refuses a token: with status 203 or 302, which have no effect, or
   * instead of what was to be read.
   */
  readonly hasSignInPages?: boolean
  /** Milliseconds; judges when a limit ends, if the response has no date. */
  readonly now?: () => number
}

const defaultLimits: ExchangeLimits = { deadlineMs: 30_000, maxBytes: 16_000_000 }
const mostRedirects = 5

/** Throws `forge_refused` when the service may not connect to the address. */
export function createForgeClient(options: ForgeClientOptions): ForgeClient {
  const base = URL.parse(options.apiUrl)
  if (!base || !/^https?:$/.test(base.protocol)) throw refusedAddress('it is no address of the web')
  const host = webHost(base, options.privateHosts)
  const reason = refusedHost(base, host)
  if (reason !== undefined) throw refusedAddress(reason)
  const context: Context = { ...options, base, host, limits: { ...defaultLimits, ...options.limits } }
  const counted = { requests: 0 }
  return {
    origin: base.origin,
    basePath: pathOf(base),
    ask: async (request, signal) => {
      const askOnce = async () => {
        const reply = await ask(context, request, signal)
        if (reply.kind !== 'response' || reply.status !== 304) counted.requests += 1
        return reply
      }
      return await askAgain(askOnce, mayPass, signal)
    },
    readEnd: async (log, signal) => {
      counted.requests += 1
      const request = { ...log, method: 'GET' } as const
      const token = (await options.authorization?.token(false, signal)) ?? ''
      const url = addressOf(base, request)
      const headers = { ...headersOf(context, { request, url, token }), ...(options.headers?.['accept'] ? {} : plain) }
      return await readEnd({ ...options, url, headers, secret: secretOf(token) }, signal)
    },
    countRequests: () => counted.requests,
  }
}

/** Some hosts would respond with JSON, others refuse that. */
const plain = { accept: 'text/plain, */*;q=0.1' }

type Context = ForgeClientOptions & { readonly base: URL; readonly host: WebHost; readonly limits: ExchangeLimits }

/** A refused token is asked for again: it may have expired, or may be too young for a part of the host. */
async function ask(context: Context, request: ForgeRequest, signal: AbortSignal): Promise<Reply> {
  const url = addressOf(context.base, request)
  const { authorization } = context
  if (!authorization) return await follow(context, { request, url, token: '' }, signal)
  const { token, repeats = 1 } = authorization
  for (let refused = 0; ; refused += 1) {
    const reply = await follow(context, { request, url, token: await token(refused > 0, signal) }, signal)
    if (reply.kind !== 'response' || reply.status !== 401 || refused === repeats) return reply
  }
}

/** Nothing was changed, and the host names no time to wait. */
function mayPass(reply: Reply): boolean {
  return reply.kind === 'unavailable' && reply.retryAfter === null
}

type Call = { readonly request: ForgeRequest; readonly url: URL; readonly token: string }

/** The signature of a JWT: its other parts may be in other tokens by right, such as those that GitHub mints for it. */
function secretOf(token: string): string {
  return /^eyJ[\w-]+\.[\w-]+\.([\w-]+)$/.exec(token)?.[1] ?? token
}

/** Follows the redirects of a read within the origin, which may see the token. */
async function follow(context: Context, call: Call, signal: AbortSignal): Promise<Reply> {
  let url = call.url
  for (let hops = 0; hops <= mostRedirects; hops += 1) {
    const found = await resolveHost(context.host, context.resolve ?? systemResolve, signal)
    if (found.kind === 'refused') return { kind: 'unavailable', reason: found.reason, retryAfter: null }
    const done = await exchange(
      {
        url,
        method: call.request.method,
        headers: headersOf(context, call),
        body: call.request.body === undefined ? undefined : JSON.stringify(call.request.body),
        secret: secretOf(call.token),
        addresses: found.addresses,
        limits: context.limits,
      },
      signal,
    )
    if (done.kind === 'whole') report(context, url, done.headers)
    const target = done.kind === 'whole' ? redirectOf(done, url) : undefined
    if (target === undefined) return judge(context, call, { done, movedTo: hops === 0 ? null : url.pathname })
    if (isWrite(call) || target.origin !== url.origin) return { kind: 'moved', to: target.origin + target.pathname }
    url = target
  }
  return { kind: 'unavailable', reason: 'the host redirects again and again', retryAfter: null }
}

function report({ report }: Context, url: URL, headers: IncomingHttpHeaders): void {
  if (url.protocol === 'https:') report?.({ url: url.href, date: headers.date ?? null })
}

function redirectOf(done: Extract<Exchanged, { kind: 'whole' }>, url: URL): URL | undefined {
  const { location } = done.headers
  if (![301, 307, 308].includes(done.status) || location === undefined) return undefined
  const target = URL.parse(location, url.href)
  return target && /^https?:$/.test(target.protocol) ? target : undefined
}

function judge(context: Context, call: Call, { done, movedTo }: { done: Exchanged; movedTo: string | null }): Reply {
  if (done.kind === 'lost') return done.wasSent ? lost(call, done.reason) : unavailable(done.reason)
  const { status, headers } = done
  const now = context.now?.() ?? Date.now()
  if (context.hasSignInPages === true && isSignIn(call, done)) {
    return { kind: 'response', status: 401, body: undefined, words: '', headers, etag: null, movedTo }
  }
  const isError = status >= 400 && status < 500 && status !== 408
  if (!isError && status !== 304 && (status < 200 || status > 299)) {
    return lost(call, `the host responded with status ${status}`, waitOf(headers, now))
  }
  const parsed = parseBody(done.body)
  if (parsed.kind === 'page' && !isError) return lost(call, `the response is a page and no JSON (status ${status})`)
  if (parsed.kind === 'broken') {
    const reason = `the response is no whole JSON (status ${status})`
    // A refusal had no effect, and its words are missing: the same request will get them.
    return isError ? unavailable(reason) : lost(call, reason)
  }
  const body = parsed.kind === 'json' ? parsed.value : undefined
  const words = isError ? sanitise(wordsOf(body), [call.token]) : ''
  const retryAfter = limitOf({ status, headers, words }, now)
  if (retryAfter !== undefined) return { kind: 'limited', retryAfter, words }
  // Forges refuse with JSON or without a body. A page is from a proxy in front of them, or from a host that is overloaded.
  if (status === 403 && parsed.kind === 'page') return lost(call, 'the host responded with status 403 and no JSON')
  return { kind: 'response', status, body, words, headers, etag: headers.etag ?? null, movedTo }
}

function isSignIn(call: Call, { status, body }: Extract<Exchanged, { kind: 'whole' }>): boolean {
  if (status === 203 || status === 302) return true
  return !isWrite(call) && status === 200 && parseBody(body).kind === 'page'
}

function lost(call: Call, reason: string, retryAfter?: number): Reply {
  return isWrite(call) ? { kind: 'unknown_effect', reason } : unavailable(reason, retryAfter)
}

function unavailable(reason: string, retryAfter: number | null = null): Reply {
  return { kind: 'unavailable', reason, retryAfter }
}

function isWrite({ request }: Call): boolean {
  return request.method !== 'GET'
}

type Parsed = { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'empty' | 'page' | 'broken' }

function parseBody(body: Buffer): Parsed {
  if (body.length === 0) return { kind: 'empty' }
  const text = body.toString('utf8')
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch {
    return { kind: /^\s*[[{"]/.test(text) ? 'broken' : 'page' }
  }
}

function headersOf(context: Context, { request, token }: Call): Record<string, string> {
  if (!/^[\u0021-\u007e]*$/.test(token)) {
    throw new Failure('repository_unauthorized', 'The token has characters that no token has. Enter it again.')
  }
  const { authorization } = context
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'docent',
    ...context.headers,
    ...(authorization ? { authorization: `${authorization.scheme} ${proofOf(authorization, token)}` } : {}),
    ...(request.body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    ...(request.etag ? { 'if-none-match': request.etag } : {}),
  }
}

function proofOf({ scheme, user = '' }: Authorization, token: string): string {
  return scheme === 'Basic' ? Buffer.from(`${user}:${token}`).toString('base64') : token
}

/** A path that the parser of addresses would change, such as one with `..`, leads nowhere. */
function addressOf(base: URL, request: ForgeRequest): URL {
  const path = (request.isFromOrigin ? '' : pathOf(base)) + request.path
  const url = new URL(path, base.origin)
  if (!request.path.startsWith('/') || url.pathname !== path || url.origin !== base.origin) {
    throw new Failure('forge_refused', 'A name of the repository or branch cannot be part of an address.')
  }
  for (const [name, value] of Object.entries(request.query ?? {})) {
    for (const one of [value].flat()) url.searchParams.append(name, String(one))
  }
  return url
}

function pathOf({ pathname }: URL): string {
  return pathname.replace(/\/$/, '')
}

function refusedAddress(reason: string): Failure {
  return new Failure('forge_refused', `The service may not connect to the address of the forge: ${reason}.`)
}
