// Parses the access log of Caddy: JSON, one object per line. Other lines of the log (`msg: "server running"`) are not
// visits. Only headers that identify the client or opt out are read, so credentials in headers are not.

import { type AddressFrom, findAddress } from '../address/address-from.ts'
import { optOutHeaders, signalHeaders } from '../../page-view.ts'
import type { Parsed, ParseLine } from '../wire-page-view.ts'
import {
  asFields,
  asNumber,
  asText,
  type Fields,
  isAsset,
  readContentType,
  readNamed,
  readObject,
  toPlace,
  toReferrer,
  toRepresentation,
} from './fields.ts'
import { createClfTime, readIsoTime, readUnixTime } from './log-time.ts'

const taken: ReadonlySet<string> = new Set<string>([...signalHeaders, ...optOutHeaders])

export function createCaddy(from?: AddressFrom): ParseLine {
  return (line) => parseCaddy(line, from)
}

function parseCaddy(line: string, from: AddressFrom | undefined): Parsed {
  const entry = readObject(line)
  if (entry === undefined || !('ts' in entry)) return { rejected: 'not_this_format' }
  const request = asFields(entry['request'])
  const target = asText(request?.['uri'])
  const status = asNumber(entry['status'])
  // Error lines contain the request too, but the request also has an access line.
  if (request === undefined || status === undefined) return { rejected: 'not_a_visit' }
  if (request['headers'] === undefined) return { rejected: 'no_user_agent' }
  const timestamp = readTime(entry['ts'])
  if (timestamp === undefined) return { rejected: 'bad_time' }
  const headers = readHeaders(request['headers'])
  const scheme = headers.get('x-forwarded-proto') ?? (request['tls'] === undefined ? 'http' : 'https')
  const place = toPlace({ target: target ?? '', scheme, host: asText(request['host']) })
  if (place === undefined) return { rejected: 'no_request' }
  const kind = readContentType(readHeaders(entry['resp_headers']).get('content-type'))
  if (isAsset(kind, { status, ...place })) return { rejected: 'not_a_page' }
  const kept = [...headers].filter(([name]) => taken.has(name))
  return {
    timestamp,
    ...place,
    method: asText(request['method']),
    status,
    userAgent: headers.get('user-agent') ?? '',
    address: findAddress(from, {
      connection: () => readAddress(request),
      forwarded: () => headers.get('x-forwarded-for'),
      field: (name) => readNamed(entry, name),
    }),
    referrer: toReferrer(headers.get('referer')),
    representation: toRepresentation(kind),
    headers: kept.length === 0 ? undefined : Object.fromEntries(kept),
  }
}

/** By default, seconds with a fraction. Of the formats of `time_format`, `wall` has no zone: it is UTC. */
function readTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return readUnixTime(asNumber(value) ?? Number.NaN)
  const wall = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,9})?)$/.exec(value)
  if (wall !== null) return readIsoTime(`${wall[1]}-${wall[2]}-${wall[3]}T${wall[4]}Z`)
  return value[2] === '/' ? createClfTime()(value, 0) : readIsoTime(value)
}

/** `client_ip` is the client of trusted proxies; Caddy before 2.5 has only `remote_addr`. */
function readAddress(request: Fields): string | undefined {
  return asText(request['client_ip']) ?? asText(request['remote_ip']) ?? asText(request['remote_addr'])
}

/** Lower-case names; values of the same name are joined. */
function readHeaders(value: unknown): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const [name, values] of Object.entries(asFields(value) ?? {})) {
    const texts = Array.isArray(values) ? values.filter((one) => typeof one === 'string') : []
    if (texts.length > 0) headers.set(name.toLowerCase(), texts.join(', '))
  }
  return headers
}
