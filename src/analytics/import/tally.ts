// Counts the lines of a log: every line is either accepted or rejected with a reason.

import { copyText } from '../../lib/plain-text.ts'
import { toExample } from './example.ts'

export type Rejection = { readonly reason: string; readonly count: number; readonly examples: readonly string[] }
export type Counts = { readonly lines: number; readonly accepted: number; readonly rejected: readonly Rejection[] }

const maxExamples = 3

export type Tally = {
  accept(count: number): void
  reject(reason: string, line: string): void
  /** Adds the counts of another tally. */
  add(other: Tally): void
  /** The most frequent reason first. */
  counts(): Counts
}

export function createTally(): Tally {
  const state = { accepted: 0 }
  const reasons = new Map<string, { count: number; readonly examples: string[] }>()
  const at = (reason: string) => {
    const found = reasons.get(reason)
    if (found !== undefined) return found
    const first = { count: 0, examples: [] }
    reasons.set(reason, first)
    return first
  }
  return {
    accept: (count) => void (state.accepted += count),
    reject: (reason, line) => {
      const found = at(reason)
      found.count += 1
      if (found.examples.length < maxExamples) found.examples.push(copyText(toExample(line)))
    },
    add: (other) => {
      const { accepted, rejected } = other.counts()
      state.accepted += accepted
      for (const { reason, count, examples } of rejected) {
        const found = at(reason)
        found.count += count
        found.examples.push(...examples.slice(0, maxExamples - found.examples.length))
      }
    },
    counts: () => {
      const rejected = [...reasons]
        .map(([reason, { count, examples }]) => ({ reason, count, examples: [...examples] }))
        .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
      const lines = rejected.reduce((sum, { count }) => sum + count, state.accepted)
      return { lines, accepted: state.accepted, rejected }
    },
  }
}
