// The daily sums that other tools export: people and page views of a site, or of a page, on a day. They are counts of counts:
// nobody knows who of Monday came again on Tuesday, so visitors of several days are never added.

export const sumSources = ['plausible', 'ga4'] as const
export type SumSource = (typeof sumSources)[number]

export type DailySum = {
  /** `YYYY-MM-DD`, in the time zone that the tool counted in. */
  readonly date: string
  /** Normalised; null: the whole site. */
  readonly path: string | null
  /** null: the file does not say. At least one of the two is a number. */
  readonly visitors: number | null
  readonly pageViews: number | null
}

/** The largest count that is taken: it is exact as a number. */
export const mostCounted = 1_000_000_000_000

/** The most that a file may have. */
export const mostSums = 1_000_000
export const tooManySums = `A file may have at most ${mostSums.toLocaleString('en')} daily sums: divide it by years.`

export type SumsByPage = {
  readonly add: (sum: DailySum) => void
  readonly size: () => number
  readonly sums: () => readonly DailySum[]
}

/**
 * Collects sums by day and page. Other tools count addresses of one page (`/guide/` and `/guide.html`) apart: their sums are added,
 * and who read it under both counts twice.
 */
export function createSums(): SumsByPage {
  const byPage = new Map<string, DailySum>()
  return {
    add: (sum) => {
      const key = `${sum.date}${sum.path ?? ''}`
      const before = byPage.get(key)
      byPage.set(key, before === undefined ? sum : addUp(before, sum))
    },
    size: () => byPage.size,
    sums: () => [...byPage.values()],
  }
}

function addUp(one: DailySum, other: DailySum): DailySum {
  return {
    ...one,
    visitors: plus(one.visitors, other.visitors),
    pageViews: plus(one.pageViews, other.pageViews),
  }
}

function plus(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one + other, mostCounted)
}
