// Writes the title and the summary of the pull request: what was changed, and what was left.

import { shorten } from '../../lib/plain-text.ts'
import type { Instruction } from './instruction.ts'
import type { Call, Outcome } from './script.ts'

export type Finished = { readonly instruction: Instruction | undefined; readonly outcome: Outcome }

const maxTitle = 120
const maxSummary = 10_000

/** Returns the call of `finish`. `mustChange` overrides the form that follows from the outcomes. */
export function finishCall(all: readonly Finished[], mustChange?: boolean): Call {
  const changed = all.filter(({ outcome }) => outcome.changed)
  const input =
    (mustChange ?? changed.length > 0)
      ? { title: title(changed.length > 0 ? changed : all), summary: cut(summary(all), maxSummary) }
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
  parts.push('', 'Made by the built-in rules of Docent, without a language model.')
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
