// Parses a dump of Umami's PostgreSQL database (version 2 or later) as pg_dump writes it: rows of `website_event`, in a block of
// COPY or as INSERT statements, each on a line of its own. The names of columns are those of the block, of the statement, or of the
// CREATE TABLE before it. An event without a host gets the domain of its website. Umami drops bots itself.

import type { AddressFrom } from '../../address/address-from.ts'
import type { Parsed, ParseLine } from '../../wire-page-view.ts'
import { toPlace } from '../fields.ts'
import { type Cells, createRows } from './sql-rows.ts'

/** The `event_type`; 2 is an event that the site names. */
const pageView = '1'
const mostWebsites = 10_000

export function createUmami(_from?: AddressFrom): ParseLine {
  const read = createRows(['website', 'website_event'])
  const domains = new Map<string, string>()
  return (line) => {
    const row = read(line)
    if (row === undefined) return { rejected: 'not_a_visit' }
    if (row.table === 'website_event') return toView(row.cells, domains)
    const domain = row.cells.get('domain')
    if (domain && domains.size < mostWebsites) domains.set(row.cells.get('website_id') ?? '', domain)
    return { rejected: 'not_a_visit' }
  }
}

function toView(cells: Cells, domains: ReadonlyMap<string, string>): Parsed {
  const id = cells.get('event_id')
  const session = cells.get('session_id')
  if (id === undefined || session === undefined) return { rejected: 'not_this_format' }
  if (cells.get('event_type') !== pageView) return { rejected: 'not_a_visit' }
  const timestamp = readTime(cells.get('created_at') ?? '')
  if (timestamp === undefined) return { rejected: 'bad_time' }
  const host = hostOf(cells.get('hostname')) ?? hostOf(domains.get(cells.get('website_id') ?? ''))
  const place = toPlace({ target: cells.get('url_path') ?? '', host })
  if (place === undefined) return { rejected: 'no_request' }
  const domain = hostOf(cells.get('referrer_domain'))
  return {
    id: `umami ${id.slice(0, 100)}`,
    timestamp,
    ...place,
    visitorId: session.slice(0, 100),
    referrer: domain === undefined ? undefined : `https://${domain}/`,
  }
}

/** `2025-10-08 01:54:16.502+00`, in the zone of the session that wrote the dump. */
const instant = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,6})?)([+-]\d\d)(?::?(\d\d))?(?::\d\d)?$/

function readTime(text: string): number | undefined {
  const [, day, time = '', hours = '', minutes = '00'] = instant.exec(text) ?? []
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time.slice(0, 12)}${hours}:${minutes}`)
  return Number.isNaN(ms) ? undefined : ms
}

/** People write the domain of a website with a scheme or a path, too. */
function hostOf(text: string | undefined): string | undefined {
  const host = text
    ?.trim()
    .replace(/^https?:\/\//i, '')
    .split(/[/?#]/, 1)[0]
    ?.toLowerCase()
  return host === undefined || !/^[\w.-]{1,253}(?::\d{1,5})?$/.test(host) ? undefined : host
}
