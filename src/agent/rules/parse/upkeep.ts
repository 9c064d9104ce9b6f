// Recognises sentences, and ends of sentences, that request work that is always done anyway (updating links and
// navigation), or that request nothing.

import { forms, isEnd, isFiller, match, skip } from './forms.ts'
import type { Token } from './tokens.ts'

const doing =
  'update fix adjust correct keep mend change remove delete unlink drop clean up including with along together'
const things =
  'link links reference references mention mentions navigation nav sidebar menu entry entries anchor anchors'
const around = `and everywhere its their other internal inbound incoming existing to of for in from on it them this that
  page docs.json docs documentation site which point points lead leads pointing at working right intact as well , incl`
const words = new Set(`${doing} ${things} ${around}`.split(/\s+/))
const thingWords = new Set(things.split(' '))
const doingWords = new Set(doing.split(' '))

const idle = forms(
  'thanks|cheers ?very ?much ?in ?advance ?lot',
  '?many thanks',
  'thank you ?very ?much ?in ?advance',
  'continue|proceed|retry|resume ?with ?it|work|that',
  'go|carry on ?with ?it|work|that',
  'try again',
  'keep going',
  'open|create|make|prepare pull|merge|pr ?request ?for|with ?it|this|that|review|changes|change',
  "do|don't|dont ?not change|touch|edit anything|something else",
  'leave|keep everything else ?alone|unchanged|as ?it ?is',
  'nothing else',
  'find|check|look ?for',
  "that ?'s ?is",
  'do|make|apply following|these|this ?changes|change|edits|edit|things|steps|updates ?in|to|on ?docs|documentation|pages|page|site',
)

/** Returns the number of tokens from `at` on that ask to update links and navigation. */
export function countUpkeep(tokens: readonly Token[], at: number): number {
  const end = skip(tokens, at, words)
  const taken = tokens.slice(at, end)
  return taken.some(({ text }) => thingWords.has(text)) ? taken.length : 0
}

/** Whether the rest contains only such requests, or nothing. */
export function isUpkeep(tokens: readonly Token[], at: number): boolean {
  return tokens.slice(at).every((token) => words.has(token.text) || token.kind === 'mark' || isFiller(token))
}

export function isIdle(tokens: readonly Token[]): boolean {
  const found = match(idle, tokens)
  if (found && isEnd(tokens, found.end)) return true
  return doingWords.has(tokens[0]?.text ?? '') && countUpkeep(tokens, 0) > 0 && isUpkeep(tokens, 0)
}
