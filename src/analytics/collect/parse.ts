// Parses page views: from servers and logs with a key, and from pages in browsers without one. Written by hand, because
// they arrive by the thousand. The result of any input is a page view or the reason why it is invalid; the reason never
// repeats the input.

import {
  maxSignalLength,
  maxUserAgentLength,
  optOutHeaders,
  type PageViewSource,
  type RawPageView,
  type Representation,
  signalHeaders,
} from '../page-view.ts'
import { remember } from '../remember.ts'
import type { WirePageView } from '../import/wire-page-view.ts'
import { siteOfHost } from '../counts/query/referrer-sites.ts'
import { toCountry } from '../dimensions/country.ts'
import { keptQuery } from './target/kept-query.ts'

export type Parsed = { readonly view: RawPageView } | { readonly invalid: string }

/** Longer ids, addresses and paths are invalid. */
const maxIdLength = 200
const maxOtherIds = 4
const maxUrlLength = 16_384
const maxTitleLength = 4_096
const maxHeaders = 100

/** `{ id?, timestamp, url | path, userAgent, address?, visitorId?, … }` */
export function parsePageView(value: unknown, source: PageViewSource): Parsed {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { invalid: 'must be an object' }
  try {
    return { view: readView(value, source) }
  } catch (error) {
    if (error instanceof Invalid) return { invalid: error.message }
    throw error
  }
}

/** Ids of lines are numbers, which only columns have. */
type Fields = Readonly<Partial<Record<keyof WirePageView | 'lineId', unknown>>>

/** Stops parsing a page view. Never leaves this file. */
class Invalid extends Error {}

function readView(fields: Fields, source: PageViewSource): RawPageView {
  const { scheme, host, path, query } = readPlace(fields)
  const { optedOut, signals } = readHeaders(fields.headers)
  const referrer = readText('referrer', fields.referrer, maxUrlLength)
  const status = readStatus(fields.status)
  return {
    id: readText('id', fields.id, maxIdLength),
    lineId: typeof fields.lineId === 'bigint' ? fields.lineId : undefined,
    sameAs: readSameAs(fields.sameAs),
    time: readTime(fields.timestamp),
    source,
    siteId: undefined,
    scheme,
    host,
    path,
    query,
    title: readText('title', fields.title, maxTitleLength),
    country: toCountry(readText('country', fields.country, 10)) || undefined,
    userAgent: (readText('userAgent', fields.userAgent, 1e6) ?? '').slice(0, maxUserAgentLength),
    address: readText('address', fields.address, 100),
    visitorId: readText('visitorId', fields.visitorId, maxIdLength),
    referrer: toReferrer(referrer, host) ?? sourceOf(query),
    referrerPath: status === 404 && referrer !== undefined ? toReferrerPath(referrer, host) : undefined,
    representation: readRepresentation(fields.representation) ?? (/[?&]format=/i.test(query) ? 'markdown' : undefined),
    method: readText('method', fields.method, 20)?.toUpperCase(),
    status,
    optedOut,
    signals,
  }
}

/** Undefined: the field is absent, null or empty. */
function readText(name: string, value: unknown, maxLength: number): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw new Invalid(`\`${name}\` must be a string`)
  if (value.length > maxLength) throw new Invalid(`\`${name}\` has more than ${maxLength} characters`)
  return value === '' ? undefined : value
}

const noIds: readonly string[] = []

function readSameAs(value: unknown): readonly string[] {
  if (value === undefined || value === null) return noIds
  const isList = Array.isArray(value) && value.length <= maxOtherIds
  if (isList && value.every((id) => typeof id === 'string' && id.length <= maxIdLength)) return value as string[]
  throw new Invalid(`\`sameAs\` must be at most ${maxOtherIds} ids`)
}

type Place = Pick<RawPageView, 'scheme' | 'host' | 'path'>

