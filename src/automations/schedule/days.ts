// Days in the time zone of a project. Pure.

import { Temporal } from 'temporal-polyfill'

/** `after`: 0 for the day of this time, 1 for the next one. */
export function startOfDay(timeZone: string, time: Date, after = 0): Date {
  const zoned = Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone)
  return new Date(zoned.add({ days: after }).startOfDay().epochMilliseconds)
}
