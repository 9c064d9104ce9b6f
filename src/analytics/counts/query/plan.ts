// Plans a query: the instants of its days, and the class of each category. Pure: query, project settings and current
// time → plan. Knows no SQL.

import { hash } from 'node:crypto'
import type { ProjectSettings } from '../../../projects/settings.ts'
import {
  categories,
  type Category,
  type CategoryMapping,
  crawlerCategories,
  defaultClasses,
  type VisitorClass,
} from '../../category.ts'
import { firstDayKept } from '../../retention.ts'
import { type Filters, keyOfFilters } from './filters.ts'
import { sites as referringSites, sitesOfHosts } from './referrer-sites.ts'
import { addDays, dayOf, type OffsetSegment, offsetSegments, rulesOfZone, startOfDay } from '../../zone.ts'

export const intervals = ['day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

/** Days are `YYYY-MM-DD`; `dateFrom` is not after `dateTo`. */
export type Query = {
  readonly dateFrom?: string | undefined
  readonly dateTo?: string | undefined
  readonly limit: number
  readonly offset: number
  readonly interval: Interval
  /** Only rows whose first column contains this text, upper and lower case alike. Totals stay those of all rows. */
  readonly search?: string | undefined
  /** The column to sort by, of those that the export can be sorted by. Default: the order of the export. */
  readonly sort?: string | undefined
  /** Default: all page views. */
  readonly filters?: Filters | undefined
  /** Rows with smaller counts are left out, except those of pages. Totals stay those of all rows. Default: 0. */
  readonly atLeast?: number | undefined
}

export type QuerySettings = Pick<
  ProjectSettings,
  'timeZone' | 'visitorWindow' | 'collectionSource' | 'retentionMonths' | 'categories' | 'unverifiedAiAgents'
>

export type Plan = {
  readonly projectId: string
  /** The first day that counts. */
  readonly dateFrom: string
  /** The day after the last day that counts. */
  readonly dateTo: string
  /** The same as instants, in milliseconds. If `from` is not before `to`, nothing counts. */
  readonly from: number
  readonly to: number
  /** For turning instants into days. */
  readonly offsets: readonly OffsetSegment[]
  readonly human: readonly Category[]
  readonly ai: readonly Category[]
  /** True if AI agents count as neither when their address is not their operator's. */
  readonly ignoresUnverified: boolean
  readonly source: QuerySettings['collectionSource']
  readonly limit: number
  readonly offset: number
  readonly interval: Interval
  /** Empty: all rows. */
  readonly search: string
  /** Empty: the order of the export. */
  readonly sort: string
  /** Rows with smaller counts are left out, except those of pages. */
  readonly atLeast: number
  /** Only page views that match them count. */
  readonly filters: Filters
  /** Page views of these salt windows are left out: their uniques are known. */
  readonly without: readonly string[]
  /** Undefined: of all others. Only those of these salt windows, and of one of `parts` equal shares of the visitors. */
  readonly only?: { readonly windows: readonly string[]; readonly parts: number; readonly part: number }
  /** Referring sites that are the project itself. */
  readonly ownSites: readonly string[]
}

/** The settings that decide which page views count, and as what. */
type Rules = Pick<Plan, 'human' | 'ai' | 'ignoresUnverified' | 'source'>

export type Planning = {
  readonly projectId: string
  readonly settings: QuerySettings
  readonly query: Query
  readonly now: Date
  /** The hosts of the project's sites, for exports that leave them out. */
  readonly ownHosts?: ReadonlySet<string>
}

/**
 * Days before the retention and future days never count, even if page views of them are stored. A query without an end,
 * or with an end in the future, ends with today.
 */
export function planQuery({ projectId, settings, query, now, ownHosts = new Set() }: Planning): Plan {
  const zone = settings.timeZone
  const today = dayOf(zone, now.getTime())
  const dateTo = earlier(query.dateTo, addDays(today, 1))
  const kept = later(query.dateFrom, firstDayKept(settings, now.getTime()))
  const dateFrom = earlier(kept, dateTo)
  // Nothing counts, and days far in the past or future may be outside the range of zones.
  const isEmpty = dateFrom === dateTo
  const from = isEmpty ? 0 : startOfDay(zone, dateFrom)
  const to = isEmpty ? 0 : startOfDay(zone, dateTo)
  return {
    projectId,
    dateFrom,
    dateTo,
    from,
    to,
    offsets: from < to ? offsetSegments(zone, from, to) : [],
    ...rulesOf(settings),
    limit: query.limit,
    offset: query.offset,
    interval: query.interval,
    search: query.search ?? '',
    sort: query.sort ?? '',
    filters: query.filters ?? [],
    atLeast: query.atLeast ?? 0,
    without: [],
    ownSites: sitesOfHosts(ownHosts),
  }
}

/** A plan over all page views between two instants, in milliseconds, whatever days are kept. */
export function planBetween(projectId: string, settings: QuerySettings, [from, to]: readonly [number, number]): Plan {
  const zone = settings.timeZone
  const days = { dateFrom: dayOf(zone, from), dateTo: addDays(dayOf(zone, to), 1), from, to }
  const offsets = from < to ? offsetSegments(zone, from, to) : []
  const whole = { limit: 0, offset: 0, interval: 'day', search: '', sort: '', atLeast: 0, ownSites: [] } as const
  return { projectId, ...days, offsets, ...rulesOf(settings), ...whole, filters: [], without: [] }
}

/** Equal for settings and filters under which every range has the same counters. */
export function generationOf(settings: QuerySettings, filters: Filters = []): string {
  const { human, ai, ignoresUnverified, source } = rulesOf(settings)
  const lists = [referringSites, crawlerCategories]
  const chosen = filters.length === 0 ? [] : [keyOfFilters(filters)]
  const parts = [3, rulesOfZone(settings.timeZone), human, ai, ignoresUnverified, source, lists, ...chosen]
  return String(hash('sha256', JSON.stringify(parts), 'buffer').readBigUInt64BE(0))
}

export function rulesOf({ categories: mapping, unverifiedAiAgents, collectionSource }: QuerySettings): Rules {
  return {
    human: categoriesOf('human', mapping),
    ai: categoriesOf('ai', mapping),
    ignoresUnverified: unverifiedAiAgents === 'ignore',
    source: collectionSource,
  }
}

function categoriesOf(wanted: VisitorClass, mapping: CategoryMapping): readonly Category[] {
  return categories.filter((category) => (mapping[category] ?? defaultClasses[category]) === wanted)
}

/** Days have four-digit years, so their text sorts like time. */
function earlier(day: string | undefined, other: string): string {
  return day === undefined || other < day ? other : day
}

function later(day: string | undefined, other: string): string {
  return day === undefined || other > day ? other : day
}
