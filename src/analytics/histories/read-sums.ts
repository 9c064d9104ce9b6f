// Reads the daily sums of a CSV file that Plausible or Google Analytics 4 exported. Every row is a sum, or is left out with a
// reason. A file with several rows of a day and page has another dimension, whose people cannot be added: it is
// refused.

import { Failure } from '../../lib/failure.ts'
import { normalisePath } from '../collect/path.ts'
import { parseDay } from '../counts/query/parse.ts'
import { addDays } from '../zone.ts'
import { findPlaces, type Places } from './columns.ts'
import { readCsv } from './csv.ts'
import {
  createSums,
  type DailySum,
  mostCounted,
  mostSums,
  type SumSource,
  sumSources,
  tooManySums,
} from './daily-sums.ts'

export const leftOutReasons = {
  no_heading: 'before a heading with a date, and with visitors or page views',
  no_date: 'the row has no date: a total, or what is no row',
  no_count: 'the row has no number of visitors or page views',
  no_path: 'the row has no path of a page, such as (not set)',
} as const
export type LeftOut = keyof typeof leftOutReasons

export type FileOfSums = {
  readonly source: SumSource
  readonly sums: readonly DailySum[]
  readonly rows: number
  /** How many rows were left out, by reason. */
  readonly leftOut: Readonly<Partial<Record<LeftOut, number>>>
}

type Options = {
  /** For messages. */
  readonly name: string
  /** Undefined: recognised by the heading. */
  readonly source: SumSource | undefined
  readonly onRows?: ((rows: number) => void) | undefined
}

/** Undefined: the file has no such heading. Throws `invalid_input`. */
export async function readSums(bytes: AsyncIterable<Uint8Array>, options: Options): Promise<FileOfSums | undefined> {
  const state: State = {
    name: options.name,
    source: options.source,
    places: undefined,
    start: undefined,
    sums: createSums(),
    seen: new Set(),
    rows: 0,
    leftOut: {},
  }
  for await (const records of readCsv(bytes)) {
    for (const record of records) takeRecord(state, record)
    options.onRows?.(state.rows)
  }
  const { source, rows, leftOut } = state
  if (source === undefined || state.sums.size() === 0) return undefined
  return { source, sums: state.sums.sums(), rows, leftOut }
}

type State = {
  readonly name: string
  source: SumSource | undefined
  /** Undefined: the next row may be a heading. */
  places: Places | undefined
  /** `2026-11-01`, of a comment. */
  start: string | undefined
  readonly sums: ReturnType<typeof createSums>
  /** The rows by day, host and address, as the file has them. */
  readonly seen: Set<string>
  rows: number
  readonly leftOut: Partial<Record<LeftOut, number>>
}

function takeRecord(state: State, record: readonly string[]): void {
  const [first = ''] = record
  if (record.length === 1 && first.trim() === '') return
  if (first.startsWith('#')) {
    // A report of Google Analytics has several tables, with comments between them.
    state.places = undefined
    const start = /^#\s*start date:\s*(\d{8})/i.exec(first)?.[1]
    if (start !== undefined) state.start = toDay(start)
    return
  }
  if (state.places === undefined && takeHeading(state, record)) return
  state.rows += 1
  const sum = state.places === undefined ? 'no_heading' : toSum(state, state.places, record)
  if (typeof sum === 'string') {
    state.leftOut[sum] = (state.leftOut[sum] ?? 0) + 1
    return
  }
  state.sums.add(sum)
  if (state.sums.size() > mostSums) throw new Failure('invalid_input', `${state.name}: ${tooManySums}`)
}

function takeHeading(state: State, record: readonly string[]): boolean {
  const candidates = state.source === undefined ? sumSources : [state.source]
  for (const source of candidates) {
    const places = findPlaces(source, record)
    if (places === undefined) continue
    state.source = source
    state.places = places
    return true
  }
  return false
}

function toSum(state: State, places: Places, record: readonly string[]): DailySum | LeftOut {
  const at = (place: number) => (place < 0 ? undefined : record[place]?.trim())
  const date = toDay(at(places.date)) ?? nthDay(state.start, at(places.nthDay))
  if (date === undefined) return 'no_date'
  const visitors = toCount(at(places.visitors))
  const pageViews = toCount(at(places.pageViews))
  if (visitors === null && pageViews === null) return 'no_count'
  const address = at(places.path)
  const path = address === undefined ? null : address.startsWith('/') ? normalisePath(address) : undefined
  if (path === undefined) return 'no_path'
  refuseRepeated(state, [date, at(places.host) ?? '', address ?? ''])
  return { date, path, visitors, pageViews }
}

function refuseRepeated(state: State, [date = '', ...rest]: readonly string[]): void {
  const key = [date, ...rest].join(' ')
  if (state.seen.has(key)) {
    const message =
      `${state.name} has several rows of ${date} for the same page or site. Export it by date alone, or by date and ` +
      'page path: people of other dimensions cannot be added.'
    throw new Failure('invalid_input', message)
  }
  state.seen.add(key)
}

/** `2026-11-01` or `20261101`. */
function toDay(text: string | undefined): string | undefined {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text ?? '')
  return match === null ? undefined : parseDay(match.slice(1).join('-'))
}

/** `0000` is the first day. */
function nthDay(start: string | undefined, text: string | undefined): string | undefined {
  if (start === undefined || text === undefined || !/^\d{1,5}$/.test(text)) return undefined
  return addDays(start, Number(text))
}

function toCount(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,3}(?:,\d{3})+$|^\d{1,13}(?:\.0+)?$/.test(text)) return null
  const count = Number(text.replaceAll(',', ''))
  return count <= mostCounted ? count : null
}
