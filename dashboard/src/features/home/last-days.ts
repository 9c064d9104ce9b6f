// The last days in a time zone, as a range of the exports: `dateTo` is not part of it. Pure.

/** `count` days, today included. */
export function lastDays(now: Date, timeZone: string, count: number) {
  const today = dayIn(now, timeZone)
  return { dateFrom: toDay(today + (1 - count) * msOfDay), dateTo: toDay(today + msOfDay) }
}

const msOfDay = 86_400_000

/** The start of the day in UTC. From the parts of the date: how a date is written depends on the browser's data. */
function dayIn(now: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(now)
  const part = (wanted: 'year' | 'month' | 'day') => Number(parts.find(({ type }) => type === wanted)?.value)
  return Date.UTC(part('year'), part('month') - 1, part('day'))
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
