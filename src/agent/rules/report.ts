// Writes the title and the summary of the pull request: what was changed, and what was left.

import { shorten } from '../../lib/plain-text.ts'
import type { PresentText } from '../notices/notices.ts'
import type { Instruction } from './instruction.ts'
import type { Call, Outcome } from './script.ts'

export type Finished = { readonly instruction: Instruction | undefined; readonly outcome: Outcome }

const maxTitle = 120
const madeBy = 'Made by the built-in rules of Docent, without a language model.'
const maxSummary = 10_000

type Reporting = {
  /** Overrides the form that follows from the outcomes. */
  readonly mustChange: boolean | undefined
  /** The text that the new one replaces: it stays in it. */
  readonly present: PresentText | undefined
}

/** Returns the call of `finish`. */
export function finishCall(all: readonly Finished[], { mustChange, present }: Reporting): Call {
  const changed = all.filter(({ outcome }) => outcome.changed)
  const input =
    (mustChange ?? changed.length > 0)
      ? wholeBranch({ title: title(changed.length > 0 ? changed : all), summary: summary(all) }, present)
      : { noChange: cut(mustChange === false ? undone(all) : reasons(all), maxSummary) }
  return { tool: 'finish', input }
}

function describeInstruction(instruction: Instruction): string {
  switch (instruction.kind) {
    case 'replace':
      return `Rename "${instruction.from}" to "${instruction.to}"`
    case 'move':
      return `Move ${instruction.from} to ${instruction.to}`
    case 'delete':
      return `Delete the page ${instruction.path}`
    case 'fix':
      return `Fix ${instruction.noun}s`
    case 'list':
      return 'Add missing pages to the navigation'
    case 'follow':
      return `Update the docs for the changes since ${instruction.since}`
    case 'field':
    default:
      return `Set the ${instruction.field} of ${instruction.path}`
  }
}

/** The title of the first run stays at the beginning; each later run has a part of the summary. */
function wholeBranch(own: PresentText, present: PresentText | undefined): PresentText {
  if (!present) return { title: own.title, summary: cut(own.summary, maxSummary) }
  const before = present.summary.replaceAll(madeBy, '').trim()
  const room = maxSummary - own.summary.length - 4
  const summary = room < 200 ? own.summary : `${cut(before, room)}\n\n${own.summary}`
  return { title: continueTitle(present.title, own.title), summary: cut(summary.trim(), maxSummary) }
}

/** All that fit, and how many more there are. */
function joinTitles(titles: readonly string[]): string {
  const [first = 'Change the documentation', ...others] = titles.map((one) => one.replace(/\s+/g, ' '))
  for (let shown = others.length; shown > 0; shown -= 1) {
    const joined = [first, ...others.slice(0, shown).map(continued)].join(', ') + andMore(others.length - shown)
    if (joined.length <= maxTitle) return joined
  }
  const ending = andMore(others.length)
  return cut(first, maxTitle - ending.length) + ending
}

function andMore(count: number): string {
  return count === 0 ? '' : ` and ${count} more`
}

function continued(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1)
}

/** Adds the title of a later run to the one of the earlier runs. If that one counts already, it counts one more. */
function continueTitle(present: string, own: string): string {
  const [, first, more] = /^(.*) and (\d{1,4}) more$/.exec(present) ?? []
  if (first === undefined) return joinTitles([present, own])
  const ending = andMore(Number(more) + 1)
  return cut(first, maxTitle - ending.length) + ending
}

function title(changed: readonly Finished[]): string {
  return joinTitles(
    changed.flatMap(({ instruction, outcome }) =>
      instruction ? [outcome.title ?? describeInstruction(instruction)] : [],
    ),
  )
}

function summary(all: readonly Finished[]): string {
  const done = all.flatMap(({ outcome }) => outcome.done)
  const left = all.flatMap(({ outcome }) => outcome.left)
  const parts = done.map((one) => `- ${one}`)
  if (left.length > 0) parts.push('', 'Left as it is:', ...left.map((one) => `- ${one}`))
  parts.push('', madeBy)
  return parts.join('\n').trim()
}

/** The changes of several instructions may cancel each other out. */
function undone(all: readonly Finished[]): string {
  const left = all.flatMap(({ outcome }) => outcome.left)
  return ['The changes cancel each other out: the files are as they were.', ...left].join(' ')
}

function reasons(all: readonly Finished[]): string {
  const sentences = all.flatMap(({ outcome }) => [...outcome.done, ...outcome.left])
  return sentences.length === 0 ? 'The message does not ask for a change.' : sentences.join(' ')
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : shorten(text, length - 1)
}
