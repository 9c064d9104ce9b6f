// The view of the statistics as the address bar has it: which days, which page views, which list, which rows. Anything unknown in an address
// is left out. Pure.

import type { BreakdownBy, Filters } from '../../api/visitors.ts'
import { filterNames, readFilters } from './filters/filters.ts'
import { type Compare, comparisons } from './compare/comparison.ts'
import { type Interval, type RangeSearch, readRange } from './range.ts'
import { startOf } from '../../../../src/lib/plain-text.ts'

export const lists = ['pages', 'agents', 'crawlers', 'referrers', 'breakdown', 'downloads', 'broken'] as const
export type List = (typeof lists)[number]
export const breakdowns = [
  'country',
  'language',
  'device',
  'browser',
  'os',
  'campaign',
  'title',
  'entry',
  'site',
] as const satisfies readonly BreakdownBy[]
const intervals = ['day', 'week', 'month'] as const
const sorts = ['human', 'ai'] as const
const longestSearch = 200
const longestPath = 2_048

export type View = RangeSearch &
  Filters & {
    readonly interval?: Interval
    /** The period that the series is compared with. */
    readonly compare?: Compare
    /** The series as a table. */
    readonly table?: true
    readonly list?: List
    /** The dimension of the rows of the breakdown; countries by default. */
    readonly by?: BreakdownBy
    readonly search?: string
    /** Pages sorted by this number; all visitors by default. */
    readonly sort?: (typeof sorts)[number]
    /** The path of the broken page whose links are shown. */
    readonly opened?: string
    /** From 2. */
    readonly page?: number
  }

export function readView(address: Record<string, unknown>): View {
  const list = lists.find((one) => one === address['list'])
  const interval = intervals.find((one) => one === address['interval'])
  const sort = sorts.find((one) => one === address['sort'])
  const compare = comparisons.find((one) => one === address['compare'])
  const by = breakdowns.find((one) => one === address['by'])
  const page = Number(address['page'])
  // Search of digits: the router reads them as a number.
  const search = ['string', 'number'].includes(typeof address['search']) ? String(address['search']) : ''
  const { opened } = address
  return {
    ...readRange(address),
    ...readFilters(address),
    ...(interval === undefined ? {} : { interval }),
    ...(compare === undefined ? {} : { compare }),
    ...(address['table'] === true ? { table: true } : {}),
    ...(list === undefined || list === 'pages' ? {} : { list }),
    ...(by === undefined || by === 'country' || list !== 'breakdown' ? {} : { by }),
    ...(search === '' ? {} : { search: startOf(search, longestSearch) }),
    ...(sort === undefined ? {} : { sort }),
    ...(typeof opened === 'string' && list === 'broken' ? { opened: startOf(opened, longestPath) } : {}),
    ...(Number.isSafeInteger(page) && page > 1 && page < 1e9 ? { page } : {}),
  }
}

export type Change = { readonly [Name in keyof View]?: View[Name] | undefined }

/** Applies a change: `undefined` takes a part out. Other rows, or rows of other days, begin at their first page. */
export function changeView(view: View, change: Change): View {
  const begins = ['range', 'from', 'to', 'list', 'by', 'search', 'sort', ...filterNames].some((name) => name in change)
  const whole: Record<string, unknown> = { ...view, ...(begins ? { page: undefined } : {}), ...change }
  return readView(whole)
}