function readPlace(fields: Fields): Place & { readonly query: string } {
  const url = readText('url', fields.url, maxUrlLength)
  if (url !== undefined) {
    const { scheme, host, path } = toPlace(url) ?? refuseUrl()
    return { scheme, host, path, query: keptQuery(url) }
  }
  const path = readText('path', fields.path, maxUrlLength)
  if (path === undefined) throw new Invalid('`url` or `path` is missing')
  if (!path.startsWith('/')) throw new Invalid('`path` must begin with a slash')
  const bare = /[?#]/.test(path) ? (path.split(/[?#]/, 1)[0] ?? '') : path
  return { scheme: undefined, host: undefined, path: bare, query: keptQuery(path) }
}

function refuseUrl(): never {
  throw new Invalid('`url` must be an http or https address')
}

/** Drops credentials, port, query and fragment. Returns undefined when the text is not a web address. */
export function toPlace(text: string): Place | undefined {
  const end = text.search(/[?#]/)
  const bare = end < 0 ? text : text.slice(0, end + 1)
  // With credentials, it is not kept in memory.
  return bare.includes('@') ? parsePlace(bare) : placeOf(bare)
}

const placeOf = remember(parsePlace)

function parsePlace(text: string): Place | undefined {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return { scheme: url.protocol === 'https:' ? 'https' : 'http', host: url.hostname, path: url.pathname }
}

/** A number of milliseconds, or ISO 8601 with a time and an offset. */
function readTime(value: unknown): number {
  const time = typeof value === 'number' ? value : typeof value === 'string' ? parseInstant(value) : Number.NaN
  if (value === undefined || value === null) throw new Invalid('`timestamp` is missing')
  // The range of `Date`. Whether the project keeps this time is decided later.
  if (Math.abs(time) <= 8.64e15) return Math.floor(time)
  throw new Invalid('`timestamp` must be ISO 8601 with an offset, or milliseconds since 1970')
}

const instant = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(?:[Zz]|([+-]\d{2}):?(\d{2}))$/

function parseInstant(text: string): number {
  const match = instant.exec(text)
  if (!match) return Number.NaN
  const [, date = '', clock = '', hours = '+00', minutes = '00'] = match
  const day = Date.parse(`${date}T00:00:00Z`)
  // `Date.parse` reads 30 February as 2 March.
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== date) return Number.NaN
  return Date.parse(`${date}T${clock.replace(',', '.').slice(0, 12)}${hours}:${minutes}`)
}

function readRepresentation(value: unknown): Representation | undefined {
  if (value === undefined || value === null) return undefined
  if (value === 'html' || value === 'markdown') return value
  throw new Invalid('`representation` must be html or markdown')
}

function readStatus(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 599) return value
  throw new Invalid('`status` must be an HTTP status')
}

type Headers = Pick<RawPageView, 'optedOut' | 'signals'>

/** Names are case-insensitive. Only the first 100 headers are read: clients send fewer, and a batch may contain 100,000. */
function readHeaders(value: unknown): Headers {
  if (value === undefined || value === null) return noHeaders
  if (typeof value !== 'object' || Array.isArray(value)) throw new Invalid('`headers` must be an object')
  const headers = value as Readonly<Record<string, unknown>>
  const names = Object.keys(headers).slice(0, maxHeaders)
  return shareHeaders(JSON.stringify(pickHeaders(names.map((name) => [name, headers[name]]))))
}

const noHeaders: Headers = { optedOut: false, signals: {} }

/** The clients of a site send few different sets. The text of one is made once: `toSignalsText` knows it by the object. */
const shareHeaders = remember((json) => JSON.parse(json) as Headers, { maxLength: 2_048, maxTexts: 1_000 })

const wanted: ReadonlySet<string> = new Set(signalHeaders)
const optOuts: ReadonlySet<string> = new Set(optOutHeaders)

/** Picks the headers that identify clients, and reads the two that opt out. Ignores values that aren't text. */
export function pickHeaders(headers: Iterable<readonly [string, unknown]>): Headers {
  const signals: Record<string, string> = {}
  const state = { optedOut: false }
  for (const [given, value] of headers) {
    const name = given.toLowerCase()
    if (typeof value !== 'string' || value === '') continue
    if (optOuts.has(name) && value.trim() === '1') state.optedOut = true
    // The id of the conversation is private; only its presence matters.
    if (wanted.has(name)) signals[name] = name === 'x-conversation-id' ? '1' : value.slice(0, maxSignalLength)
  }
  return { ...state, signals }
}

/** RFC 1035, 2.3.4. */
const maxHostLength = 253

/**
 * The host of a referring page, or `android-app://` with the id of an app; undefined if there is no valid one, or if it
 * is the site itself.
 */
function toReferrer(text: string | undefined, host: string | undefined): string | undefined {
  const app = /^android-app:\/\/([a-z]\w{0,60}(?:\.\w{1,60}){1,10})(?:\/|$)/i.exec(text ?? '')?.[1]
  if (app !== undefined) return `android-app://${app.toLowerCase()}`
  const referrer = text === undefined ? undefined : toPlace(text)?.host
  if (referrer === undefined || referrer.length > maxHostLength) return undefined
  return referrer === '' || referrer === host ? undefined : referrer
}

/**
 * The path of a referring page; undefined if it is unknown: browsers name no page to another host than its own, only `https://host/`, and
 * an origin without a slash comes from a client that sends no paths.
 */
function toReferrerPath(text: string, host: string | undefined): string | undefined {
  const place = /^https?:\/\/[^/?#]+\//i.test(text) ? toPlace(text) : undefined
  if (place?.host === undefined || place.host.length > maxHostLength) return undefined
  return place.path === '/' && place.host !== host ? undefined : place.path
}

/** The host in `?utm_source=chatgpt.com`, which ChatGPT adds to its links, if it is one of a site that is known to refer. */
function sourceOf(query: string): string | undefined {
  const host = /[?&]utm_source=([^&]+)/i.exec(query)?.[1]?.toLowerCase()
  return host !== undefined && siteOfHost(host) !== undefined ? host : undefined
}

/** The parts of a page view that come from the browser's request, not from its body. */
export type BrowserRequest = Pick<
  RawPageView,
  'siteId' | 'time' | 'userAgent' | 'address' | 'country' | 'optedOut' | 'signals'
>

/** `{ url, referrer?, id?, status?, title?, optOut? }`. Address, country and user agent are always those of the request. */
export function parseBrowserView(value: unknown, request: BrowserRequest): Parsed {
  if (typeof value !== 'object' || value === null) return { invalid: 'must be an object' }
  const { id, url, referrer, status, title, optOut } = value as Fields & { readonly optOut?: unknown }
  if (url === undefined) return { invalid: '`url` is missing' }
  const parsed = parsePageView({ id, url, referrer, status, title, timestamp: request.time }, 'browser')
  if ('invalid' in parsed) return parsed
  return { view: { ...parsed.view, ...request, optedOut: request.optedOut || optOut === true } }
}
