// Schedules: five fields of cron in a time zone → the slots at which runs are due. Pure; knows no store and no automation.
//
// A schedule names times of clocks on walls. croner lists them, in UTC, where each exists once; then each becomes an instant:
//   the clock shows it once    that instant
//   it is skipped in spring    the end of the gap
//   it is repeated in autumn   the first of the two
// The end of a gap may be close to other slots: what follows a slot within 15 minutes is the same slot.

import { createHash } from 'node:crypto'
import { Cron } from 'croner'
import { Temporal } from 'temporal-polyfill'

export type Schedule = {
  /** Five fields that `scheduleProblem` accepts. */
  readonly cron: string
  /** An IANA name. */
  readonly timeZone: string
}

const minuteMs = 60_000
const leastMinutes = 15
const leastMs = leastMinutes * minuteMs
/** Longer than the gap of a change of daylight saving. */
const lookBackMs = 3 * 60 * minuteMs
const dayMs = 24 * 60 * minuteMs
/** All days of a schedule repeat within this time, the 29th of February included. */
const calendarDays = 8 * 366
const spreadSeconds = 300
/** A second before a midnight. */
const beginning = new Date(-1_000)

/** Explains why a text is not a schedule, to continue the name of its field; null: it is one. */
export function scheduleProblem(cron: string): string | null {
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== 5) return 'must have five fields: minute, hour, day of the month, month, day of the week'
  // croner knows more than numbers and names: seconds, `L`, `W`, `#`, `?`. Other programs read these differently.
  if (!fields.every((field, at) => (at < 3 ? numbers : names).test(field))) {
    return 'takes numbers, the names of months and days, and the signs * , - /'
  }
  try {
    const opened = open(cron)
    return opened.nextRun(beginning) === null ? 'names a day that does not exist' : distanceProblem(cron, opened)
  } catch (error) {
    return error instanceof Error ? `is refused: ${error.message.replace(/^CronPattern: /, '')}` : 'is refused'
  }
}

const numbers = /^[\d*,/-]+$/
const names = /^(?:[\d*,/-]|[A-Za-z]{3})+$/

/** Returns the first slot after this time; null if there is no other one. */
export function nextSlot({ cron, timeZone }: Schedule, after: Date): Date | null {
  const opened = open(cron)
  const start = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timeZone).toPlainDateTime()
  let wall = opened.nextRun(new Date(toUtc(start) - lookBackMs))
  let previous = -Infinity
  while (wall !== null) {
    const instant = toInstant(wall, timeZone)
    if (instant - previous >= leastMs) {
      if (instant > after.getTime()) return new Date(instant)
      previous = instant
    }
    wall = opened.nextRun(wall)
  }
  return null
}

/**
 * Returns the milliseconds by which the runs of an automation start after their slots, below five minutes. They follow
 * from its id, so that a thousand automations of one slot do not start together, and each starts at the same time each day.
 */
export function spreadOf(automationId: string): number {
  return (createHash('sha256').update(automationId).digest().readUInt32BE() % spreadSeconds) * 1_000
}

/** The clock on the wall, as if it showed UTC. */
function open(cron: string): Cron {
  return new Cron(cron.trim(), { timezone: 'UTC', mode: '5-part', paused: true })
}

function toUtc(wall: Temporal.PlainDateTime): number {
  return wall.toZonedDateTime('UTC').epochMilliseconds
}

function toInstant(wall: Date, timeZone: string): number {
  const plain = Temporal.Instant.fromEpochMilliseconds(wall.getTime()).toZonedDateTimeISO('UTC').toPlainDateTime()
  const zoned = plain.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  if (zoned.toPlainDateTime().equals(plain)) return zoned.epochMilliseconds
  return zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? zoned.epochMilliseconds
}

/** The times of day are the same on all days of a schedule. */
function distanceProblem(cron: string, opened: Cron): string | null {
  const times = timesOfDay(opened)
  const close = times.findIndex((time, at) => at > 0 && time - (times[at - 1] ?? time) < leastMs)
  if (close > 0) return tooClose(times[close - 1] ?? 0, times[close] ?? 0)
  const [first = 0, last = first] = [times[0], times.at(-1)]
  const isCloseAtMidnight = first + dayMs - last < leastMs
  return isCloseAtMidnight && hasConsecutiveDays(cron) ? tooClose(last, first) : null
}

/** Milliseconds since midnight. Ends after two that are too close. */
function timesOfDay(opened: Cron): readonly number[] {
  const times: number[] = []
  let at = opened.nextRun(beginning)
  const day = Math.floor((at?.getTime() ?? 0) / dayMs)
  while (at !== null && Math.floor(at.getTime() / dayMs) === day) {
    times.push(at.getTime() - day * dayMs)
    const [before, last] = times.slice(-2)
    if (before !== undefined && last !== undefined && last - before < leastMs) break
    at = opened.nextRun(at)
  }
  return times
}

function hasConsecutiveDays(cron: string): boolean {
  const days = open(`0 0 ${cron.trim().split(/\s+/).slice(2).join(' ')}`)
  let day = days.nextRun(beginning)
  for (let looked = 0; day !== null && looked < calendarDays; looked += 1) {
    const next = days.nextRun(day)
    if (next !== null && next.getTime() - day.getTime() === dayMs) return true
    day = next
  }
  return false
}

function tooClose(one: number, next: number): string {
  const shown = (time: number) => new Date(time).toISOString().slice(11, 16)
  return `must leave at least ${leastMinutes} minutes between two runs; it has some at ${shown(one)} and ${shown(next)}`
}
