// Parses the dataset `http_requests` of Cloudflare Logpush, one object per line. The Ray ID is the id of the page view, so
// a file that is imported twice counts once. Requests by Cloudflare itself (Workers, health checks) are not visits.

import { type AddressFrom, findAddress } from '../address/address-from.ts'
import type { Parsed, ParseLine } from '../wire-page-view.ts'
import {
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
import { readIsoTime, readUnixTime } from './log-time.ts'

export function createCloudflare(from?: AddressFrom): ParseLine {
  return (line) => parseCloudflare(line, from)
}

function parseCloudflare(line: string, from: AddressFrom | undefined): Parsed {
  const entry = readObject(line)
  if (entry === undefined || !('EdgeStartTimestamp' in entry)) return { rejected: 'not_this_format' }
  if (!isFromClient(entry)) return { rejected: 'not_a_visit' }
  const timestamp = readTime(entry['EdgeStartTimestamp'], line)
  if (timestamp === undefined) return { rejected: 'bad_time' }
  const target = asText(entry['ClientRequestURI']) ?? asText(entry['ClientRequestPath']) ?? ''
  const scheme = asText(entry['ClientRequestScheme'])
  const place = toPlace({ target, scheme, host: asText(entry['ClientRequestHost']) })
  if (place === undefined) return { rejected: 'no_request' }
  const status = asNumber(entry['EdgeResponseStatus'])
  const kind = readContentType(asText(entry['EdgeResponseContentType']))
  if (isAsset(kind, { status, ...place })) return { rejected: 'not_a_page' }
  return {
    id: asText(entry['RayID']),
    timestamp,
    ...place,
    method: asText(entry['ClientRequestMethod']),
    status,
    userAgent: asText(entry['ClientRequestUserAgent']) ?? '',
    address: findAddress(from, {
      connection: () => asText(entry['ClientIP']),
      field: (name) => readNamed(entry, name),
    }),
    referrer: toReferrer(asText(entry['ClientRequestReferer'])),
    country: asText(entry['ClientCountry']),
    representation: toRepresentation(kind),
  }
}

const ownSources: ReadonlySet<string> = new Set([
  'purge',
  'alwaysOnline',
  'healthcheck',
  'edgeWorkerFetch',
  'edgeWorkerCacheAPI',
  'edgeWorkerKV',
  'imageResizing',
  'sslDetector',
  'earlyHintsCache',
  'inBrowserChallenge',
])

function isFromClient(entry: Fields): boolean {
  return entry['WorkerSubrequest'] !== true && !ownSources.has(asText(entry['ClientRequestSource']) ?? '')
}

/** Nanoseconds, seconds or RFC 3339, as the job is configured. Nanoseconds exceed the precision of a double. */
function readTime(value: unknown, line: string): number | undefined {
  // Some destinations write all values as texts.
  if (typeof value === 'string') return /^\d{1,20}$/.test(value) ? readUnixTime(Number(value)) : readIsoTime(value)
  const number = asNumber(value) ?? Number.NaN
  if (Math.abs(number) < 3e17) return readUnixTime(number)
  const digits = /"EdgeStartTimestamp"\s*:\s*(\d{16,20})(?!\d)/.exec(line)?.[1]
  return digits !== undefined && Number(digits) === number ? Number(digits.slice(0, -6)) : readUnixTime(number)
}
