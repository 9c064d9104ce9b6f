// Parses the times of logs to milliseconds since 1970, for the years 0 to 9999. Returns undefined for times that don't
// exist (30 February, 25:00). `Date.parse` would correct them silently, and read the year 50 as 1950.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Reads `21/Nov/2026:10:00:00 +0100` at a position of a line. Caches the last day: consecutive lines share it. */
export function createClfTime(): (line: string, at: number) => number | undefined {
  const last = { text: '', ms: 0 }
  return (line, at) => {
    if (line.charCodeAt(at + 11) !== colon || line.charCodeAt(at + 20) !== blank) return undefined
    const day = line.slice(at, at + 11)
    if (day !== last.text) {
      const ms = readDay(day)
      if (ms === undefined) return undefined
      last.text = day
      last.ms = ms
    }
    const time = readTime(line, at + 12)
    const offset = readOffset(line, at + 21)
    return time === undefined || offset === undefined ? undefined : last.ms + time - offset
  }
}

/** `21/Nov/2026`. The caller has checked the length only. */
function readDay(text: string): number | undefined {
  if (text[2] !== '/' || text[6] !== '/') return undefined
  return toDay(digits(text, 7, 4), months.indexOf(text.slice(3, 6)) + 1, digits(text, 0, 2))
}

/** RFC 3339; also with a space for the T, and without a colon in the offset. Cut to milliseconds. */
export function readIsoTime(text: string): number | undefined {
  if (text.length < 20 || text.length > 40 || text[4] !== '-' || text[7] !== '-') return undefined
  if (!'Tt '.includes(text[10] ?? '-')) return undefined
  const day = toDay(digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2))
  const time = readTime(text, 11)
  let at = 19
  let fraction = 0
  if (text[19] === '.') {
    at = 20
    while (isDigit(text.charCodeAt(at))) at += 1
    if (at === 20) return undefined
    fraction = digits(text.slice(20, 23).padEnd(3, '0').replaceAll(/\D/g, '0'), 0, 3)
  }
  const isUtc = text[at] === 'Z' || text[at] === 'z'
  const offset = isUtc ? 0 : readOffset(text, at)
  const end = isUtc ? at + 1 : at + (text[at + 3] === ':' ? 6 : 5)
  if (day === undefined || time === undefined || offset === undefined || end !== text.length) return undefined
  return day + time + fraction - offset
}

/** Seconds, milli-, micro- or nanoseconds since 1970. The size shows the unit: between 1980 and 9999 they don't overlap. */
export function readUnixTime(number: number): number | undefined {
  if (!Number.isFinite(number)) return undefined
  const size = Math.abs(number)
  // 1.123 * 1,000 is a little less than 1,123.
  if (size < 3e11) return Math.floor(number * 1_000 + 1e-3)
  if (size < 3e14) return Math.floor(number)
  return Math.floor(number / (size < 3e17 ? 1e3 : 1e6))
}

const blank = 0x20
const colon = 0x3a

/** `10:00:00`. A leap second counts as the second before it. */
function readTime(text: string, at: number): number | undefined {
  if (text.charCodeAt(at + 2) !== colon || text.charCodeAt(at + 5) !== colon) return undefined
  const hour = digits(text, at, 2)
  const minute = digits(text, at + 3, 2)
  const second = digits(text, at + 6, 2)
  if (!(hour < 24 && minute < 60 && second <= 60)) return undefined
  return ((hour * 60 + minute) * 60 + Math.min(second, 59)) * 1_000
}

/** `+0100` or `+01:00` */
function readOffset(text: string, at: number): number | undefined {
  const sign = text[at]
  if (sign !== '+' && sign !== '-') return undefined
  const hours = digits(text, at + 1, 2)
  const minutes = digits(text, text[at + 3] === ':' ? at + 4 : at + 3, 2)
  if (!(hours < 24 && minutes < 60)) return undefined
  return (hours * 60 + minutes) * (sign === '-' ? -60_000 : 60_000)
}

/** NaN if one of the characters is not a digit. */
function digits(text: string, at: number, count: number): number {
  let number = 0
  for (let i = at; i < at + count; i += 1) {
    const code = text.charCodeAt(i)
    if (!isDigit(code)) return Number.NaN
    number = number * 10 + code - 48
  }
  return number
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Midnight UTC; undefined for a day that does not exist. Unlike `Date.UTC`, the setter takes years before 100 as they are. */
function toDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0)
  const ms = date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : undefined
}
