// Parses page views in the form of the API, one JSON object per line. Passes fields on unchanged; the service validates
// them.

import { type AddressFrom, findAddress } from '../address/address-from.ts'
import { isRejected, type Parsed, type ParseLine, wireFields, type WirePageView } from '../wire-page-view.ts'
import { asText, readNamed, readObject } from './fields.ts'

export function createNdjson(from?: AddressFrom): ParseLine {
  if (from === undefined) return parseNdjson
  return (line) => {
    const parsed = parseNdjson(line)
    const entry = isRejected(parsed) ? undefined : readObject(line)
    if (entry === undefined) return parsed
    const address = findAddress(from, { connection: () => undefined, field: (name) => readNamed(entry, name) })
    return { ...parsed, address }
  }
}

function parseNdjson(line: string): Parsed {
  const entry = readObject(line)
  if (entry === undefined || !('timestamp' in entry)) return { rejected: 'not_this_format' }
  if (asText(entry['url']) === undefined && asText(entry['path']) === undefined) return { rejected: 'not_this_format' }
  return Object.fromEntries(
    wireFields.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]])),
  ) as WirePageView
}
