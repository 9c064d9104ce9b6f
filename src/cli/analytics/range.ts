// Ranges of days for commands. A day is a text such as 2026-11-20. The time zone of the project decides when it begins,
// so no time zone is known here.

import { InvalidArgumentError } from 'commander'

/** Includes `from`, excludes `to`. */
export type DayRange = { readonly from: string; readonly to: string }

const dayMs = 86_400_000

/** Parses an option for Commander. */
export function toDay(text: string): string {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) {
    throw new InvalidArgumentError('Write a day as 2026-11-20.')
  }
  return text
}

type Asked = { readonly from: string | undefined; readonly to: string | undefined }

/** The days as the API takes them. */
export function toRange({ from, to }: Asked): Readonly<Record<string, string>> {
  return { ...(from === undefined ? {} : { dateFrom: from }), ...(to === undefined ? {} : { dateTo: to }) }
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10)
}

export function countDays({ from, to }: DayRange): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}

/** Parses an option for Commander: the number of rows of a page of the API. */
export function toRows(text: string): string {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= 250) return text
  throw new InvalidArgumentError('Write a number from 1 to 250.')
}

/**
 * Returns the days to compare a range with: of several days of one month from its first, those of the month before, so that both
 * numbers are of one calendar month. Otherwise as many days before the range.
 */
export function rangeBefore(range: DayRange): DayRange {
  const start = startOfMonth(range.from)
  if (range.from === start && countDays(range) > 1 && startOfMonth(addDays(range.to, -1)) === start) {
    const from = startOfMonth(addDays(start, -1))
    const to = addDays(from, countDays(range))
    return { from, to: to < start ? to : start }
  }
  return { from: addDays(range.from, -countDays(range)), to: range.from }
}

/**
 * Are there page views of an earlier range from its first day on? A part of its days is not compared: "+3,024 %" was shown against six
 * days of data in thirty. One day is not compared if recording began on it.
 */
export function hasData(range: DayRange, firstPageView: string | null): boolean {
  return firstPageView !== null && (countDays(range) === 1 ? addDays(firstPageView, 1) : firstPageView) <= range.from
}

function startOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`
}

/** Completes a range: by default it is the month up to today, in which a visitor of the default window counts once. */
export function completeRange(asked: { readonly from?: string; readonly to?: string }, today: string): DayRange {
  const to = asked.to ?? addDays(today, 1)
  return { from: asked.from ?? startOfMonth(addDays(to, -1)), to }
}
