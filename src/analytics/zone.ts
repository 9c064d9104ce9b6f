// The days of a time zone as instants. A day begins with its first instant and ends where the next one begins, so days
// have no gap and no overlap: one whose midnight is skipped begins later, one that is skipped whole is empty, and
// an hour that the clock repeats across midnight belongs to the day that had begun. Knows nothing of page views.

import { Temporal } from 'temporal-polyfill'

/** Of `zone` from `from` on, until the next segment begins: seconds to add to UTC. */
export type OffsetSegment = {
  /** Milliseconds since 1970. */
  readonly from: number
  readonly offset: number
}

const msOfDay = 86_400_000

/** A question asks for the same days again and again. Cleared when full, which nobody notices but by microseconds. */
const starts = new Map<string, number>()
const maxStarts = 20_000

/** Milliseconds since 1970 of the first instant of `day`, `YYYY-MM-DD`. Throws RangeError where there is no such zone. */
export function startOfDay(zone: string, day: string): number {
  const key = `${zone} ${day}`
  const known = starts.get(key)
  if (known !== undefined) return known
  const start = Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds
  if (starts.size >= maxStarts) starts.clear()
  starts.set(key, start)
  return start
}

/** The day that an instant belongs to: `startOfDay(day) <= ms < startOfDay(next day)`. */
export function dayOf(zone: string, ms: number): string {
  const day = Temporal.Instant.fromEpochMilliseconds(Math.floor(ms)).toZonedDateTimeISO(zone).toPlainDate()
  const next = day.add({ days: 1 }).toString()
  return startOfDay(zone, next) <= ms ? next : day.toString()
}

export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** The same day of another month, or its last one. */
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
 * What to add to UTC in `[from, to)` so that whole days of 86,400 seconds are the days of `dayOf`. Ordered; the first
 * segment is the one that `from` lies in. Where a clock goes back from just after midnight into the day before
 * (St. John's until 2011), the offset of before holds on until midnight comes again.
 */
export function offsetSegments(zone: string, from: number, to: number): readonly OffsetSegment[] {
  // Begun well before: `from` may lie in the hour that is repeated.
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

function offsetOf(at: Temporal.ZonedDateTime): number {
  return at.offsetNanoseconds / 1e9
}

/** When the day of a transition has begun already although the clock shows the day before: the midnight to come. */
function secondMidnight(zone: string, transition: Temporal.ZonedDateTime): number {
  const at = transition.epochMilliseconds
  const shown = transition.toPlainDate().toString()
  return dayOf(zone, at) === shown ? at : at + msOfDay - transition.toPlainTime().since('00:00').total('milliseconds')
}
