// Splits a message into single instructions: lines, list items, sentences, and clauses joined by `and` or `then` if a
// verb follows. If a sentence creates a page and ends with a colon, the text after it is the content of that page and is
// not split.

import { isFiller } from './forms.ts'
import { fence } from './masked.ts'
import { type Token, tokenize } from './tokens.ts'

export type Clause = {
  readonly tokens: readonly Token[]
  /** Everything after the colon, still masked. */
  readonly content: string | undefined
}

const verbs = new Set(
  `replace rename retitle change update move relocate add create delete remove set give use swap substitute fix repair
  adjust list complete keep leave make put open get do don't`.split(/\s+/),
)
const joiners = new Set([',', 'and', 'then', 'but', 'finally', 'afterwards', 'please', 'also'])
const leads = new Set(['in', 'on', 'under', 'within'])
const listMark = /^\s*(?:[-*+•]|\d+[.)]|\[[ x]\])\s+/

/** `isOpening`: whether these tokens create a page, so that the text after a colon is its content. */
export function splitClauses(masked: string, isOpening: (tokens: readonly Token[]) => boolean): readonly Clause[] {
  const text = masked.replace(new RegExp(`(?<!\\s)\\s+(?=${fence})`, 'gu'), (space) => ' '.repeat(space.length))
  const clauses: Clause[] = []
  for (let start = 0; start <= text.length;) {
    const end = (text.indexOf('\n', start) + 1 || text.length + 1) - 1
    const tokens = tokenize(text, start + (listMark.exec(text.slice(start, end))?.[0].length ?? 0), end)
    const colon = tokens.findIndex(({ text }) => text === ':')
    const sentences = splitSentences(colon === -1 ? [] : tokens.slice(0, colon))
    const last = sentences.at(-1)
    const next = tokens[colon + 1]?.kind
    if (last && next !== 'quote' && next !== 'fence' && isOpening(last)) {
      const from = tokens[colon]?.end ?? end
      const isWhole = next === undefined
      const content = isWhole ? text.slice(from) : text.slice(from, end)
      clauses.push(...sentences.slice(0, -1).map(plain), { tokens: last, content })
      if (isWhole) return clauses
    } else clauses.push(...splitSentences(tokens).map(plain))
    start = end + 1
  }
  return clauses
}

function plain(tokens: readonly Token[]): Clause {
  return { tokens, content: undefined }
}

function splitSentences(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = [[]]
  // `In guides/x.mdx, replace …` is one instruction.
  let isLead = leads.has(tokens[0]?.text ?? '')
  for (let at = 0; at < tokens.length;) {
    const taken = tokens.slice(at, at + Math.max(1, countJoiners(tokens, at)))
    const [token] = taken
    at += taken.length
    const isBreak = token?.kind === 'mark' && '.!?;'.includes(token.text)
    const isJoint = token !== undefined && joiners.has(token.text) && startsInstruction(tokens, at)
    if (isBreak || (isJoint && !isLead)) {
      sentences.push([])
      isLead = leads.has(tokens[at]?.text ?? '')
    } else sentences.at(-1)?.push(...taken)
    if (isJoint) isLead = false
  }
  return sentences.filter((sentence) => sentence.some(({ kind }) => kind !== 'mark'))
}

function countJoiners(tokens: readonly Token[], at: number): number {
  let end = at
  for (let token = tokens[end]; token && joiners.has(token.text); token = tokens[end]) end += 1
  for (let token = tokens[end]; end > at && token && isFiller(token); token = tokens[end]) end += 1
  return end - at
}

function startsInstruction(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (!token || !verbs.has(token.text)) return false
  return token.text !== 'do' || tokens[at + 1]?.text === 'not'
}
