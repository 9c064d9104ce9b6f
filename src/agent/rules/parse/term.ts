// Parses instructions that replace a term, and where to replace it: pages, folders, code or prose.

import type { ReplaceTerm } from '../instruction.ts'
import { type Match, forms, isEnd, match, skip } from './forms.ts'
import type { Masked } from './masked.ts'
import { type PlaceKind, type Places, readPlace } from './places.ts'
import { countUpkeep } from './upkeep.ts'
import type { Token } from './tokens.ts'

const verb = 'replace|rename|change|update|swap|substitute'
const noun = '*term|terms|word|words|phrase|name|product|string|text|wording'
const mention = `?occurrences|occurrence|mentions|mention|instances|instance|uses|use|references|reference ?of|to ${noun}`
const to = 'to|with|by|into|as|→|->|=> ?be'
const blocks = '?blocks|block|samples|sample|examples|example|snippets|snippet'
const docs = 'docs|documentation|site|pages|page|files|file|repo|repository|project|places'

const pairs = forms(`from=@quote ${to} ${noun} to=@quote`)
const fromForm = forms(`${verb} ${mention} from=@quote`, `${verb} ${noun} from from=@quote`)
const toForm = forms(`${to} ${noun} to=@quote`)
const whole = forms(
  `use|say|write|prefer ${noun} to=@quote instead|rather|in of|than|place ?of ${noun} from=@quote`,
  `${noun} from=@quote is|becomes|should|has|must ?be|become ?called|renamed|named|known ?to|as to=@quote`,
  `rename|replace ${mention} from=@name to|with|by to=@title`,
)
const nothing = forms(
  'everywhere|globally',
  `across|in|on|throughout all|every|each|the|our|whole|entire *all|every|each|the|our|of|whole|entire ${docs}`,
  'consistently|too',
  'as well',
)
const prose = forms('?in|within prose|text', '?in|within body|running text')
const codeToo = forms(
  `?do ?it|this|that|so ?change ?it ?as ?well ?as in|inside|including|include|plus|update ?prose ?and ?in ?inline code ${blocks} ?as ?well`,
  `?inline code ${blocks} ?included`,
)
const notCode = forms(
  `?but not|except|excluding|without|outside|leaving|leave|ignoring|skipping|never|keep|skip|ignore ?in|inside|for|of|touching|changing ?inline code ${blocks} ?alone|unchanged|untouched|as ?it|they|is ?is|are`,
  `do|don't ?not touch|change ?inline code ${blocks}`,
)
const joints = new Set([',', ';', ':', '(', ')', 'and', 'but', 'or'])

type Reading = Places & { inCode: boolean; pairs: (readonly [from: string, to: string])[] }

/** Returns the replacements in a clause; undefined for another instruction, or if a part of it is not understood. */
export function parseTerm(tokens: readonly Token[], masked: Masked): readonly ReplaceTerm[] | undefined {
  const reading: Reading = { inCode: false, scopes: [], including: [], pairs: [] }
  const lead = readPlace(tokens, 0, undefined, { masked, places: reading })
  const start = lead ? skip(tokens, lead.end, joints) : 0
  const end = readPair(tokens, start, masked, reading)
  if (end === undefined || readQualifiers(tokens, end, masked, reading) < tokens.length) return undefined
  const isTerm = (text: string): boolean => text.trim() !== '' && text.length <= 200 && !text.includes('\n')
  if (!reading.pairs.every(([from, fresh]) => isTerm(from) && isTerm(fresh))) return undefined
  const { inCode, scopes, including } = reading
  return reading.pairs.map(([from, fresh]) => {
    return { kind: 'replace', from: from.trim(), to: fresh.trim(), inCode, scopes, including }
  })
}

/**
 * Parses a sentence that qualifies the instructions before it: true for code too, false for prose only, undefined for any
 * other sentence.
 */
export function parseCode(tokens: readonly Token[]): boolean | undefined {
  const code = matchCode(tokens, 0)
  return code && isEnd(tokens, code.match.end) ? code.inCode : undefined
}

function matchCode(tokens: readonly Token[], at: number) {
  const cases = [
    [notCode, false],
    [codeToo, true],
    [prose, false],
  ] as const
  for (const [all, inCode] of cases) {
    const found = match(all, tokens, at)
    if (found) return { match: found, inCode }
  }
  return undefined
}

/** Reads the old and the new term. Qualifiers may come between them: `change "a" in guides/x.mdx to "b"`. */
function readPair(tokens: readonly Token[], start: number, masked: Masked, reading: Reading): number | undefined {
  const at = match(whole, tokens, start)
  if (at) {
    reading.pairs.push([textOf(at, 'from', masked), textOf(at, 'to', masked)])
    return at.end
  }
  const from = match(fromForm, tokens, start)
  if (!from) return undefined
  const middle = match(toForm, tokens, from.end) ? from.end : readQualifiers(tokens, from.end, masked, reading)
  const fresh = match(toForm, tokens, middle)
  if (fresh) reading.pairs.unshift([textOf(from, 'from', masked), textOf(fresh, 'to', masked)])
  return fresh?.end
}

/** Reads all qualifiers from `start` on. Returns the index after them. */
function readQualifiers(tokens: readonly Token[], start: number, masked: Masked, reading: Reading): number {
  let before: PlaceKind
  for (let at = skip(tokens, start, joints); ;) {
    const pair = match(pairs, tokens, at)
    const code = pair ? undefined : matchCode(tokens, at)
    const plain = pair ?? code?.match ?? match(nothing, tokens, at)
    const place = plain ? undefined : readPlace(tokens, at, before, { masked, places: reading })
    const end: number = (plain ?? place)?.end ?? at + countUpkeep(tokens, at)
    if (end === at) return at
    if (pair) reading.pairs.push([textOf(pair, 'from', masked), textOf(pair, 'to', masked)])
    else if (code) reading.inCode = code.inCode
    before = place?.kind
    at = skip(tokens, end, joints)
  }
}

function textOf({ found }: Match, name: string, masked: Masked): string {
  return masked.raw(found[name] ?? [])
}
