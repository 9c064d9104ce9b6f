// Shared by the formats: IP addresses, request targets, values of parsed JSON. Queries and fragments are removed here, so
// they never leave the machine that has the log, except for the parameters of `keptQuery`.

import { isIP } from 'node:net'
import { fileKindOf } from '../../collect/target/file-kind.ts'
import { keptQuery } from '../../collect/target/kept-query.ts'
import type { Representation } from '../../page-view.ts'
import type { WirePageView } from '../wire-page-view.ts'

export type Fields = Readonly<Record<string, unknown>>

/** A JSON object, or undefined for anything else. */
export function readObject(line: string): Fields | undefined {
  try {
    return asFields(JSON.parse(line))
  } catch {
    return undefined
  }
}

export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value !== '-' ? value : undefined
}

/** The value of a name with dots for objects in objects. A key that is the whole name comes first. */
export function findNamed(entry: Fields, name: string): unknown {
  if (Object.hasOwn(entry, name)) return entry[name]
  return name.split('.').reduce<unknown>((inner, part) => ownValue(inner, part), entry)
}

/** Like `findNamed`; values of a list are joined, as those of a header. */
export function readNamed(entry: Fields, name: string): string | undefined {
  const value = findNamed(entry, name)
  return Array.isArray(value) ? asText(value.filter((one) => typeof one === 'string').join(', ')) : asText(value)
}

function ownValue(value: unknown, name: string): unknown {
  const fields = asFields(value)
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Removes brackets, port and the zone of IPv6. Returns undefined if the text is not an address. */
export function toAddress(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 100) return undefined
  const bare = text.startsWith('[') ? text.slice(1, text.indexOf(']')) : text
  const zone = bare.indexOf('%')
  const address = zone < 0 ? bare : bare.slice(0, zone)
  if (isIP(address) !== 0) return address
  const colon = address.lastIndexOf(':')
  return colon > 0 && isIP(address.slice(0, colon)) === 4 ? address.slice(0, colon) : undefined
}

/** A server that writes something else than addresses would count views without visitors. Some leave addresses out. */
export function namesClient(text: string | undefined): boolean {
  return text === undefined || text === '' || text === '-' || toAddress(text.replace(/,$/, '')) !== undefined
}

type Target = {
  /** The request target: a path, or a full URL. */
  readonly target: string
  /** Anything except `http` counts as https. */
  readonly scheme?: string | undefined
  /** With or without a port. */
  readonly host?: string | undefined
}

/** Returns `url` if the host is known, otherwise `path`. Returns undefined if it is not a page (`*`, the target of CONNECT). */
export function toPlace({ target, scheme, host }: Target): Pick<WirePageView, 'url' | 'path'> | undefined {
  const bare = withoutQuery(target) + keptQuery(target)
  if (/^https?:\/\/[^/]/i.test(bare)) return { url: withoutCredentials(bare) }
  if (bare.charCodeAt(0) !== 0x2f) return undefined
  return host === undefined ? { path: bare } : { url: `${scheme === 'http' ? 'http' : 'https'}://${host}${bare}` }
}

export function toReferrer(text: string | undefined): string | undefined {
  return text === undefined ? undefined : withoutCredentials(withoutQuery(decodeUrl(text)))
}

/** Some CDNs encode the whole value. */
function decodeUrl(text: string): string {
  return /^https?%3a%2f%2f/i.test(text) ? decodeOnce(text) : text
}

/** Decodes a user agent whose blanks are percent-encoded. */
export function decodeAgent(text: string): string {
  return /%(?:25)?20/.test(text) && !text.includes(' ') ? decodePercent(text) : text
}

/** Logs of CloudFront from before 2019 encode twice: their user agents have `%2520` for a space. */
export function decodePercent(text: string): string {
  const once = decodeOnce(text)
  return once.includes('%20') && !once.includes(' ') ? decodeOnce(once) : once
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replaceAll('%20', ' ')
  }
}

function withoutQuery(text: string): string {
  const query = text.indexOf('?')
  const bare = query < 0 ? text : text.slice(0, query)
  const fragment = bare.indexOf('#')
  return fragment < 0 ? bare : bare.slice(0, fragment)
}

function withoutCredentials(url: string): string {
  const start = url.indexOf('//') + 2
  if (start === 1) return url
  const slash = url.indexOf('/', start)
  const at = url.slice(start, slash < 0 ? url.length : slash).lastIndexOf('@')
  return at < 0 ? url : url.slice(0, start) + url.slice(start + at + 1)
}

/** The form that a `Content-Type` indicates; `asset`: the response was not a page. */
export function readContentType(type: string | undefined): Representation | 'asset' | undefined {
  if (type === undefined) return undefined
  const [name = ''] = type.toLowerCase().split(';')
  const bare = name.trim()
  if (bare === 'text/html' || bare === 'application/xhtml+xml') return 'html'
  if (bare === 'text/markdown' || bare === 'text/x-markdown') return 'markdown'
  // llms.txt, and Markdown on servers that don't know its type.
  return bare === 'text/plain' || bare === '' ? undefined : 'asset'
}

/** Only a 200 shows the type of the page: errors and redirects have other bodies. Downloads have any type. */
export function isAsset(
  kind: Representation | 'asset' | undefined,
  { status, url, path }: Pick<WirePageView, 'status' | 'url' | 'path'>,
): boolean {
  return kind === 'asset' && status === 200 && fileKindOf(url ?? path ?? '') !== 'download'
}

export function toRepresentation(kind: Representation | 'asset' | undefined): Representation | undefined {
  return kind === 'asset' ? undefined : kind
}
