// The commits that a run is given: as ranges of its row, as words of the prompt, and as data for the model. Pure.

import type { CommitRange } from '../../jobs/appends/contribution.ts'
import type { AutomationCommitRow } from '../../postgres/schema/automations.ts'
import { boundPayload, type BoundedPayload } from '../events/payload.ts'

export type GivenCommits = {
  readonly ranges: readonly CommitRange[]
  /** The name of the source that has them. Undefined: the repository of the documentation has them. */
  readonly source: string | undefined
  /** See `automation_runs.generation`. */
  readonly generation: number
  /** For the prompt: words of the service alone. */
  readonly words: string
  /** For the model: what people and programs outside wrote. */
  readonly data: BoundedPayload
}

type Commit = Pick<AutomationCommitRow, 'author' | 'commit' | 'generation' | 'parent' | 'subject'>
type Origin = { readonly repository: string; readonly source: string | undefined }

/** Each is one value of a payload, which has about 100. */
const mostListed = 60
const mostRanges = 20

/** How many of the commits one run can be given: each is in a range of the prompt, or listed in the data. */
export function countNamed(commits: readonly Pick<Commit, 'commit' | 'parent'>[]): number {
  let ranges = 0
  const end = commits.findIndex(({ parent }, at) => {
    if (at === 0 || parent !== commits[at - 1]?.commit) ranges += 1
    return ranges > mostRanges && at >= mostListed
  })
  return end < 0 ? commits.length : end
}

/** `commits`: in the order of the branch, one at least, and as many as `countNamed` says at most. `hide` removes secrets of the service. */
export function giveCommits(
  commits: readonly [Commit, ...Commit[]],
  { repository, source }: Origin,
  hide: (text: string) => string,
): GivenCommits {
  const ranges = rangesOf(commits, repository)
  const listed = commits
    .slice(0, mostListed)
    .map(({ commit, subject, author }) => `${commit.slice(0, 12)} ${subject} (${author})`)
  const { payload, leftOut } = boundPayload({ commits: listed }, hide)
  const where = source === undefined ? 'of this repository' : `of the source @${source}`
  const count = commits.length === 1 ? 'One commit' : `${commits.length} commits`
  return {
    ranges,
    source,
    generation: 1 + Math.max(...commits.map(({ generation }) => generation)),
    words: `${count} ${where} started this: ${sayRanges(ranges)}. Read ${ranges.length === 1 ? 'it' : 'them'} before you decide what to write.`,
    data: { payload, leftOut: leftOut + commits.length - listed.length },
  }
}

/** Commits that follow each other are one range. */
function rangesOf(commits: readonly Commit[], repository: string): readonly CommitRange[] {
  const ranges: { repository: string; from: string | null; to: string }[] = []
  for (const { commit, parent } of commits) {
    const last = ranges.at(-1)
    if (last !== undefined && parent === last.to) last.to = commit
    else ranges.push({ repository, from: parent, to: commit })
  }
  return ranges
}

function sayRanges(ranges: readonly CommitRange[]): string {
  const named = ranges
    .slice(0, mostRanges)
    .map(({ from, to }) => (from === null ? `up to ${to}` : `from ${from} to ${to}`))
  const more = ranges.length - named.length
  const rest = more > 0 ? [`${more} more, which the data names`] : []
  return `the ${ranges.length === 1 ? 'change' : 'changes'} ${[...named, ...rest].join(', ')}`
}
