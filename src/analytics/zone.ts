// The days of a time zone as instants. A day lasts from its first instant to the first instant of the next day, so days
// have no gaps and no overlaps: a day whose midnight is skipped starts later, a day that is skipped entirely is empty, and
// an hour repeated across midnight belongs to the day that had already begun. Knows nothing about page views.

import { Temporal } from 'temporal-polyfill'
import { remember } from './remember.ts'

/** The offset of a zone from `from` until the next segment begins. */
export type OffsetSegment = {
  /** Milliseconds since 1970. */
  readonly from: number
  /** Seconds to add to UTC. */
  readonly offset: number
}

const msOfDay = 86_400_000

/** Queries need the same days again and again, and Temporal takes microseconds for each. The name of a zone has no space. */
const startOf = remember((key) => {
  const [zone = '', day = ''] = key.split(' ')
  return Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds
})

/** Milliseconds since 1970 of the first instant of `day` (`YYYY-MM-DD`). Throws RangeError for an unknown zone. */
export function startOfDay(zone: string, day: string): number {
  return startOf(`${zone} ${day}`)
}

/** The day that contains an instant: `startOfDay(day) <= ms < startOfDay(next day)`. */
export function dayOf(zone: string, ms: number): string {
  const day = Temporal.Instant.fromEpochMilliseconds(Math.floor(ms)).toZonedDateTimeISO(zone).toPlainDate()
  const next = day.add({ days: 1 }).toString()
  return startOfDay(zone, next) <= ms ? next : day.toString()
}

export type Hour = {
  /** Its first instant, in milliseconds since 1970. */
  readonly from: number
  /** The same as the clock of the zone shows it: `2026-10-25T02:00:00+02:00`. */
  readonly start: string
}

/**
 * The hours of a day, in order. One begins where the clock of the zone shows a whole hour, and where the clock changes: a day has
 * 23 or 25 of them when it changes by an hour, and no hour is longer than 60 minutes.
 */
export function hoursOf(zone: string, day: string): readonly Hour[] {
  return hoursOfDay(`${zone} ${day}`)
}

const hoursOfDay = remember((key) => {
  const [zone = '', day = ''] = key.split(' ')
  const end = startOfDay(zone, addDays(day, 1))
  const hours: Hour[] = []
  for (let from = startOfDay(zone, day); from < end;) {
    const at = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone)
    hours.push({ from, start: at.toString({ timeZoneName: 'never', smallestUnit: 'second' }) })
    const change = at.getTimeZoneTransition('next')?.epochMilliseconds ?? end
    from = Math.min(from + 3_600_000 - (at.minute * 60 + at.second) * 1_000, change)
  }
  return hours
})

/** Days since 1970-01-01. */
export function dayNumberOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / msOfDay
}

export function addDays(day: string, days: number): string {
  return toDay(Date.parse(`${day}T00:00:00Z`) + days * msOfDay)
}

/** The day of an instant in UTC. */
function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** The same day of another month, or the last day of that month. */
export function addMonths(day: string, months: number): string {
  return Temporal.PlainDate.from(day).add({ months }).toString()
}

/** The Monday of its week. */
export function startOfWeek(day: string): string {
  const date = Temporal.PlainDate.from(day)
  return date.subtract({ days: date.dayOfWeek - 1 }).toString()
}

export function startOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`
}

/**
 * The offsets in `[from, to)` with which days of 86,400 seconds are the days of `dayOf`, in order. The first segment
 * contains `from`. Where a clock goes back from just after midnight into the day before (St. John's until 2011), the
 * offset from before the change lasts until the second midnight.
 */
export function offsetSegments(zone: string, from: number, to: number): readonly OffsetSegment[] {
  // Starts two days early: `from` may be in a repeated hour.
  let at = Temporal.Instant.fromEpochMilliseconds(from - 2 * msOfDay).toZonedDateTimeISO(zone)
  const segments = [{ from: at.epochMilliseconds, offset: offsetOf(at) }]
  for (;;) {
    const next = at.getTimeZoneTransition('next')
    if (next === null || next.epochMilliseconds >= to) break
    segments.push({ from: secondMidnight(zone, next), offset: offsetOf(next) })
    at = next
  }
  const first = segments.findLastIndex((segment) => segment.from <= from)
  return segments.slice(first).map((segment) => ({ ...segment, from: Math.max(from, segment.from) }))
}

const rulesOf = remember((zone) =>
  offsetSegments(zone, Date.UTC(2000, 0), Date.UTC(2050, 0))
    .map(({ from, offset }) => `${from} ${offset}`)
    .join(),
)

/** Differs between zones, and between releases of Node.js that know other rules of a zone. */
export function rulesOfZone(zone: string): string {
  return rulesOf(zone)
}

function offsetOf(at: Temporal.ZonedDateTime): number {
  return at.offsetNanoseconds / 1e9
}

/** The instant of a transition. If its day had already begun although the clock shows the day before: the next midnight. */
function secondMidnight(zone: string, transition: Temporal.ZonedDateTime): number {
  const at = transition.epochMilliseconds
  const shown = transition.toPlainDate().toString()
  return dayOf(zone, at) === shown ? at : at + msOfDay - transition.toPlainTime().since('00:00').total('milliseconds')
}
