// The time from which a project's page views are kept: whole days of its time zone.

import { addDays, addMonths, dayOf, startOfDay } from './zone.ts'

export type Retention = { readonly timeZone: string; readonly retentionMonths: number }

/** The day in the project's calendar that is `retentionMonths` before today, `YYYY-MM-DD`. */
export function firstDayKept({ timeZone, retentionMonths }: Retention, now: number): string {
  return addMonths(dayOf(timeZone, now), -retentionMonths)
}

/** The start of the first day whose page views keep their user agent and signals. */
export function signalsKeptSince(
  { timeZone, signalRetentionDays }: Pick<Retention, 'timeZone'> & { readonly signalRetentionDays: number },
  now: number,
): number {
  return startOfDay(timeZone, addDays(dayOf(timeZone, now), -signalRetentionDays))
}

/** The start of the first day kept, in milliseconds since 1970. */
export function keptSince(retention: Retention, now: number): number {
  return startOfDay(retention.timeZone, firstDayKept(retention, now))
}
