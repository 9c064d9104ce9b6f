// The expected response of every export, computed by a simple loop over page views in memory. Shares only the table of
// categories with the code under test: days come from `Intl`, and texts are sorted by their bytes.

import { type CategoryMapping, crawlerCategories, defaultClasses } from '../../src/analytics/category.ts'
import type { PageView } from '../../src/analytics/page-view.ts'

export type OracleSettings = {
  readonly timeZone: string
  readonly retentionMonths: number
  readonly collectionSource: 'browser' | 'server' | 'both'
  readonly categories: CategoryMapping
  readonly unverifiedAiAgents: 'count' | 'ignore'
}

export type OracleQuery = {
  readonly dateFrom?: string | undefined
  readonly dateTo?: string | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly interval?: 'day' | 'week' | 'month' | undefined
  readonly search?: string | undefined
  readonly sort?: string | undefined
}

/** Hosts and apps of tests, and their sites. Other hosts are their own site. */
export const siteNames: ReadonlyMap<string, string> = new Map([
  ['www.x.test', 'x.test'],
  ['www.google.co.uk', 'google.com'],
  ['google.de', 'google.com'],
  ['www.google.de', 'google.com'],
  ['google.co.uk', 'google.com'],
  ['android-app://com.google.android.googlequicksearchbox', 'google.com'],
  ['chat.openai.com', 'chatgpt.com'],
  ['www.perplexity.ai', 'perplexity.ai'],
  ['t.co', 'x.com'],
  ['old.reddit.com', 'reddit.com'],
])

type Row = Readonly<Record<string, string | number>>
type Class = 'human' | 'ai' | 'neither'
type Seen = { readonly view: PageView; readonly day: string; readonly class: Class }

