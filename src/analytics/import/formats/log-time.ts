// Times as logs write them, to milliseconds since 1970: exact for the years 0 to 9999, and undefined for what is no
// real time (30 February, 25 o'clock). `Date` is not asked: it mends what is wrong, and takes the year 50 for 1950.

const dayMs = 86_400_000
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Reads `21/Nov/2026:10:00:00 +0100` at a place of a line. Remembers the last day, which most lines share. */
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

/** `21/Nov/2026`; only the length was looked at. */
function readDay(text: string): number | undefined {
  if (text[2] !== '/' || text[6] !== '/') return undefined
  return toDay(digits(text, 7, 4), months.indexOf(text.slice(3, 6)) + 1, digits(text, 0, 2))
}

/** RFC 3339, also with a blank for the T and without a colon in the offset. What is finer than a millisecond is cut. */
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

/**
 * A number of seconds, or of milli-, micro- or nanoseconds: told apart by its size, which none of them share between
 * 1980 and 9999.
 */
export function readUnixTime(number: number): number | undefined {
  if (!Number.isFinite(number)) return undefined
  const size = Math.abs(number)
  // A fraction such as .123 is a little less than it says once it is multiplied.
  if (size < 3e11) return Math.floor(number * 1_000 + 1e-3)
  if (size < 3e14) return Math.floor(number)
  return Math.floor(number / (size < 3e17 ? 1e3 : 1e6))
}

const blank = 0x20
const colon = 0x3a

/** `10:00:00`. A leap second is the second before it. */
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

/** NaN when one of them is no digit. */
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

/** Midnight UTC. Days are counted from 1 March, so that the leap day is the last of its year. */
function toDay(year: number, month: number, day: number): number | undefined {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month))) return undefined
  const from = month > 2 ? year : year - 1
  const era = Math.floor(from / 400)
  const ofEra = from - era * 400
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const days = era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468
  return days * dayMs
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
