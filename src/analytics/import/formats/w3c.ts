// Parses W3C extended logs, whose line `#Fields:` names the columns of the lines after it and may change within a log:
//   cloudfront   standard logs of CloudFront: tabs, percent-encoded values; the request id is the id of the page view
//   iis          Microsoft IIS: spaces, and `+` for a space in a value
// Times are UTC. Lines before the first `#Fields:` cannot be read.

import { type AddressFrom, findAddress } from '../address/address-from.ts'
import type { Parsed, ParseLine } from '../wire-page-view.ts'
import { isAsset, readContentType, toPlace, toReferrer, toRepresentation } from './fields.ts'
import { readIsoTime } from './log-time.ts'

type Dialect = {
  readonly separator: string
  /** Whether the columns are those of this server. The names are in lower case. */
  readonly owns: (names: readonly string[]) => boolean
  readonly decode: (text: string) => string
  readonly readPath: (text: string) => string
  /** In order of preference. */
  readonly hosts: readonly string[]
  readonly isHttp: (value: (name: string) => string | undefined) => boolean
}

const cloudfront: Dialect = {
  separator: '\t',
  owns: (names) => names.some((name) => name.startsWith('x-edge-')),
  decode: decodePercent,
  readPath: (text) => text,
  hosts: ['x-host-header', 'cs(host)'],
  isHttp: (value) => value('cs-protocol') === 'http' || value('cs-protocol') === 'ws',
}

const iis: Dialect = {
  separator: ' ',
  owns: (names) => !cloudfront.owns(names) && (names.includes('cs-uri-stem') || names.includes('s-ip')),
  decode: decodePlus,
  readPath: decodePlus,
  hosts: ['cs-host', 'cs(host)'],
  isHttp: (value) => value('s-port') === '80',
}

const dialects = { cloudfront, iis } as const
export type W3cName = keyof typeof dialects

/** `host` is used for lines without a host. */
export function createW3c(name: W3cName, host: string | undefined, from?: AddressFrom): ParseLine {
  const dialect = dialects[name]
  let columns: ReadonlyMap<string, number> | undefined
  return (line) => {
    if (line.charCodeAt(0) !== hash) return readView(line, { dialect, columns, host, from })
    const directive = /^#([A-Za-z-]{1,20}):/.exec(line)
    if (directive === null) return { rejected: 'not_this_format' }
    if (directive[1]?.toLowerCase() !== 'fields') return { rejected: 'not_a_visit' }
    const names = line.slice(directive[0].length).trim().toLowerCase().split(/\s+/)
    columns = dialect.owns(names) ? new Map(names.map((one, at) => [one, at])) : undefined
    return { rejected: columns === undefined ? 'not_this_format' : 'not_a_visit' }
  }
}

const hash = 0x23

type Reading = {
  readonly dialect: Dialect
  readonly columns: ReadonlyMap<string, number> | undefined
  readonly host: string | undefined
  readonly from: AddressFrom | undefined
}

function readView(line: string, { dialect, columns, host, from }: Reading): Parsed {
  const values = columns === undefined ? [] : line.split(dialect.separator)
  if (columns === undefined || values.length !== columns.size) return { rejected: 'not_this_format' }
  const raw = (name: string) => {
    const text = values[columns.get(name) ?? -1]
    return text === '-' || text === '' ? undefined : text
  }
  const value = (name: string) => {
    const text = raw(name)
    return text === undefined ? undefined : dialect.decode(text)
  }
  if (!columns.has('cs(user-agent)')) return { rejected: 'no_user_agent' }
  const timestamp = readIsoTime(`${raw('date') ?? ''}T${raw('time') ?? ''}Z`)
  if (timestamp === undefined) return { rejected: 'bad_time' }
  const status = /^\d{3}$/.test(raw('sc-status') ?? '') ? Number(raw('sc-status')) : 0
  // CloudFront writes 000 if the client closed the connection before the response.
  if (status < 100) return { rejected: 'not_a_visit' }
  const named = dialect.hosts.map(raw).find((one) => one !== undefined)
  const scheme = dialect.isHttp(raw) ? 'http' : 'https'
  const place = toPlace({ target: dialect.readPath(raw('cs-uri-stem') ?? ''), scheme, host: named ?? host })
  if (place === undefined) return { rejected: 'no_request' }
  const kind = readContentType(value('sc-content-type'))
  if (isAsset(kind, { status, ...place })) return { rejected: 'not_a_page' }
  return {
    id: raw('x-edge-request-id'),
    timestamp,
    ...place,
    method: raw('cs-method'),
    status,
    userAgent: value('cs(user-agent)') ?? '',
    address: findAddress(from, {
      connection: () => raw('c-ip'),
      forwarded: () => readForwarded(value),
      field: (column) => value(column.toLowerCase()),
    }),
    referrer: toReferrer(value('cs(referer)')),
    representation: toRepresentation(kind),
  }
}

/** IIS logs the header as a custom field, with a name that its operator chose. */
function readForwarded(value: (name: string) => string | undefined): string | undefined {
  return value('x-forwarded-for') ?? value('cs(x-forwarded-for)')
}

/** Logs from before 2019 encode twice: their user agents have `%2520` for a space. */
function decodePercent(text: string): string {
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

/** A plus before the address of a crawler is its own: `(+https://…)`, and `;++https://…`. */
function decodePlus(text: string): string {
  return text.replaceAll(/\+(?!(?<=[(+]\+)https?:)/g, ' ')
}