/** `views` are the page views of one project. */
export function createOracle(views: readonly PageView[], settings: OracleSettings, now: number, query: OracleQuery) {
  const today = dayIn(settings.timeZone, now)
  const kept = monthsBefore(today, settings.retentionMonths)
  const from = query.dateFrom !== undefined && query.dateFrom > kept ? query.dateFrom : kept
  const end = shift(today, 1)
  const to = query.dateTo !== undefined && query.dateTo < end ? query.dateTo : end
  const inRange = views
    .map((view): Seen => ({ view, day: dayIn(settings.timeZone, view.time), class: classOf(view, settings) }))
    .filter(({ day }) => day >= from && day < to)
  const viewed = inRange.filter(
    (seen) => seen.view.status !== 404 && !seen.view.isDownload && isFromSource(seen, settings),
  )
  const visits = viewed.filter((seen) => seen.view.visitor !== 0n && seen.class !== 'neither')
  const page = (all: readonly Row[]) => {
    const { offset = 0, limit = 50, search = '' } = query
    const rows = all.filter((row) => String(Object.values(row)[0]).toLowerCase().includes(search.toLowerCase()))
    return { rows: rows.slice(offset, offset + limit), hasMore: rows.length > offset + limit }
  }
  return {
    visitors: () => {
      const rows = groupBy(visits, ({ view }) => view.path).map(([path, group]) => ({ path, ...unique(group) }))
      return { totals: unique(visits), ...page(ranked(rows, [query.sort ?? 'total', 'total'], ['path'])) }
    },
    views: () => {
      const counted = viewed.filter((seen) => seen.class !== 'neither')
      const rows = groupBy(counted, ({ view }) => view.path).map(([path, group]) => ({ path, ...byClass(group) }))
      return { totals: byClass(counted), ...page(ranked(rows, [query.sort ?? 'total', 'total'], ['path'])) }
    },
    timeseries: () => {
      const interval = query.interval ?? 'day'
      const dates = new Set<string>()
      for (let day = from; day < to; day = shift(day, 1)) dates.add(firstDay(day, interval))
      const rows = [...dates].map((date) => {
        return { date, ...unique(visits.filter(({ day }) => firstDay(day, interval) === date)) }
      })
      return { totals: unique(visits), rows, interval }
    },
    'ai-agents': () => {
      const ai = viewed.filter((seen) => seen.class === 'ai')
      const rows = groupBy(ai, ({ view }) => `${view.agent}\0${view.operator}`).map(([key, group]) => {
        const [agent = '', operator = ''] = key.split('\0')
        const paths = groupBy(group, ({ view }) => view.path).map(([path, its]) => ({ path, views: countViews(its) }))
        const views = paths.reduce((sum, { views }) => sum + views, 0)
        const topPath = ranked(paths, ['views'], ['path'])[0]?.path ?? ''
        const claiming = (wanted: string) => ids(group.filter(({ view }) => view.verified === wanted)).size
        const counts = { visitors: ids(group).size, verified: claiming('address'), unverified: claiming('failed') }
        return { agent, operator, ...counts, views, topPath }
      })
      return page(ranked(rows, ['visitors', 'views'], ['agent', 'operator']))
    },
    referrers: () => {
      const referred = visits.filter(({ view, class: its }) => its === 'human' && view.referrer !== '')
      const rows = groupBy(referred, ({ view }) => siteNames.get(view.referrer) ?? view.referrer).map(
        ([referrer, group]) => {
          return { referrer, visitors: ids(group).size }
        },
      )
      return page(ranked(rows, ['visitors'], ['referrer']))
    },
    crawlers: () => {
      const known: readonly string[] = crawlerCategories
      const crawling = viewed.filter(({ view }) => known.includes(view.category))
      const keyOf = ({ view }: Seen) => `${view.agent}\0${view.operator}\0${view.category}`
      const rows = groupBy(crawling, keyOf).map(([key, group]) => {
        const [agent = '', operator = '', category = ''] = key.split('\0')
        return { agent, operator, category, views: countViews(group), ...verifiedViews(group) }
      })
      return page(ranked(rows, ['views'], ['agent', 'operator', 'category']))
    },
    downloads: () => {
      const loaded = joinParts(inRange.filter(({ view }) => view.status !== 404 && view.isDownload))
      const rows = groupBy(loaded, ({ view }) => view.path).map(([path, group]) => {
        const { human, ai } = byClass(group)
        const neither = countViews(group.filter((seen) => seen.class === 'neither'))
        return { path, human, ai, neither, total: human + ai + neither }
      })
      return page(ranked(rows, ['total'], ['path']))
    },
    'broken-pages': () => {
      const broken = inRange.filter(({ view }) => view.status === 404 && !view.isDownload)
      const rows = groupBy(broken, ({ view }) => view.path).map(([path, group]) => {
        const { human, ai } = byClass(group)
        const neither = countViews(group.filter((seen) => seen.class === 'neither'))
        return { path, human, ai, neither, total: human + ai + neither }
      })
      return page(ranked(rows, ['total'], ['path']))
    },
  }
}

function classOf(view: PageView, { categories, unverifiedAiAgents }: OracleSettings): Class {
  const its = categories[view.category] ?? defaultClasses[view.category]
  return its === 'ai' && unverifiedAiAgents === 'ignore' && view.verified === 'failed' ? 'neither' : its
}

function isFromSource({ view, class: its }: Seen, { collectionSource }: OracleSettings): boolean {
  if (collectionSource === 'server') return view.source !== 'browser'
  if (collectionSource === 'both' || view.source === 'browser') return true
  return !(its === 'human' && view.representation === 'html')
}

function unique(seen: readonly Seen[]) {
  const human = ids(seen.filter((one) => one.class === 'human'))
  const ai = ids(seen.filter((one) => one.class === 'ai'))
  return { human: human.size, ai: ai.size, total: human.union(ai).size }
}

function ids(seen: readonly Seen[]): Set<bigint> {
  return new Set(seen.map(({ view }) => view.visitor).filter((visitor) => visitor !== 0n))
}

function byClass(seen: readonly Seen[]) {
  const human = countViews(seen.filter((one) => one.class === 'human'))
  const ai = countViews(seen.filter((one) => one.class === 'ai'))
  return { human, ai, total: human + ai }
}

