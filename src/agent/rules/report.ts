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
    case 'create':
      return `Add the page ${instruction.path}`
    case 'delete':
      return `Delete the page ${instruction.path}`
    case 'fix':
      return `Fix ${instruction.noun}s`
    case 'list':
      return 'Add missing pages to the navigation'
    case 'field':
    default:
      return `Set the ${instruction.field} of ${instruction.path}`
  }
}

/** The title of the first run stays, with the number of later ones; each later run has a part of the summary. */
function wholeBranch(own: PresentText, present: PresentText | undefined): PresentText {
  if (!present) return { title: own.title, summary: cut(own.summary, maxSummary) }
  const before = present.summary.replaceAll(madeBy, '').trim()
  const room = maxSummary - own.summary.length - 4
  const summary = room < 200 ? own.summary : `${cut(before, room)}\n\n${own.summary}`
  return { title: oneMore(present.title), summary: cut(summary.trim(), maxSummary) }
}

function oneMore(title: string): string {
  const [, first = title, more = '0'] = /^(.*) and (\d{1,4}) more$/.exec(title) ?? []
  const ending = ` and ${Number(more) + 1} more`
  return cut(first, maxTitle - ending.length) + ending
}

function title(changed: readonly Finished[]): string {
  const names = changed.flatMap(({ instruction, outcome }) =>
    instruction ? [outcome.title ?? describeInstruction(instruction)] : [],
  )
  const [first = 'Change the documentation'] = names
  const more = names.length > 1 ? ` and ${names.length - 1} more` : ''
  return cut(first.replace(/\s+/g, ' '), maxTitle - more.length) + more
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
