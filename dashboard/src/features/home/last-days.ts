// The last days in a time zone, as a range of the exports: `dateTo` is not part of it. Pure.

/** `count` days, today included. */
export function lastDays(now: Date, timeZone: string, count: number) {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now)
  return { dateFrom: shift(today, 1 - count), dateTo: shift(today, 1) }
}

function shift(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}
