// Reads the rules of GitHub's rulesets that apply to a branch. GitHub lists them also for an account that may pass them, so the
// ruleset of a rule that would refuse is read, too: it says whether this account passes.

import { z } from 'zod'
import { isStatus, parseReply } from '../parse.ts'
import { encodePath, text } from '../reply/shapes.ts'
import { describeRule } from '../rules/judge.ts'
import { operators, type JudgedText, type PushRule } from '../rules/rule.ts'
import type { GitHub } from './github.ts'

const patternSchema = z.object({
  operator: z.enum(operators),
  pattern: text(5_000),
  negate: z.boolean().optional(),
})
const ruleSchema = z.object({
  type: text(100),
  ruleset_id: z.int().positive().optional(),
  parameters: z.unknown().optional(),
})
const rulesetSchema = z.object({ current_user_can_bypass: text(100).optional() })

const pageSize = 100

/** Returns no rules where GitHub does not show them: on older servers, or to a token that may not read them. */
export async function readGitHubRules(
  github: GitHub,
  branch: string,
  signal: AbortSignal,
): Promise<readonly PushRule[]> {
  const { client, path, asked } = github
  const request = { path: `${path}/rules/branches/${encodePath(branch)}`, query: { per_page: pageSize } }
  const reply = await client.ask({ method: 'GET', ...request }, signal)
  if (isStatus(reply, 403, 404)) return []
  const rows = parseReply(reply, z.array(ruleSchema), asked.read)
  const found = rows.flatMap((row) => {
    const rule = toRule(row)
    return rule === undefined ? [] : [{ rule, ruleset: row.ruleset_id }]
  })
  const passes = await bypassesOf(github, [...new Set(found.map(({ ruleset }) => ruleset))], signal)
  return found.flatMap(({ rule, ruleset }) => {
    const bypass = passes.get(ruleset)
    if (bypass === undefined) return [{ kind: 'unknown', words: wordsOf(rule) } as const]
    return bypass ? [] : [rule]
  })
}

type Row = z.infer<typeof ruleSchema>

const patterns: Readonly<Record<string, JudgedText>> = {
  commit_message_pattern: 'message',
  branch_name_pattern: 'branch',
  commit_author_email_pattern: 'authorEmail',
  committer_email_pattern: 'committerEmail',
}
const closed: Readonly<Record<string, string>> = {
  creation: 'only some accounts may create such a branch',
  update: 'only some accounts may push to such a branch',
}

/** Undefined: it does not judge what a job pushes, or only by the files that it changes. */
function toRule({ type, parameters }: Row): PushRule | undefined {
  if (type === 'required_signatures') return { kind: 'signature' }
  const words = Object.hasOwn(closed, type) ? closed[type] : undefined
  if (words !== undefined) return { kind: 'closed', words }
  if (type === 'pull_request') return { kind: 'unknown', words: 'changes to such a branch need a pull request' }
  const of = Object.hasOwn(patterns, type) ? patterns[type] : undefined
  if (of === undefined) return undefined
  const parsed = patternSchema.safeParse(parameters)
  if (!parsed.success) return { kind: 'unknown', words: `a rule of the kind ${type.replaceAll('_', ' ')}` }
  const { operator, pattern, negate = false } = parsed.data
  return { kind: 'text', of, operator, pattern, isNegated: negate }
}

/** By ruleset: whether this account passes its rules. Undefined: GitHub does not say. */
async function bypassesOf(
  { client, path }: GitHub,
  rulesets: readonly (number | undefined)[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number | undefined, boolean | undefined>> {
  const ask = async (id: number | undefined): Promise<[number | undefined, boolean | undefined]> => {
    if (id === undefined) return [id, false]
    const reply = await client.ask({ method: 'GET', path: `${path}/rulesets/${id}` }, signal)
    const { data } = rulesetSchema.safeParse(reply.kind === 'response' && reply.status === 200 ? reply.body : undefined)
    const bypass = data?.current_user_can_bypass
    return [id, bypass === undefined ? undefined : ['always', 'exempt'].includes(bypass)]
  }
  return new Map(await Promise.all(rulesets.slice(0, mostRulesets).map(ask)))
}

const mostRulesets = 10

function wordsOf(rule: PushRule): string {
  return `GitHub does not say whether this account may pass a rule (${describeRule(rule)})`
}
