// Parses a user's message into a list of instructions in order, or names the part that it does not understand. The whole
// message is parsed before any instruction is carried out.

import { withoutPlace } from '../../comment.ts'
import type { CreatePage, Instruction } from '../instruction.ts'
import { type Clause, splitClauses } from './clauses.ts'
import { parseField } from './field.ts'
import { forms, isFiller, match } from './forms.ts'
import { type Masked, maskQuotations } from './masked.ts'
import { parseCreate, parseDelete, parseGroup, parseMove } from './page.ts'
import { parseProblems } from './problems.ts'
import { parseCode, parseTerm } from './term.ts'
import type { Token } from './tokens.ts'
import { isIdle } from './upkeep.ts'

export type ParsedPrompt = { readonly instructions: readonly Instruction[] } | { readonly problem: string }

const leads = forms(
  'now|first|firstly|second|secondly|third|thirdly|next|then|also|finally|and|hi|hello|hey|docent|please|kindly|the|a|an|all|every|each|only',
  'could|can|would|will you',
  "i|we|i'd|we'd ?would want|like|need ?you to",
  "let's",
  "let ?us ?'s",
  'you should',
  'go ahead and',
)
const endings = new Set(['please', 'thanks', 'thank', 'you'])

export function parsePrompt(prompt: string): ParsedPrompt {
  const masked = maskQuotations(withoutPlace(prompt))
  const instructions: Instruction[] = []
  const isOpening = (tokens: readonly Token[]) => parseCreate(withoutPoliteness(tokens), masked, '') !== undefined
  for (const { tokens, content } of splitClauses(masked.text, isOpening)) {
    const said = withoutPoliteness(tokens)
    if (content === undefined && (said.length === 0 || isIdle(said) || qualify(said, masked, instructions))) continue
    const parsed = parseClause({ tokens: said, content }, masked)
    if (!parsed) return { problem: masked.restore(masked.text.slice(said[0]?.start, said.at(-1)?.end)) }
    instructions.push(...parsed)
  }
  return { instructions }
}

function parseClause({ tokens, content }: Clause, masked: Masked): readonly Instruction[] | undefined {
  const created = parseCreate(tokens, masked, content)
  if (created || content !== undefined) return created && [created]
  const one = parseProblems(tokens, masked) ?? parseField(tokens, masked) ?? parseMove(tokens, masked)
  return one ? [one] : (parseDelete(tokens, masked) ?? parseTerm(tokens, masked))
}

/** Removes greetings, `could you`, `then` and `please`, and punctuation at both ends. */
function withoutPoliteness(tokens: readonly Token[]): readonly Token[] {
  let start = 0
  let end = tokens.length
  for (let token = tokens[start]; token; token = tokens[start]) {
    const lead = isFiller(token) ? undefined : match(leads, tokens, start)
    if (token.kind !== 'mark' && !isFiller(token) && !lead) break
    start = lead?.end ?? start + 1
  }
  for (let token = tokens[end - 1]; token && end > start; token = tokens[end - 1]) {
    if (token.kind !== 'mark' && !endings.has(token.text) && !isFiller(token)) break
    end -= 1
  }
  return tokens.slice(start, end)
}

/** Applies a sentence that qualifies the instructions before it, such as `in code too`. */
function qualify(tokens: readonly Token[], masked: Masked, instructions: Instruction[]): boolean {
  const inCode = parseCode(tokens)
  if (inCode !== undefined) {
    const changed = instructions.map((one) => (one.kind === 'replace' ? { ...one, inCode } : one))
    instructions.splice(0, instructions.length, ...changed)
    return instructions.some((one) => one.kind === 'replace')
  }
  const found = parseGroup(tokens, masked)
  const last = instructions.findLastIndex((one) => one.kind === 'create')
  if (!found || last === -1) return false
  instructions[last] = { ...(instructions[last] as CreatePage), group: found.group }
  return true
}
