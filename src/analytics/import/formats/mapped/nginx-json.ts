// Parses lines of JSON that a server writes with the variables of nginx as keys, or with keys that the operator names.
// A key may have dots for objects in objects.

import { type AddressFrom, findAddress } from '../../address/address-from.ts'
import type { Parsed, ParseLine } from '../../wire-page-view.ts'
import {
  type Fields,
  findNamed,
  isAsset,
  readContentType,
  readNamed,
  readObject,
  toPlace,
  toReferrer,
  toRepresentation,
} from '../fields.ts'
import { createClfTime, readIsoTime, readUnixTime } from '../log-time.ts'
import { commandSettings, type FormatSettings, readFieldMap, refuse } from './field-map.ts'
import { readRequestLine } from './request-line.ts'

/** The variables of each field, in order of preference. Queries are dropped. */
const variables = {
  time: ['msec', 'time_iso8601', 'time_local'],
  address: ['remote_addr'],
  forwarded: ['http_x_forwarded_for'],
  request: ['request'],
  method: ['request_method'],
  path: ['request_uri', 'uri', 'document_uri'],
  query: ['args', 'query_string'],
  host: ['host', 'http_host', 'server_name'],
  scheme: ['http_x_forwarded_proto', 'scheme'],
  status: ['status'],
  referrer: ['http_referer'],
  user_agent: ['http_user_agent'],
  content_type: ['sent_http_content_type'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type Field = keyof typeof variables
type Keys = Readonly<Partial<Record<Field, readonly string[]>>>
const known = Object.keys(variables) as readonly Field[]
const example = 'time=ts,path=url,status=status,address=client.ip,user_agent=ua'

/** Throws `invalid_input` for a map without a time or a path. */
export function readNginxKeys({ fields, names = commandSettings }: FormatSettings): Keys {
  if (fields === undefined) return variables
  const option = names.fields
  const map = readFieldMap(fields, { known, format: 'nginx-json', example, option })
  const lacks = map.has('time') ? 'path (or request)' : 'time'
  if (!map.has('time') || !(map.has('path') || map.has('request')))
    throw refuse(`nginx-json needs ${lacks} in ${option}: write ${option} like ${example}.`)
  return Object.fromEntries([...map].map(([field, key]) => [field, [key]]))
}

export function hasForwardedKey(keys: Keys): boolean {
  return keys.forwarded !== undefined
}

export function createNginxJson(keys: Keys, from?: AddressFrom): ParseLine {
  const readTime = createTimeReader()
  return (line) => {
    const entry = readObject(line)
    const values = entry && readValues(entry, keys)
    if (entry === undefined || values === undefined || !isOwn(values, keys)) return { rejected: 'not_this_format' }
    const timestamp = readTime(values.get('time') ?? '')
    if (timestamp === undefined) return { rejected: 'bad_time' }
    if (keys.user_agent !== undefined && !values.has('user_agent')) return { rejected: 'no_user_agent' }
    return toView(values, { timestamp, from, entry, hasStatus: keys.status !== undefined && keys !== variables })
  }
}

/** The names of variables show whose line it is; for names of the operator, one of them does. */
function isOwn(values: Values, keys: Keys): boolean {
  const hasTarget = values.has('path') || values.has('request')
  return keys === variables ? values.has('time') && hasTarget : values.has('time') || hasTarget
}

type Values = ReadonlyMap<Field, string>

/** Numbers as texts. Undefined if one of the values is neither; a missing key has no value, `null` and `-` are empty. */
function readValues(entry: Fields, keys: Keys): Values | undefined {
  const values = new Map<Field, string>()
  for (const field of known) {
    for (const key of keys[field] ?? []) {
      const value = findNamed(entry, key)
      if (value === undefined) continue
      if (value !== null && typeof value !== 'string' && typeof value !== 'number') return undefined
      const text = value === null || value === '-' ? '' : String(value)
      if (!values.get(field)) values.set(field, text)
    }
  }
  return values
}

type About = {
  readonly timestamp: number
  readonly from: AddressFrom | undefined
  readonly entry: Fields
  /** A line without a status is not of this log. */
  readonly hasStatus: boolean
}

function toView(values: Values, { timestamp, from, entry, hasStatus }: About): Parsed {
  const value = (field: Field) => values.get(field) || undefined
  const status = readStatus(value('status'))
  if (status === 'wrong' || (status === undefined && hasStatus)) return { rejected: 'not_this_format' }
  // nginx writes 000 if the client left before the response.
  if (status !== undefined && status < 100) return { rejected: 'not_a_visit' }
  const request = readRequestLine(value('request') ?? '')
  const target = value('path') ?? request?.target
  const named = value('host') === '_' ? undefined : value('host')
  const place = target === undefined ? undefined : toPlace({ target, scheme: value('scheme'), host: named })
  if (place === undefined) return { rejected: 'no_request' }
  const kind = readContentType(value('content_type'))
  if (isAsset(kind, { status, ...place })) return { rejected: 'not_a_page' }
  return {
    timestamp,
    ...place,
    method: value('method') ?? request?.method,
    status,
    userAgent: values.get('user_agent') ?? '',
    address: findAddress(from, {
      connection: () => value('address'),
      forwarded: () => value('forwarded'),
      field: (name) => readNamed(entry, name),
    }),
    referrer: toReferrer(value('referrer')),
    representation: toRepresentation(kind),
  }
}

function readStatus(text: string | undefined): number | 'wrong' | undefined {
  if (text === undefined) return undefined
  return /^(?:\d{3}|0)$/.test(text) ? Number(text) : 'wrong'
}

/** Seconds or milliseconds since 1970, ISO 8601, or nginx's `time_local`. */
function createTimeReader(): (text: string) => number | undefined {
  const readClf = createClfTime()
  return (text) => {
    if (/^\d{1,19}(?:\.\d{1,9})?$/.test(text)) return readUnixTime(Number(text))
    return text[2] === '/' ? readClf(text, 0) : readIsoTime(text)
  }
}
