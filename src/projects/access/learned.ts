// Keeps the rules by which a host refused a push, where its API does not show them: the next run is judged by them before the
// model is asked. A push that a check proves forgets them.

import type { Judged, PublishSetting, PushRule } from '../../forge/rules/rule.ts'
import type { Violation } from '../../lib/push-rules/rule-violations.ts'
import type { Db } from '../../postgres/types.ts'

/** The rule for the next push, or undefined if the violation is that of one change, such as a large file. */
export function toRule({ kind, words, pattern }: Violation, { settings }: Judged): PushRule | undefined {
  const kept = (setting: PublishSetting): PushRule => ({ kind: 'kept', words, setting, value: settings[setting] })
  switch (kind) {
    case 'message':
    case 'branch':
      if (pattern === null) return kept(kind === 'message' ? 'commit.prefix' : 'pullRequest.branchPrefix')
      return { kind: 'text', of: kind, operator: 'regex', pattern, isNegated: false, isMultiline: kind === 'message' }
    case 'author':
      return kept('commit.author')
    case 'closed':
      return kept('pullRequest.branchPrefix')
    case 'signature':
    case 'signOff':
      return { kind }
    case 'size':
    case 'secrets':
      return undefined
    default:
      return kind satisfies never
  }
}

export async function readLearned(db: Db, projectId: string): Promise<readonly PushRule[]> {
  const query = db.selectFrom('projects').select('learned_rules').where('id', '=', projectId)
  const { learned_rules: stored = null } = (await query.executeTakeFirst()) ?? {}
  return stored === null ? [] : (JSON.parse(stored) as readonly PushRule[])
}

const mostRules = 20

export async function keepLearned(db: Db, projectId: string, rules: readonly PushRule[]): Promise<void> {
  const known = await readLearned(db, projectId)
  const all = new Map([...known, ...rules].map((rule) => [JSON.stringify(rule), rule]))
  if (all.size === known.length) return
  const stored = JSON.stringify([...all.values()].slice(-mostRules))
  await db.updateTable('projects').set({ learned_rules: stored }).where('id', '=', projectId).execute()
}

export async function forgetLearned(db: Db, projectId: string): Promise<void> {
  await db.updateTable('projects').set({ learned_rules: null }).where('id', '=', projectId).execute()
}
