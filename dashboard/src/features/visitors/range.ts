// Ranges of days, as the address bar has them: a preset, or two dates. The end is not included, as in the API. Pure.

export const presets = ['7d', '30d', '90d', '12m'] as const
export type Preset = (typeof presets)[number]

export type RangeSearch = { readonly range?: Preset; readonly from?: string; readonly to?: string }
export type Range = { readonly dateFrom: string; readonly dateTo: string }

const form = /^\d{4}-\d{2}-\d{2}$/

export function readRange(search: Record<string, unknown>): RangeSearch {
  const { range, from, to } = search
  if (typeof from === 'string' && typeof to === 'string' && form.test(from) && form.test(to) && from <= to)
    return { from, to }
  const preset = presets.find((one) => one === range)
  return preset === undefined ? {} : { range: preset }
}

/** `to` of the address bar is the last day that counts. */
export function rangeOf(search: RangeSearch, zone: string, now: Date): Range {
  if (search.from !== undefined && search.to !== undefined)
    return { dateFrom: search.from, dateTo: addDays(search.to, 1) }
  const end = addDays(today(zone, now), 1)
  const preset = search.range ?? '30d'
  if (preset === '12m') return { dateFrom: addMonths(end, -12), dateTo: end }
  return { dateFrom: addDays(end, -Number(preset.slice(0, -1))), dateTo: end }
}

/** As many days just before. */
export function before({ dateFrom, dateTo }: Range): Range {
  return { dateFrom: addDays(dateFrom, -daysIn({ dateFrom, dateTo })), dateTo: dateFrom }
}

export function daysIn({ dateFrom, dateTo }: Range): number {
  return Math.round((Date.parse(dateTo) - Date.parse(dateFrom)) / 86_400_000)
}

export function intervalOf(range: Range): 'day' | 'week' | 'month' {
  const days = daysIn(range)
  if (days <= 92) return 'day'
  return days <= 400 ? 'week' : 'month'
}

/** The day that it is in a zone, such as `2026-11-22`. */
export function today(zone: string, now: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(now)
}

export function addDays(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

function addMonths(date: string, months: number): string {
  const moved = new Date(`${date}T00:00:00Z`)
  const day = moved.getUTCDate()
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(day, last))
  return moved.toISOString().slice(0, 10)
}
