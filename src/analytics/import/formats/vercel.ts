// Parses the log drains of Vercel: one object per line, or arrays of objects. Output of the application during a request
// is a separate line with the same `proxy`. All lines of a request have the same `requestId`, so that is the id of the
// page view. The `id` of the line is used only if there is no `requestId`.

import { type AddressFrom, findAddress } from '../address/address-from.ts'
import type { Parsed, ParseLine } from '../wire-page-view.ts'
import { asFields, asNumber, asText, readNamed, readObject, toPlace, toReferrer } from './fields.ts'
import { readUnixTime } from './log-time.ts'

export function createVercel(from?: AddressFrom): ParseLine {
  return (line) => parseVercel(line, from)
}

function parseVercel(line: string, from: AddressFrom | undefined): Parsed {
  const entry = readObject(line)
  if (entry === undefined || !('source' in entry) || !('timestamp' in entry)) return { rejected: 'not_this_format' }
  const proxy = asFields(entry['proxy'])
  const status = asNumber(proxy?.['statusCode']) ?? asNumber(entry['statusCode'])
  // -1: the page was regenerated in the background, without a client.
  if (proxy === undefined || status === -1) return { rejected: 'not_a_visit' }
  const timestamp = readUnixTime(asNumber(proxy['timestamp']) ?? asNumber(entry['timestamp']) ?? Number.NaN)
  if (timestamp === undefined) return { rejected: 'bad_time' }
  const host = asText(proxy['host']) ?? asText(entry['host'])
  const place = toPlace({ target: asText(proxy['path']) ?? '', scheme: asText(proxy['scheme']), host })
  if (place === undefined) return { rejected: 'no_request' }
  return {
    id: asText(entry['requestId']) ?? asText(entry['id']),
    timestamp,
    ...place,
    method: asText(proxy['method']),
    status,
    userAgent: readUserAgent(proxy['userAgent']),
    address: findAddress(from, {
      connection: () => asText(proxy['clientIp']),
      field: (name) => readNamed(entry, name),
    }),
    referrer: toReferrer(asText(proxy['referer'])),
  }
}

function readUserAgent(value: unknown): string {
  if (!Array.isArray(value)) return asText(value) ?? ''
  return value.filter((one) => typeof one === 'string').join(' ')
}
