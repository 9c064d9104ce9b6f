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

/** Returns the same number of days before the range. */
export function rangeBefore(range: DayRange): DayRange {
  return { from: addDays(range.from, -countDays(range)), to: range.from }
}

/** Completes a range: by default it ends with today and has thirty days. */
export function completeRange(asked: { readonly from?: string; readonly to?: string }, today: string): DayRange {
  const to = asked.to ?? addDays(today, 1)
  return { from: asked.from ?? addDays(to, -30), to }
}
