// Parses the CSV export of GoatCounter: a row for each page view, below a heading whose first name begins with the version of the
// export (`1Path`, `2Path`). GoatCounter counts people by sessions, which last until eight hours without a page view. Titles may
// have line breaks; such a row is not read.

import { type AddressFrom } from '../../address/address-from.ts'
import type { Parsed, ParseLine } from '../../wire-page-view.ts'
import { toPlace, toReferrer } from '../fields.ts'

const heading = /^\uFEFF?"?[1-9]Path"?,"?Title"?,"?Event"?,/

export function createGoatcounter(_from?: AddressFrom): ParseLine {
  let places: ReadonlyMap<string, number> | undefined
  return (line) => {
    if (heading.test(line)) {
      const names = splitRow(line) ?? []
      places = new Map(names.map((name, at) => [at === 0 ? 'Path' : name, at]))
      return { rejected: 'not_a_visit' }
    }
    const values = places === undefined ? undefined : splitRow(line)
    if (places === undefined || values?.length !== places.size) return { rejected: 'not_this_format' }
    const of = places
    return toView((name) => values[of.get(name) ?? -1] ?? '')
  }
}

function toView(of: (name: string) => string): Parsed {
  if (of('Event') === 'true') return { rejected: 'not_a_visit' }
  // The reasons of its own list of bots; 0: a person.
  if (of('Bot') !== '' && of('Bot') !== '0') return { rejected: 'counted_as_bot' }
  const timestamp = Date.parse(of('Date'))
  if (!/^\d{4}-\d\d-\d\dT/.test(of('Date')) || Number.isNaN(timestamp)) return { rejected: 'bad_time' }
  const place = toPlace({ target: of('Path') })
  if (place === undefined) return { rejected: 'no_request' }
  const session = of('Session')
  return {
    timestamp,
    ...place,
    // Rows of before sessions have zeros.
    visitorId: /^[0-]*$/.test(session) ? undefined : session.slice(0, 100),
    referrer: referrerOf(of('Referrer'), of('Referrer scheme')),
  }
}

/** `h`: an address without its scheme. Others are names that GoatCounter gave, such as `Google`, and campaigns. */
function referrerOf(referrer: string, scheme: string): string | undefined {
  if (scheme !== 'h' || referrer === '') return undefined
  return toReferrer(/^[a-z][\w+.-]*:\/\//i.test(referrer) ? referrer : `https://${referrer}`)
}

/** The values of a row of CSV (RFC 4180) on one line; undefined if a quote does not end on it. */
export function splitRow(line: string): readonly string[] | undefined {
  if (!line.includes('"')) return line.split(',')
  const values: string[] = []
  for (let at = 0; at <= line.length;) {
    const quoted = line.charAt(at) === '"'
    const end = quoted ? endOfQuoted(line, at + 1) : endOfBare(line, at)
    if (end === undefined) return undefined
    values.push(quoted ? line.slice(at + 1, end - 1).replaceAll('""', '"') : line.slice(at, end))
    at = end + 1
  }
  return values
}

function endOfBare(line: string, at: number): number {
  const comma = line.indexOf(',', at)
  return comma < 0 ? line.length : comma
}

/** The place after the quote that ends the value. */
function endOfQuoted(line: string, from: number): number | undefined {
  for (let quote = line.indexOf('"', from); quote >= 0; quote = line.indexOf('"', quote + 2)) {
    if (line.charAt(quote + 1) !== '"') return ['', ','].includes(line.charAt(quote + 1)) ? quote + 1 : undefined
  }
  return undefined
}
