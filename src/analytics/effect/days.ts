// Which days an effect compares: as many whole days before the day of a merge as after it. Pure.

import { addDays, dayNumberOf } from '../zone.ts'

/** Each day of the week once on both sides: fewer days compare weekends with working days. */
export const fewestDays = 7
/** Further from the merge, other changes and the season say more than the merge does. */
export const mostDays = 28

/** Days of the project: `YYYY-MM-DD`. */
export type KnownDays = {
  readonly mergedOn: string
  readonly today: string
  /** Page views of earlier days are deleted. */
  readonly firstDayKept: string
  /** The day of the first stored page view; null: there is no page view. */
  readonly firstPageView: string | null
}

export type ComparedDays = {
  /** On each side; whole weeks once there is one. */
  readonly days: number
  /** How many more days must pass until the numbers say anything; null: they never will, and `note` says why. */
  readonly needs: number | null
  readonly note: string | null
}

export function compareDays({ mergedOn, today, firstDayKept, firstPageView }: KnownDays): ComparedDays {
  if (firstPageView === null) return { days: 0, needs: null, note: 'There is no page view of the project.' }
  // The day of the first page view is not a whole one.
  const firstMeasured = addDays(firstPageView, 1)
  const isMeasured = firstMeasured > firstDayKept
  const before = Math.max(0, between(isMeasured ? firstMeasured : firstDayKept, mergedOn))
  const after = Math.max(0, between(mergedOn, today) - 1)
  const days = inWeeks(Math.min(before, after, mostDays))
  if (before < fewestDays) {
    const why = isMeasured ? `page views are counted since ${firstPageView}` : 'earlier ones are no longer kept'
    return { days, needs: null, note: `Only ${say(before)} before the merge have page views: ${why}.` }
  }
  const needs = Math.max(0, fewestDays - after)
  const note = needs === 0 ? null : `It needs ${needs} more ${needs === 1 ? 'day' : 'days'} after the merge.`
  return { days, needs, note }
}

function inWeeks(days: number): number {
  return days < fewestDays ? days : days - (days % fewestDays)
}

function between(from: string, to: string): number {
  return dayNumberOf(to) - dayNumberOf(from)
}

function say(days: number): string {
  return days === 1 ? '1 whole day' : `${days} whole days`
}
