// Parses the access log of Traefik in JSON, one object per line: https://doc.traefik.io/traefik/observe/logs-and-access-logs/
// Traefik leaves out the headers of requests unless `accessLog.fields.headers` keeps them: a line without any cannot say
// who asked. Answers of Traefik itself (`ping@internal`) are not visits.

import { type AddressFrom, findAddress } from '../address/address-from.ts'
import type { Parsed, ParseLine } from '../wire-page-view.ts'
import {
  asNumber,
  asText,
  isAsset,
  readContentType,
  readNamed,
  readObject,
  toAddress,
  toPlace,
  toReferrer,
  toRepresentation,
} from './fields.ts'
import { readIsoTime } from './log-time.ts'

export function createTraefikJson(from?: AddressFrom): ParseLine {
  return (line) => parseTraefikJson(line, from)
}

function parseTraefikJson(line: string, from: AddressFrom | undefined): Parsed {
  const entry = readObject(line)
  if (entry === undefined || !('DownstreamStatus' in entry) || !('RequestPath' in entry)) {
    return { rejected: 'not_this_format' }
  }
  const text = (name: string) => asText(entry[name])
  if (text('RouterName')?.endsWith('@internal') === true) return { rejected: 'not_a_visit' }
  if (!Object.keys(entry).some((name) => name.startsWith('request_'))) return { rejected: 'no_user_agent' }
  const timestamp = readIsoTime(text('StartUTC') ?? text('StartLocal') ?? '')
  if (timestamp === undefined) return { rejected: 'bad_time' }
  const scheme = text('request_X-Forwarded-Proto') ?? text('RequestScheme')
  const host = text('RequestHost') ?? text('RequestAddr')
  const place = toPlace({ target: text('RequestPath') ?? '', scheme, host })
  if (place === undefined) return { rejected: 'no_request' }
  const status = asNumber(entry['DownstreamStatus'])
  const kind = readContentType(text('downstream_Content-Type'))
  if (isAsset(kind, { status, ...place })) return { rejected: 'not_a_page' }
  return {
    timestamp,
    ...place,
    method: text('RequestMethod'),
    status,
    userAgent: text('request_User-Agent') ?? '',
    address: findAddress(from, {
      connection: () => lastOf(text('ClientHost')) ?? text('ClientAddr'),
      forwarded: () => text('request_X-Forwarded-For') ?? readForwarded(text('ClientHost'), text('ClientAddr')),
      field: (name) => readNamed(entry, name),
    }),
    referrer: toReferrer(text('request_Referer')),
    representation: toRepresentation(kind),
  }
}

/** Without the header, `ClientHost` is the address of the connection. */
function readForwarded(host: string | undefined, connection: string | undefined): string | undefined {
  return toAddress(host) === toAddress(connection) ? undefined : host
}

/** `ClientHost` is the X-Forwarded-For of a trusted proxy if there is one, and may be a list. */
function lastOf(list: string | undefined): string | undefined {
  return list?.split(',').at(-1)?.trim()
}
