// A message of the user as a list of instructions, in order; or the part of it that is none.
// All of a message is understood before anything of it is done.

import { type Clause, plain, splitClauses } from './clauses.ts'
import type { CreatePage, Instruction } from '../instruction.ts'
import { type Masked, maskQuotations } from './masked.ts'
import { parseField } from './field.ts'
import { parseCreate, parseDelete, parseGroup, parseMove } from './page.ts'
import { parseTerm } from './term.ts'

export type ParsedPrompt = { readonly instructions: readonly Instruction[] } | { readonly problem: string }

/** Longer than any instruction without its quotations; keeps the patterns below from long work. */
const maxClause = 2000

/** Words that ask for what is done anyway, or for nothing. */
const idle: readonly RegExp[] = [
  /^(?:thanks|thank you|cheers|many thanks)(?: very much| in advance| a lot)?$/i,
  /^(?:continue|go on|try again|retry|proceed|resume|carry on|keep going)(?: with (?:it|the work|that))?$/i,
  /^(?:update|fix|adjust|correct|keep|mend|change|remove|delete|unlink) (?:(?:all|any|every|its|the|other|internal|inbound|incoming|existing) )*(?:links?|navigation|nav|references?|anchors?|mentions of it)(?:(?: and|,) (?:the )?(?:links?|navigation|nav|references?|anchors?))*(?: (?:to it|to them|that point to it|pointing to it|accordingly|working|right|intact|too|as well|everywhere|in the navigation|in docs\.json))*$/i,
  /^(?:open|create|make|prepare) (?:a |the )?(?:pull request|pr|merge request)(?: (?:for|with) (?:it|this|that|review|the changes?))?$/i,
  /^(?:do not|don't|dont) (?:change|touch|edit) (?:anything|something) else$/i,
  /^(?:leave|keep) everything else (?:alone|unchanged|as it is)$/i,
  /^(?:nothing else|that's all|that is all)$/i,
  /^(?:do|make|apply) (?:the following|these|this)(?: (?:changes?|edits?|things|steps|updates?))?(?: (?:in|to|on) (?:the )?(?:docs|documentation|pages?|site))?$/i,
]
const codeToo =
  /^(?:do (?:it|this|that|so) )?(?:also )?(?:in|inside|including|include|change it in|update) (?:the |all )?(?:inline )?code(?: blocks?| samples?| examples?| snippets?)?(?: too| also| as well)?$/i
const noCode =
  /^(?:(?:leave|keep|skip|ignore|do not touch|do not change|don't touch|don't change|not in|only in prose|in prose only|prose only)(?: (?:the|all|any))?)(?: (?:inline )?code(?: blocks?| samples?| examples?| snippets?)?)?(?: (?:alone|unchanged|untouched|as (?:it is|is|they are)))?$/i

export function parsePrompt(prompt: string): ParsedPrompt {
  const masked = maskQuotations(prompt)
  const instructions: Instruction[] = []
  for (const clause of splitClauses(masked.text)) {
    const text = plain(clause.text)
    if (text.length > maxClause) return { problem: masked.restore(clause.text) }
    if (clause.content === undefined && (text === '' || isIdle(text) || qualify(text, masked, instructions))) continue
    const parsed = parseClause({ ...clause, text }, masked)
    if (!parsed) return { problem: masked.restore(clause.text) }
    instructions.push(...parsed)
  }
  return { instructions }
}

function parseClause(clause: Clause, masked: Masked): readonly Instruction[] | undefined {
  const created = parseCreate(clause, masked)
  if (created || clause.content !== undefined) return created && [created]
  const field = parseField(clause.text, masked)
  if (field) return [field]
  const deleted = parseDelete(clause, masked)
  if (deleted) return deleted
  const moved = parseMove(clause, masked)
  return moved ? [moved] : parseTerm(clause.text, masked)
}

function isIdle(text: string): boolean {
  return idle.some((pattern) => pattern.test(text))
}

/** A sentence about the instructions before it. */
function qualify(text: string, masked: Masked, instructions: Instruction[]): boolean {
  const isNoCode = noCode.test(text)
  if (isNoCode || codeToo.test(text)) {
    const changed = instructions.map((one) => (one.kind === 'replace' ? { ...one, inCode: !isNoCode } : one))
    instructions.splice(0, instructions.length, ...changed)
    return instructions.some((one) => one.kind === 'replace')
  }
  const found = parseGroup(text, masked)
  const last = instructions.findLastIndex((one) => one.kind === 'create')
  if (!found || last === -1) return false
  instructions[last] = { ...(instructions[last] as CreatePage), group: found.group }
  return true
}
