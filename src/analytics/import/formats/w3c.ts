// Parses W3C extended logs, whose line `#Fields:` names the columns of the lines after it and may change within a log:
//   cloudfront   standard logs of CloudFront: tabs, percent-encoded values; the request id is the id of the page view.
//                Also as JSON, with the same names
//   iis          Microsoft IIS: spaces, and `+` for a space in a value. Without a column `date`, the day is in `#Date:`
// Times are UTC. Lines before the first `#Fields:` cannot be read.

import { type AddressFrom, findAddress } from '../address/address-from.ts'
import type { Parsed, ParseLine } from '../wire-page-view.ts'
import {
  asText,
  isAsset,
  readContentType,
  readObject,
  toPlace,
  toReferrer,
  toRepresentation,
  decodePercent,
} from './fields.ts'
import { readIsoTime, readUnixTime } from './log-time.ts'

type Dialect = {
  readonly separator: string
  /** Whether the columns are those of this server. The names are in lower case. */
  readonly owns: (names: readonly string[]) => boolean
  readonly decode: (text: string) => string
  readonly readPath: (text: string) => string
  /** In order of preference. */
  readonly hosts: readonly string[]
  readonly isHttp: (value: Value) => boolean
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

type Value = (name: string) => string | undefined
type Row = { readonly raw: Value; readonly has: (name: string) => boolean }

/** Lines have to come in the order of the log. */
export function createW3c(name: W3cName, from?: AddressFrom): ParseLine {
  const dialect = dialects[name]
  const days = createDays()
  let columns: ReadonlyMap<string, number> | undefined
  return (line) => {
    if (line.charCodeAt(0) !== hash) {
      const row = readRow(line, dialect, columns)
      return row === undefined ? { rejected: 'not_this_format' } : readView(row, { dialect, days, from })
    }
    const directive = /^#([A-Za-z-]{1,20}):/.exec(line)
    if (directive === null) return { rejected: 'not_this_format' }
    const value = line.slice(directive[0].length).trim()
    const kind = directive[1]?.toLowerCase()
    if (kind === 'date') days.start(value)
    if (kind !== 'fields') return { rejected: 'not_a_visit' }
    const names = value.toLowerCase().split(/\s+/)
    columns = dialect.owns(names) ? new Map(names.map((one, at) => [one, at])) : undefined
    return { rejected: columns === undefined ? 'not_this_format' : 'not_a_visit' }
  }
}

const hash = 0x23
const brace = 0x7b

function readRow(line: string, dialect: Dialect, columns: ReadonlyMap<string, number> | undefined): Row | undefined {
  if (dialect === cloudfront && line.charCodeAt(0) === brace) return readJsonRow(line)
  const values = columns === undefined ? [] : line.split(dialect.separator)
  if (columns === undefined || values.length !== columns.size) return undefined
  const raw = (name: string) => {
    const text = values[columns.get(name) ?? -1]
    return text === '-' || text === '' ? undefined : text
  }
  return { raw, has: (name) => columns.has(name) }
}

/** Standard logging v2 with the output format JSON. Which fields it has is the operator's choice. */
function readJsonRow(line: string): Row | undefined {
  const entry = readObject(line) ?? {}
  const fields = new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value]))
  if (!cloudfront.owns([...fields.keys()])) return undefined
  const raw = (name: string) => {
    const value = fields.get(name)
    return typeof value === 'number' ? String(value) : asText(value)
  }
  return { raw, has: (name) => fields.has(name) }
}

type Days = ReturnType<typeof createDays>

/** The day of lines without one: it begins with that of `#Date:`, and the next begins when the time jumps back. */
function createDays() {
  const last = { day: Number.NaN, ms: 0 }
  return {
    start: (text: string) => {
      const ms = readIsoTime(`${text}Z`) ?? Number.NaN
      last.ms = ms % dayMs
      last.day = ms - last.ms
    },
    /** Lines may be a little out of order: only a jump of more than an hour is midnight. */
    at: (time: string) => {
      const ms = (readIsoTime(`1970-01-01T${time}Z`) ?? Number.NaN) % dayMs
      if (Number.isNaN(ms + last.day)) return undefined
      const isNext = last.ms - ms > hourMs
      // A late line of the day before.
      const isLate = ms - last.ms > dayMs - hourMs
      if (isNext) last.day += dayMs
      if (isNext || (!isLate && ms > last.ms)) last.ms = ms
      return isLate ? last.day - dayMs + ms : last.day + ms
    },
  }
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Reading = {
  readonly dialect: Dialect
  readonly days: Days
  readonly from: AddressFrom | undefined
}

function readView({ raw, has }: Row, { dialect, days, from }: Reading): Parsed {
  const value = (name: string) => {
    const text = raw(name)
    return text === undefined ? undefined : dialect.decode(text)
  }
  if (!has('cs(user-agent)')) return { rejected: 'no_user_agent' }
  const timestamp = readTime(raw, days)
  if (timestamp === undefined) return { rejected: 'bad_time' }
  const status = /^\d{3}$/.test(raw('sc-status') ?? '') ? Number(raw('sc-status')) : 0
  // CloudFront writes 000 if the client closed the connection before the response.
  if (status < 100) return { rejected: 'not_a_visit' }
  const named = dialect.hosts.map(raw).find((one) => one !== undefined)
  const scheme = dialect.isHttp(raw) ? 'http' : 'https'
  const place = toPlace({ target: dialect.readPath(raw('cs-uri-stem') ?? ''), scheme, host: named })
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

/** Logs of CloudFront can have one of `timestamp` and `timestamp(ms)` instead of a date. */
function readTime(raw: Value, days: Days): number | undefined {
  const unix = raw('timestamp(ms)') ?? raw('timestamp')
  const date = raw('date')
  if (date === undefined && unix !== undefined) return readUnixTime(Number(unix))
  return date === undefined ? days.at(raw('time') ?? '') : readIsoTime(`${date}T${raw('time') ?? ''}Z`)
}

/** IIS logs the header as a custom field, with a name that its operator chose. */
function readForwarded(value: Value): string | undefined {
  return value('x-forwarded-for') ?? value('cs(x-forwarded-for)')
}

/** A plus before the address of a crawler is its own: `(+https://…)`, and `;++https://…`. */
function decodePlus(text: string): string {
  return text.replaceAll(/\+(?!(?<=[(+]\+)https?:)/g, ' ')
}
