// Turns a request and its response into the page view that Docent accepts. Includes only fields that identify clients;
// cookies, credentials, queries and bodies are never included. Knows nothing of servers, queues and sending.

/** A request with its response, in a form that every kind of server can provide. */
export type Exchange = {
  readonly method: string
  /** Absolute, or a path. */
  readonly url: string
  readonly header: (name: string) => string | null | undefined
  /** The client's address. Without it, the page view does not count a visitor. */
  readonly address: string | undefined
  /** ISO 3166-1. */
  readonly country?: string | undefined
  /** The time of the request, in milliseconds since 1970. */
  readonly time: number
  readonly status: number
  readonly contentType: string | null | undefined
}

export type PageView = {
  readonly id: string
  readonly timestamp: number
  readonly url?: string
  readonly path?: string
  readonly method: string
  readonly status: number
  readonly userAgent: string
  readonly address?: string
  readonly referrer?: string
  readonly country?: string
  readonly representation?: 'html' | 'markdown'
  readonly headers: Readonly<Record<string, string>>
}

/** The headers that the service keeps; it drops all others. */
export const signalHeaders = [
  'accept',
  'accept-language',
  'purpose',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-purpose',
  'signature-agent',
  'x-conversation-id',
  'x-moz',
] as const

/** Headers by which a visitor opts out; the service knows whether the site honours them. */
export const optOutHeaders = ['dnt', 'sec-gpc'] as const

/** The service cuts user agents at the same length. */
const maxUserAgentLength = 1_024
const maxSignalLength = 512
const maxUrlLength = 4_096

const assets = new RegExp(
  String.raw`\.(?:${[
    'css|less|js|mjs|cjs|map|ts|json|jsonld|xml|rss|atom|yaml|yml|csv|wasm|webmanifest',
    'png|jpe?g|gif|svg|webp|avif|ico|bmp|woff2?|ttf|otf|eot',
    'mp[34]|webm|ogg|wav|mov|pdf|zip|gz|tgz|bz2|xz|tar|dmg|exe|deb|rpm',
  ].join('|')})$`,
  'i',
)
const pageTypes: ReadonlyMap<string, 'html' | 'markdown' | 'unsaid'> = new Map([
  ['', 'unsaid'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/markdown', 'markdown'],
  ['text/x-markdown', 'markdown'],
  ['text/plain', 'unsaid'],
])

/** Returns undefined when the request is not a page view. Never throws, whatever a client sends. */
export function toPageView(exchange: Exchange): PageView | undefined {
  const { method, status, header } = exchange
  const url = withoutQuery(exchange.url)
  if (method !== 'GET' || !isViewed(status) || url.length > maxUrlLength) return undefined
  const kind = pageTypes.get((exchange.contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '')
  if (kind === undefined) return undefined
  // A page may be named like a file, `/docs/node.js`. The body of a 404 says nothing about the file.
  if (!isPagePath(url) && (kind === 'unsaid' || status === 404)) return undefined
  const asked = `${url}${keptQuery(exchange.url)}`
  const referrer = toReferrer(header('referer'), status)
  return {
    id: crypto.randomUUID(),
    timestamp: exchange.time,
    ...(url.startsWith('/') ? { path: asked } : { url: asked }),
    method,
    status,
    userAgent: (header('user-agent') ?? '').slice(0, maxUserAgentLength),
    ...(exchange.address === undefined ? {} : { address: exchange.address }),
    ...(referrer === undefined ? {} : { referrer }),
    ...(exchange.country ? { country: exchange.country } : {}),
    ...(kind === 'unsaid' ? {} : { representation: kind }),
    headers: headersOf(header),
  }
}

/**
 * Appends a target to an origin, which may be unknown. Appends it as text, because resolving a target such as
 * `//other.example/` would lead to another site.
 */
export function join(origin: string | undefined, target: string): string {
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? target
  return `${origin ?? ''}${path.startsWith('/') ? '' : '/'}${path}`
}

/** Accepts 404 too, for the list of broken pages. */
function isViewed(status: number): boolean {
  return status === 200 || status === 203 || status === 304 || status === 404
}

/** Rejects text files, except those that are written for language models. */
function isPagePath(url: string): boolean {
  if (/\.txt$/i.test(url)) return /\/llms[^/]*\.txt$/i.test(url)
  return !assets.test(url)
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? ''
}

/** The parameters that the service reads, without all others: the form of the page, and the campaign of the link. */
function keptQuery(url: string): string {
  const [, query = ''] = /(\?[^#]*)/.exec(url) ?? []
  const found = query.matchAll(
    /[?&](format=(?:md|markdown)|(utm_(?:source|medium|campaign|term|content)|ref)=[^&#\s]{1,1200})(?=&|$)/gi,
  )
  const kept = new Map<string, string>()
  for (const [, part = '', name = 'format'] of found) {
    if (!kept.has(name.toLowerCase())) kept.set(name.toLowerCase(), part)
  }
  return kept.size === 0 ? '' : `?${[...kept.values()].join('&')}`
}

/** The origin of the referring page, without credentials; for a missing page, its address without credentials and query. */
function toReferrer(referrer: string | null | undefined, status: number): string | undefined {
  const [, scheme = '', host, path = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?([^/?#@]+)(\/[^?#]*)?/i.exec(referrer ?? '') ?? []
  if (host === undefined) return undefined
  const address = `${scheme}${host}${path}`
  return status === 404 && address.length <= maxUrlLength ? address : `${scheme}${host}`.slice(0, maxSignalLength)
}

function headersOf(header: Exchange['header']): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of [...signalHeaders, ...optOutHeaders]) {
    const value = header(name)
    if (value) headers[name] = value.slice(0, maxSignalLength)
  }
  return headers
}
