// The title and the text of a pull request that several runs share: what each of them contributed, the newest first. Pure.

import type { Finish } from '../../agent/tool.ts'
import { weakenTitle } from '../../forge/powers/plain.ts'
import { inlineCode, plainText, shorten } from '../../lib/plain-text.ts'
import { type Description, summaryOf, weakTitleOf } from '../pulls/description.ts'
import type { CommitRange, Contribution } from './contribution.ts'
import { type DroppedHunk, listDropped } from './published-hunks.ts'

export type Entry = {
  /** When it was started. */
  readonly at: Date
  /** The runs of the automation that the run of the job is; empty: people asked for it. */
  readonly contributions: readonly Contribution[]
  readonly finish: Finish
  readonly dropped: readonly DroppedHunk[]
}

export type Timeline = {
  /** The name of the automation. */
  readonly name: string
  /** In the order of the runs; each has changed something. */
  readonly entries: readonly Entry[]
}

/** A whole text of each would not fit where there are ten. */
const olderCharacters = 1_000
const mostRanges = 5

export function describeTimeline({ name, entries }: Timeline): Description {
  const last = entries.at(-1)
  const what = entries.length === 1 && last ? weakTitleOf(last.finish) : `${entries.length} runs`
  const title = weakenTitle(plainText(`${name}: ${what}`).replaceAll(/\s+/g, ' ').trim()) || what
  const parts = entries.toReversed().map((entry, at) => sayEntry(entry, at === 0 ? undefined : olderCharacters))
  return { title, body: parts.join('\n\n---\n\n') }
}

function sayEntry({ at, contributions, finish, dropped }: Entry, mostCharacters: number | undefined): string {
  const day = at.toISOString().slice(0, 10)
  const by = contributions.length === 0 ? 'a message' : contributions.map((one) => inlineCode(one.by, 100)).join(', ')
  const ranges = contributions.flatMap((one) => one.ranges)
  const because = contributions.flatMap((one) => (one.because === null ? [] : [inlineCode(one.because, 300)]))
  const text = summaryOf(finish)
  return [
    `**${day}: ${weakTitleOf(finish)}**`,
    [`Started by ${by}.`, sayRanges(ranges), ...because.map((why) => `A new pull request: ${why}`)]
      .filter((part) => part !== '')
      .join(' '),
    mostCharacters === undefined ? text : shorten(text, mostCharacters),
    ...(dropped.length === 0
      ? []
      : [`Left out, because people have rejected the same changes: ${inlineCode(listDropped(dropped), 500)}.`]),
  ].join('\n\n')
}

function sayRanges(ranges: readonly CommitRange[]): string {
  if (ranges.length === 0) return ''
  const shown = ranges.slice(0, mostRanges).map(({ repository, from, to }) => {
    return inlineCode(`${repository} ${from === null ? '' : `${from.slice(0, 12)}..`}${to.slice(0, 12)}`, 200)
  })
  const more = ranges.length - shown.length
  return `Commits: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`
}
