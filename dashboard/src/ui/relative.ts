// A moment in words, relative to another one: `5 minutes ago`. It counts whole units of fixed length, and says nothing about
// the calendar: 47 hours are `1 day ago`, not yesterday. Knows no clock.

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en')

/** `just now`, `5 minutes ago`, `in 3 days`. */
export function formatRelative(at: Date, from: Date): string {
  const seconds = (at.getTime() - from.getTime()) / 1_000
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  // `in 7 days` for a link that was made a moment ago for a week.
  const count = seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size)
  return unit === 'second' ? 'just now' : relative.format(count, unit)
}
