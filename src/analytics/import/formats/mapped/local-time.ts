// Times of a clock on a wall as instants. Where clocks go back, a time that occurs twice is the first one; where they go
// forward, a time that does not exist is as much later as clocks jump.

import { Temporal } from 'temporal-polyfill'

/** Clocks change at quarters of an hour, and Temporal takes microseconds for each time. */
const quarter = 900_000

/** Takes the time as if it were UTC, in milliseconds since 1970. Caches the last quarter of an hour. Throws RangeError for an unknown zone. */
export function createLocalTime(zone: string): (wall: number) => number {
  const last = { start: Number.NaN, shift: 0 }
  return (wall) => {
    const start = Math.floor(wall / quarter) * quarter
    if (start !== last.start) {
      last.shift = toInstant(zone, start) - start
      last.start = start
    }
    return wall + last.shift
  }
}

function toInstant(zone: string, wall: number): number {
  const clock = Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDateTime()
  return clock.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
}
