// A small router for the loopback forges: what a request is, what a reply is, and how a path finds its route.

import type { Token } from './world.ts'

export type Call = {
  readonly method: string
  /** Below the address of the API. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  readonly token: Token | undefined
  readonly authorization: string
  /** The user of Basic; empty for other schemes. */
  readonly user: string
}

export type Reply = {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Throws a `Refusal` for what the forge refuses. */
export type Handler = (call: Call) => Reply
/** `GET /repos/:owner/:repo/git/ref/*ref`: a star takes the rest of the path. */
export type Routes = Readonly<Record<string, Handler>>

export class Refusal extends Error {
  readonly reply: Reply
  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(`${status}`)
    this.reply = { status, body, headers }
  }
}

export type Found = {
  readonly name: string
  readonly handler: Handler
  readonly params: Readonly<Record<string, string>>
}

export function findRoute(routes: Routes, method: string, path: string): Found | undefined {
  for (const [name, handler] of Object.entries(routes)) {
    const [verb, template = ''] = name.split(' ')
    const match = verb === method ? toPattern(template).exec(path) : null
    if (!match) continue
    const params = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)])
    return { name, handler, params: Object.fromEntries(params) as Record<string, string> }
  }
  return undefined
}

function toPattern(template: string): RegExp {
  const text = template.replaceAll('.', String.raw`\.`)
  return new RegExp(`^${text.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)').replaceAll(/\*(\w+)/g, '(?<$1>.+)')}$`)
}

/** A value that is no text becomes the empty text: a required member that is missing is refused by what it names. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** One page of a list, with what all three forges say about the others in `Link`. */
export function pageOf<T>(
  call: Call,
  all: readonly T[],
  limit: { readonly name: string; readonly usual: number; readonly most: number },
  address: string,
): { readonly items: readonly T[]; readonly headers: Readonly<Record<string, string>>; readonly next: number | null } {
  const page = Math.max(1, Number(call.query.get('page') ?? 1))
  const size = Math.min(limit.most, Number(call.query.get(limit.name) ?? limit.usual))
  const next = page * size < all.length ? page + 1 : null
  const query = new URLSearchParams(call.query)
  query.set('page', String(next))
  const headers: Record<string, string> = next === null ? {} : { Link: `<${address}?${query.toString()}>; rel="next"` }
  return { items: all.slice((page - 1) * size, page * size), headers, next }
}

/** Routes with the same templates as those of the repository, which answer when the path is that of the fork. */
export function forkRoutes(routes: Routes, isFork: (call: Call) => boolean, forked: Routes): Routes {
  const both = Object.keys(forked).map((name) => [
    name,
    (call: Call) => {
      const handler = isFork(call) ? forked[name] : routes[name]
      if (!handler) throw new Refusal(404, { message: 'Not Found' })
      return handler(call)
    },
  ])
  return { ...routes, ...(Object.fromEntries(both) as Routes) }
}
