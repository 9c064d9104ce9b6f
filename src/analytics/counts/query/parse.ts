// Parses days as callers write them: `2026-11-21`, or an ISO 8601 date-time, of which only the date counts, as written.
// Knows no zone and no project.

const date = /^(\d{4})-(\d{2})-(\d{2})/
/** A `+` in a query string decodes to a space. */
const offset = /(?:Z|[+\- ](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?/
/** 24 is midnight at the end of the day, 60 a leap second. */
const time = /(?:[01]\d|2[0-4])(?::?[0-5]\d(?::?(?:[0-5]\d|60)(?:[.,]\d+)?)?)?/
const dateTime = new RegExp(`${date.source}(?:[T ]${time.source}${offset.source})?$`, 'i')

/** `YYYY-MM-DD` of a day that exists, in the years 0000 to 9999; undefined for any other text. */
export function parseDay(text: string): string | undefined {
  const [, year, month, day] = dateTime.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const written = `${year}-${month}-${day}`
  const ms = Date.parse(`${written}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(written) ? written : undefined
}
