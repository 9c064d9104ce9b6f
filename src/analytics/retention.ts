// From when on page views of a project are kept: whole days of its time zone.

import { Temporal } from 'temporal-polyfill'

export type Retention = { readonly timeZone: string; readonly retentionMonths: number }

/** The first day kept, as the project's calendar has it: today, so many months ago. */
export function firstDayKept({ timeZone, retentionMonths }: Retention, now: number): Temporal.PlainDate {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate()
  return today.subtract({ months: retentionMonths })
}

/** The first day whose page views keep their user agent and signals, as the instant at which it began. */
export function signalsKeptSince(
  { timeZone, signalRetentionDays }: Pick<Retention, 'timeZone'> & { readonly signalRetentionDays: number },
  now: number,
): number {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate()
  return today.subtract({ days: signalRetentionDays }).toZonedDateTime(timeZone).epochMilliseconds
}

/** The instant at which it began, milliseconds since 1970. */
export function keptSince(retention: Retention, now: number): number {
  return firstDayKept(retention, now).toZonedDateTime(retention.timeZone).epochMilliseconds
}
