// Parses times as people write them on the command line: `90`, `36h`, `7d`, `2027-02-18`, `never`.

import { InvalidArgumentError } from 'commander'

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** Returns `90s`, `30m`, `24h`, `7d` or `0` in seconds. Throws an error that Commander prints. */
export function parseDuration(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const factor = seconds[unit ?? '']
  if (text === '0') return 0
  if (factor === undefined) throw new InvalidArgumentError('Write a number with s, m, h or d, such as 30m, 24h or 7d.')
  return Number(count) * factor
}

/** Returns when a key expires: days from `now`, a date (midnight UTC), a date and time, or `never`. */
export function parseExpiry(text: string, now: Date): string {
  if (text === 'never') return text
  const days = /^(\d{1,5})d?$/.exec(text)?.[1]
  if (days !== undefined) return new Date(now.getTime() + Number(days) * 86_400_000).toISOString()
  const date = new Date(text)
  const isDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text)
  if (isDate && !Number.isNaN(date.getTime())) return date.toISOString()
  throw new InvalidArgumentError('Write a number of days, a date (2027-02-18) or never.')
}
