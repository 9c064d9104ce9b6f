// The HTTP server of a loopback forge: git over `git http-backend` and the routes of the API, with faults before and
// after the effect of each request. Records what it is asked.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Cleanup } from '../git-remote.ts'
import { type Answer, type Fault as GitFault, createBackend } from '../git-server.ts'
import { type Presented, isGit, serveGitRequest } from './git.ts'
import { type Call, type Reply, Refusal } from './routes.ts'
import type { Token, World } from './world.ts'

/** Those of the git server, and some that only make sense for an API. */
export type ForgeFault =
  | GitFault
  /** The request has its effect, and this is sent instead of the reply. */
  | { readonly kind: 'answer after'; readonly status: number; readonly body: string }
  /** Half of the JSON, as if that were all. */
  | { readonly kind: 'truncate' }
  /** The request waits for this. */
  | { readonly kind: 'delay'; readonly until: Promise<unknown> }

export type SeenRequest = {
  readonly method: string
  /** With the query. */
  readonly url: string
  /** A route of the API: `POST /repos/:owner/:repo/pulls`; of git: `git upload-pack` or `git receive-pack`, and its advertisement `git upload-pack refs`. */
  readonly route: string
  readonly body: unknown
  /** The secret that came with it; empty: no secret. */
  readonly secret: string
}

export type RecordedRequest = SeenRequest & { readonly status: number; readonly login: string | null }

export type Api = {
  /** Such as `/api/v3`. */
  readonly prefix: string
  /** An address beside the others, which is the route `/graphql`. */
  readonly graphql?: string
  routeOf(method: string, path: string): string
  handle(call: Call): Reply
  /** Sign-in pages and other things that are no API. Undefined: no such page. */
  page?(method: string, url: URL, body: string): Reply | undefined
  readonly hasEtags: boolean
  headers(token: Token | undefined): Readonly<Record<string, string>>
}

export type ForgeServer = {
  readonly host: string
  readonly requests: RecordedRequest[]
  fault: ((request: SeenRequest) => ForgeFault | undefined) | undefined
}

/** `open`: gets the address of the server, which addresses in replies contain. */
export async function serveForge(t: Cleanup, world: World, open: (web: string) => Api): Promise<ForgeServer> {
  const backend = createBackend(dirname(world.remote.directory))
  const http = createServer((request, response) => {
    void handle(request).then(
      async ({ fault, answer }) => await send(answer, fault, request, response),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`
  const api = open(`http://${host}`)
  const server: ForgeServer = { host, requests: [], fault: undefined }
  t.after(async () => {
    http.closeAllConnections()
    http.close()
    await backend.close()
  })

  async function handle(request: IncomingMessage): Promise<Handled> {
    const url = new URL(request.url ?? '/', `http://${host}`)
    const method = request.method ?? 'GET'
    const gitService = isGit(url)
    const body = gitService ? '' : await text(request)
    const presented = takeToken(world, request)
    const isGraphql = url.pathname === api.graphql
    const isApi = isGraphql || url.pathname.startsWith(`${api.prefix}/`)
    const path = isGraphql ? '/graphql' : isApi ? url.pathname.slice(api.prefix.length) : url.pathname
    const route = gitService ?? (isApi ? api.routeOf(method, path) : 'page')
    const secret = presented.token?.value ?? presented.authorization.replace(/^\S+ /, '')
    const shown = { method, url: `${url.pathname}${url.search}`, route }
    const seen: SeenRequest = { ...shown, body: isApi ? toJson(body) : body, secret }
    const fault = server.fault?.(seen)
    if (fault?.kind === 'delay') await fault.until
    const instead = insteadOf(fault)
    const { token, authorization, user } = presented
    const call: Call = {
      method,
      path,
      params: {},
      query: url.searchParams,
      body: isApi ? ((toJson(body) ?? {}) as Call['body']) : {},
      token,
      authorization,
      user,
    }
    const reply = async (): Promise<Answer> => {
      if (gitService) return await serveGitRequest(world, backend, request, presented)
      const made = isApi ? refusing(() => api.handle(call)) : (api.page?.(method, url, body) ?? { status: 404 })
      const headers = { Date: new Date(world.now()).toUTCString(), ...api.headers(token), ...made.headers }
      return toAnswer(request, { ...made, headers }, api.hasEtags)
    }
    const answer = instead ?? (await reply())
    server.requests.push({ ...seen, status: answer.status, login: token?.login ?? null })
    return { fault, answer }
  }
  return server
}

type Handled = { readonly fault: ForgeFault | undefined; readonly answer: Answer }

/** The token of a request in any form that a forge takes. A new one may be refused for a while. */
function takeToken(world: World, { headers }: IncomingMessage): Presented {
  const authorization = headers.authorization ?? ''
  const [scheme = '', rest = ''] = authorization.split(' ')
  const basic = Buffer.from(rest, 'base64').toString()
  const own = headers['private-token']
  const isBasic = scheme.toLowerCase() === 'basic'
  const value = isBasic ? basic.slice(basic.indexOf(':') + 1) : rest
  const token = world.findToken(typeof own === 'string' ? own : value)
  const isRefused = token !== undefined && token.refusals-- > 0
  const user = isBasic ? basic.slice(0, basic.indexOf(':')) : ''
  return { token: isRefused ? undefined : token, authorization: typeof own === 'string' ? own : authorization, user }
}

function insteadOf(fault: ForgeFault | undefined): Answer | undefined {
  if (fault?.kind === 'reset' || fault?.kind === 'stall') return { status: 0, headers: {}, body: Buffer.alloc(0) }
  if (fault?.kind !== 'answer') return undefined
  return { status: fault.status, headers: fault.headers ?? {}, body: Buffer.from(fault.body ?? '') }
}

function refusing(handle: () => Reply): Reply {
  try {
    return handle()
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}

function toAnswer(request: IncomingMessage, reply: Reply, hasEtags: boolean): Answer {
  const { status, body: content } = reply
  const isText = typeof content === 'string'
  const body = Buffer.from(isText ? content : content === undefined ? '' : JSON.stringify(content))
  const etag = `W/"${createHash('sha256').update(body).digest('hex')}"`
  const hasEtag = hasEtags && request.method === 'GET' && status === 200
  const headers = {
    ...(body.length > 0 ? { 'Content-Type': isText ? 'text/html' : 'application/json; charset=utf-8' } : {}),
    ...(hasEtag ? { ETag: etag, 'Cache-Control': 'private, max-age=60, s-maxage=60' } : {}),
    ...reply.headers,
  }
  const isUnchanged = hasEtag && request.headers['if-none-match'] === etag
  return isUnchanged ? { status: 304, headers, body: Buffer.alloc(0) } : { status, headers, body }
}

async function send(
  { status, headers, body }: Answer,
  fault: ForgeFault | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const html = { 'Content-Type': 'text/html' }
  switch (fault?.kind) {
    case 'reset':
    case 'lose answer':
      return void request.socket.resetAndDestroy()
    case 'stall':
      return
    case 'answer after':
      return void response.writeHead(fault.status, html).end(fault.body)
    case 'truncate':
      return void response.writeHead(status, headers).end(body.subarray(0, Math.floor(body.length / 2)))
    case 'cut':
    case 'hold':
      response.writeHead(status, { ...headers, 'Content-Length': `${body.length}` })
      return void response.write(body.subarray(0, fault.bytes), () =>
        fault.kind === 'cut' ? request.socket.resetAndDestroy() : fault.reached?.(),
      )
    case 'answer':
    case 'delay':
    case undefined:
      return void response.writeHead(status, headers).end(body)
  }
}

function toJson(body: string): unknown {
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
