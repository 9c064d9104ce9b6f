// Merged pull requests as marks of a series: each in the interval with the day of its merge. Pure.

import type { Pull } from '../../../api/pulls.ts'

export type MergedMark = {
  readonly id: string
  /** The first day of the interval. */
  readonly date: string
  readonly name: string
  /** The day of the merge, in the project's zone. */
  readonly day: string
  readonly pull: Pull
}

type Merged = Pick<Pull, 'mergedAt'>

/** `dates`: the first days of the intervals, in order. */
export function marksOf(pulls: readonly Pull[], dates: readonly string[], timeZone: string): readonly MergedMark[] {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const dayOf = ({ mergedAt }: Merged) => (mergedAt === null ? undefined : toDay(format, new Date(mergedAt)))
  return pulls
    .flatMap((pull) => {
      const day = dayOf(pull)
      const date = day === undefined ? undefined : dates.findLast((one) => one <= day)
      if (day === undefined || date === undefined) return []
      return [{ id: `${pull.forge} ${pull.number}`, date, name: 'Merged pull request', day, pull }]
    })
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

export function among(marks: readonly MergedMark[], chosen: readonly { readonly id: string }[]): readonly MergedMark[] {
  return marks.filter(({ id }) => chosen.some((one) => one.id === id))
}

/** `2026-11-03`, whatever the order of the parts. */
function toDay(format: Intl.DateTimeFormat, at: Date): string {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return ['year', 'month', 'day'].map((type) => parts.get(type as 'year') ?? '').join('-')
}
