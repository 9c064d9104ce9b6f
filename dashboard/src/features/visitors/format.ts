// Numbers, days and paths as people read them. Pure.

import { addDays, type Interval, type Range } from './range.ts'

const numbers = new Intl.NumberFormat('en')
const ratio = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })
const wholePercent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0, signDisplay: 'always' })
const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const shortDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

export function formatCount(count: number): string {
  return numbers.format(count)
}

/** `2.4`. A dash: there is nothing to divide by. */
export function formatRatio(value: number): string {
  return Number.isNaN(value) ? '–' : ratio.format(value)
}

export function formatDay(day: string): string {
  return dayFormat.format(new Date(day))
}

/** `Oct 24 – Nov 22, 2026`. */
export function formatRange({ dateFrom, dateTo }: Range): string {
  return dayFormat.formatRange(new Date(dateFrom), new Date(dateFrom < dateTo ? addDays(dateTo, -1) : dateTo))
}

/** The name of an interval below the chart. */
export function formatTick(date: string, interval: Interval): string {
  return interval === 'month' ? monthFormat.format(new Date(date)) : shortDay.format(new Date(date))
}

/** The name of an interval where there is room. */
export function formatInterval(date: string, interval: Interval): string {
  if (interval === 'month') return monthFormat.format(new Date(date))
  return interval === 'week' ? `Week of ${formatDay(date)}` : weekday.format(new Date(date))
}

/** `09:00`, with the offset from UTC where two hours of the day have the same name. */
export function formatHour(start: string, isRepeated: boolean): string {
  return `${start.slice(11, 16)}${isRepeated ? ` (UTC${start.slice(19)})` : ''}`
}

/** `+12.5%`. Undefined after nothing: there is no percentage of it. */
export function formatChange(now: number, earlier: number): string | undefined {
  if (now === earlier) return 'No change'
  if (earlier === 0) return undefined
  const change = now / earlier - 1
  return (Math.abs(change) < 10 ? percent : wholePercent).format(change).replace('-', '−')
}

/** Escapes of letters and digits become what they mean; anything else, such as a mark that turns text, stays escaped. */
export function readablePath(path: string): string {
  return path.replace(/(?:%[0-9A-F]{2})+/g, (escapes) => {
    try {
      return Array.from(decodeURIComponent(escapes), (one) =>
        /[\p{L}\p{M}\p{N}]/u.test(one) ? one : encodeURIComponent(one),
      ).join('')
    } catch {
      return escapes
    }
  })
}
