// Ranges of days, as the address bar has them: a preset, or two dates. The end is not included, as in the API. Pure.

export const presets = ['today', 'yesterday', '7d', '30d', '90d', '12m', 'month', 'last-month', 'all'] as const
export type Preset = (typeof presets)[number]
/** The longest range that no window of visitors divides, by default. */
export const fallbackPreset: Preset = 'month'

/** `to` is the last day that counts. */
export type RangeSearch = { readonly range?: Preset; readonly from?: string; readonly to?: string }
export type Range = { readonly dateFrom: string; readonly dateTo: string }
/** In the project's zone: today, the first day whose page views are kept, and the day of the first page view. */
export type Days = { readonly today: string; readonly firstDay: string; readonly firstPageView: string | null }
export type Interval = 'day' | 'week' | 'month'

export function readRange({ range, from, to }: Record<string, unknown>): RangeSearch {
  if (isDay(from) && isDay(to) && from <= to) return { from, to }
  const preset = presets.find((one) => one === range)
  return preset === undefined || preset === fallbackPreset ? {} : { range: preset }
}

/** Never before the first day kept, and never after today: no more is counted. */
export function rangeOf(search: RangeSearch, days: Days): Range {
  const end = addDays(days.today, 1)
  const wanted =
    search.from !== undefined && search.to !== undefined
      ? { dateFrom: search.from, dateTo: addDays(search.to, 1) }
      : presetRange(search.range ?? fallbackPreset, days, end)
  const dateTo = wanted.dateTo < end ? wanted.dateTo : end
  const dateFrom = wanted.dateFrom > days.firstDay ? wanted.dateFrom : days.firstDay
  return { dateFrom: dateFrom < dateTo ? dateFrom : dateTo, dateTo }
}

/** `end`: the day after today. */
function presetRange(preset: Preset, { today, firstDay }: Days, end: string): Range {
  const month = startOfMonth(today)
  const yesterday = addDays(today, -1)
  const ranges: Readonly<Record<Preset, Range>> = {
    today: { dateFrom: today, dateTo: end },
    yesterday: { dateFrom: yesterday, dateTo: today },
    '7d': { dateFrom: addDays(end, -7), dateTo: end },
    '30d': { dateFrom: addDays(end, -30), dateTo: end },
    '90d': { dateFrom: addDays(end, -90), dateTo: end },
    '12m': { dateFrom: addMonths(end, -12), dateTo: end },
    month: { dateFrom: month, dateTo: end },
    'last-month': { dateFrom: addMonths(month, -1), dateTo: month },
    all: { dateFrom: firstDay, dateTo: end },
  }
  return ranges[preset]
}

/**
 * The days to compare with. Undefined when page views of some of them are no longer kept, when recording began after the first of them,
 * or when the range is empty. One day is not compared with the day on which recording began.
 */
export function rangeBefore(range: Range, days: Days): Range | undefined {
  const before = daysBefore(range)
  const begun =
    days.firstPageView !== null && (daysIn(range) === 1 ? addDays(days.firstPageView, 1) : days.firstPageView)
  const isWhole = isKept(before, days) && begun !== false && begun <= before.dateFrom
  return isWhole && range.dateFrom !== range.dateTo ? before : undefined
}

export function isKept({ dateFrom }: Range, { firstDay }: Pick<Days, 'firstDay'>): boolean {
  return dateFrom >= firstDay
}

/**
 * The days before a range: for several days of one month from its first, those of the month before, so that both numbers are of one
 * calendar month; otherwise as many days just before.
 */
export function daysBefore(range: Range): Range {
  const month = startOfMonth(range.dateFrom)
  const isOfMonth = range.dateFrom === month && startOfMonth(addDays(range.dateTo, -1)) === month && daysIn(range) > 1
  const dateFrom = isOfMonth ? addMonths(month, -1) : addDays(range.dateFrom, -daysIn(range))
  const end = addDays(dateFrom, daysIn(range))
  return { dateFrom, dateTo: end < range.dateFrom ? end : range.dateFrom }
}

/** Is it today alone? */
export function isToday({ dateFrom, dateTo }: Range, { today }: Pick<Days, 'today'>): boolean {
  return dateFrom === today && dateTo > today
}

export function includesToday({ dateTo }: Range, { today }: Pick<Days, 'today'>): boolean {
  return dateTo > today
}

export function daysIn({ dateFrom, dateTo }: Range): number {
  return Math.round((Date.parse(dateTo) - Date.parse(dateFrom)) / 86_400_000)
}

/** The intervals with which a range has at most 110 of them, and more than one where the range allows. */
export function intervalsOf(range: Range): readonly [Interval, ...Interval[]] {
  const days = daysIn(range)
  if (days < 14) return ['day']
  if (days <= 31) return ['day', 'week']
  if (days <= 100) return ['day', 'week', 'month']
  return days <= 760 ? ['week', 'month'] : ['month']
}

/** `wanted` where the range allows it. */
export function intervalOf(range: Range, wanted: Interval | undefined): Interval {
  const possible = intervalsOf(range)
  if (wanted !== undefined && possible.includes(wanted)) return wanted
  return daysIn(range) > 400 ? 'month' : possible[0]
}

function startOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`
}

function isDay(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

export function addDays(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

export function addMonths(date: string, months: number): string {
  const moved = new Date(`${date}T00:00:00Z`)
  const day = moved.getUTCDate()
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(day, last))
  return moved.toISOString().slice(0, 10)
}
