// Parses page views in the form of the API, one JSON object per line. Passes fields on unchanged; the service validates
// them.

import type { ParseLine, WirePageView } from '../wire-page-view.ts'
import { asText, readObject } from './fields.ts'

const names = [
  'id',
  'timestamp',
  'url',
  'path',
  'userAgent',
  'address',
  'visitorId',
  'referrer',
  'representation',
  'method',
  'status',
  'headers',
] as const satisfies readonly (keyof WirePageView)[]

export const parseNdjson: ParseLine = (line) => {
  const entry = readObject(line)
  if (entry === undefined || !('timestamp' in entry)) return { rejected: 'not_this_format' }
  if (asText(entry['url']) === undefined && asText(entry['path']) === undefined) return { rejected: 'not_this_format' }
  return Object.fromEntries(
    names.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]])),
  ) as WirePageView
}
