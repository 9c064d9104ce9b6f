// From a message to its single instructions: lines, list items, sentences, and parts that `and` or `then` join when a
// verb follows. What follows a colon after the words for a new page is that page's content and is not taken apart.

import { fence } from './masked.ts'

export type Clause = {
  readonly text: string
  /** All that came behind a colon, still masked. */
  readonly content: string | undefined
}

const verbs =
  'replace|rename|retitle|change|update|move|relocate|add|create|delete|remove|set|give|use|swap|substitute|fix|adjust|keep|leave|make|put|open'
const join = new RegExp(
  `\\s*,?\\s+(?:and\\s+(?:then\\s+)?|then\\s+|but\\s+)(?=(?:(?:please|also|finally|afterwards)\\s+)*(?:${verbs}|do not|don't)\\b)|\\s*,\\s*(?=(?:${verbs})\\s)`,
  'giu',
)
const listMark = /^\s*(?:[-*+•]|\d+[.)]|\[[ x]\])\s+/
const newPage = /\b(?:add|create|write|make)\b.*\b(?:page|file|doc|guide|article|[\w-]+\/[\w./-]+|content|text)\b/i

export function splitClauses(masked: string): Clause[] {
  const clauses: Clause[] = []
  const lines = masked.replace(new RegExp(`(?<!\\s)\\s+(?=${fence})`, 'gu'), ' ').split('\n')
  for (const [index, line] of lines.entries()) {
    const text = line.replace(/\s+/g, ' ').replace(listMark, '').trim()
    const colon = /^([^:]*):\s*(.*)$/.exec(text)
    const opens =
      colon?.[1] !== undefined &&
      newPage.test(colon[1]) &&
      !/\b(?:changes|edits|things)\b/i.test(colon[1]) &&
      !new RegExp(`^${fence}`, 'u').test(colon[2] ?? '')
    if (opens && colon[2] === '' && lines.slice(index + 1).some((rest) => rest.trim() !== '')) {
      return [...clauses, ...withContent(colon[1] ?? '', lines.slice(index + 1).join('\n'))]
    }
    if (opens && colon[2] !== '' && !isQuotation(colon[2] ?? ''))
      clauses.push(...withContent(colon[1] ?? '', colon[2] ?? ''))
    else clauses.push(...splitLine(text))
  }
  return clauses
}

/** Is the rest of the line a quotation or an address, so that the colon belongs to the sentence? */
function isQuotation(text: string): boolean {
  return text.startsWith('\u{e000}') || text.startsWith('//')
}

function withContent(text: string, content: string): Clause[] {
  const parts = splitLine(text)
  const last = parts.pop()
  return last ? [...parts, { text: last.text, content }] : []
}

function splitLine(line: string): Clause[] {
  return line
    .split(/(?<=[.!?])\s+|\s*;\s*/)
    .flatMap((sentence) => splitSentence(sentence))
    .map((text) => ({ text: plain(text), content: undefined }))
    .filter(({ text }) => text !== '')
}

/** `In guides/x.mdx, replace …` is one instruction: a place alone belongs to what follows it. */
function splitSentence(sentence: string): string[] {
  const parts: string[] = []
  for (const part of sentence.split(join)) {
    const last = parts.at(-1)
    if (last !== undefined && /^(?:please\s+)?(?:only\s+)?(?:in|on|under|within)\s/i.test(last))
      parts[parts.length - 1] = `${last}, ${part}`
    else parts.push(part)
  }
  return parts
}

/** Without the words of politeness and order around it. */
export function plain(text: string): string {
  const lead =
    /^(?:please|kindly|now|first(?:ly)?|second(?:ly)?|third(?:ly)?|next|then|also|finally|and|hi|hello|hey|docent|(?:could|can|would|will) you|(?:i|we)(?: would|'d|’d)? (?:want|like|need)(?: you)? to|let's|let us|you should|go ahead and)\b[,:!]?\s*/i
  let rest = text.trim()
  for (let next = rest.replace(lead, ''); next !== rest; next = rest.replace(lead, '')) rest = next
  return trimMarks(trimMarks(rest).replace(/,? (?:please|thanks|thank you)$/i, ''))
}

/** By hand: a pattern that ends in `+$` takes quadratic time on long runs in the middle. */
function trimMarks(text: string): string {
  let end = text.length
  while (end > 0 && /[\s.!?,:;]/.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