/** A visitor's views of a page on a day: the larger of the number from browsers and the number from other sources. */
function countViews(seen: readonly Seen[]): number {
  const known = seen.filter(({ view }) => view.visitor !== 0n)
  const groups = groupBy(known, ({ view, day, class: its }) => `${view.visitor} ${day} ${its} ${view.path}`)
  const counts = groups.map(([, group]) => {
    const ofBrowsers = group.filter(({ view }) => view.source === 'browser').length
    return Math.max(ofBrowsers, group.length - ofBrowsers)
  })
  return seen.length - known.length + counts.reduce((sum, count) => sum + count, 0)
}

/** Views of visitors with a verified view on the day, and of those with unverified ones alone. */
function verifiedViews(seen: readonly Seen[]) {
  const isOf = (wanted: string) => (one: Seen) => one.view.verified === wanted
  const groups = groupBy(seen, ({ view, day }) => `${view.visitor} ${day} ${view.path}`).map(([, group]) => group)
  const unknown = seen.filter(({ view }) => view.visitor === 0n)
  const known = groups.filter(([one]) => one?.view.visitor !== 0n)
  const isVerified = (group: readonly Seen[]) => group.some(isOf('address'))
  const unverified = known.filter((group) => !isVerified(group) && group.some(isOf('failed')))
  return {
    verified: unknown.filter(isOf('address')).length + countViews(known.filter(isVerified).flat()),
    unverified: unknown.filter(isOf('failed')).length + countViews(unverified.flat()),
  }
}

/** A visitor's parts of a file on a day are one download, unless there is a whole one. */
function joinParts(seen: readonly Seen[]): readonly Seen[] {
  const keyOf = ({ view, day, class: its }: Seen) => `${view.visitor} ${day} ${its} ${view.path}`
  return groupBy(seen, keyOf).flatMap(([, group]) => {
    const whole = group.filter(({ view }) => view.visitor === 0n || view.status !== 206)
    return whole.length > 0 ? whole : group.slice(0, 1)
  })
}

function groupBy(seen: readonly Seen[], key: (one: Seen) => string): readonly (readonly [string, readonly Seen[]])[] {
  return [...Map.groupBy(seen, key)]
}

/** Sorts by numbers in descending order, then by the bytes of texts in ascending order. */
function ranked<T extends Row>(rows: readonly T[], numbers: readonly string[], texts: readonly string[]): readonly T[] {
  return rows.toSorted((a, b) => {
    for (const name of numbers) if (a[name] !== b[name]) return Number(b[name]) - Number(a[name])
    for (const name of texts) {
      const order = Buffer.compare(Buffer.from(String(a[name])), Buffer.from(String(b[name])))
      if (order !== 0) return order
    }
    return 0
  })
}

const formats = new Map<string, Intl.DateTimeFormat>()
const shown = new Map<string, string>()
const days = new Map<string, string>()

/** The latest day that local clocks have shown by then. If the clocks go back across midnight, the new day has begun. */
export function dayIn(zone: string, ms: number): string {
  const now = Math.floor(ms / 60_000)
  const key = `${zone} ${now}`
  const known = days.get(key)
  if (known !== undefined) return known
  let latest = ''
  for (let back = 0; back <= 61; back += 1) {
    const day = shownDay(zone, now - back)
    if (day > latest) latest = day
  }
  days.set(key, latest)
  return latest
}

const digits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const

function shownDay(zone: string, minute: number): string {
  const key = `${zone} ${minute}`
  const known = shown.get(key)
  if (known !== undefined) return known
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, ...digits })
  formats.set(zone, format)
  const parts = format.formatToParts(minute * 60_000)
  const day = ['year', 'month', 'day'].map((wanted) => parts.find(({ type }) => type === wanted)?.value).join('-')
  shown.set(key, day)
  return day
}

function shift(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

function firstDay(day: string, interval: 'day' | 'week' | 'month'): string {
  if (interval === 'day') return day
  if (interval === 'month') return `${day.slice(0, 8)}01`
  return shift(day, -((new Date(day).getUTCDay() + 6) % 7))
}

function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 - months, Math.min(date, last))).toISOString().slice(0, 10)
}
