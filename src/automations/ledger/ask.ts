// "Look at it after all": a person wants a run for commits that were skipped, set aside or rejected. They are not judged again.

import { sql } from 'kysely'
import type { JobsContext } from '../../jobs/context.ts'
import { Failure } from '../../lib/failure.ts'
import type { AutomationRow } from '../../postgres/schema/automations.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { type IdempotentRequest, once, type Once } from '../../requests/idempotency.ts'
import { lockAutomation, lockForAutomations } from '../automations.ts'
import { consume, type RateLimit } from '../../requests/rate-limits.ts'
import { triggerOf } from '../automation.ts'
import { refuseStopped } from '../runs/by-person.ts'
import { toRuns } from '../runs/list.ts'
import type { AutomationRun } from '../runs/run.ts'
import { startRun } from '../runs/start.ts'

export type Asked = {
  readonly projectId: string
  readonly source: string | null
  readonly commits: readonly string[]
  readonly by: { readonly name: string; readonly personId: string | undefined }
}

/**
 * The run waits until the automation has no other one, and counts against the limit of new jobs. Throws `not_found` if no automation that is on has these commits.
 */
export async function askForCommits(
  context: JobsContext,
  asked: Asked,
  request: IdempotentRequest | undefined,
  limit: RateLimit,
): Promise<Once<AutomationRun>> {
  const { db } = context
  const found = await findAutomation(db, asked)
  if (!found) {
    throw new Failure(
      'not_found',
      'No automation that is on has these commits: turn one on that follows the source, with `since` if it is new.',
    )
  }
  return await once(db, request, async (trx) => {
    const project = await lockForAutomations(trx, asked.projectId)
    const automation = await lockAutomation(trx, asked.projectId, found.id)
    const now = context.clock.now()
    refuseStopped(automation, now)
    await wantAgain(trx, automation, asked.commits, now)
    const row = await startRun(trx, context, { automation, project, by: { trigger: 'person', ...asked.by }, now })
    await consume(trx, limit, asked.projectId)
    const [run] = await toRuns({ ...context, db: trx }, [row])
    if (!run) throw new Failure('internal', 'The run is not there.')
    return run
  })
}

/** The one that is on and has most of them. */
async function findAutomation(db: Db, { projectId, source, commits }: Asked): Promise<AutomationRow | undefined> {
  if (commits.length === 0) return undefined
  const rows = await db
    .selectFrom('automations')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('enabled', '=', true)
    .orderBy('created_at')
    .execute()
  const following = rows.filter((row) => {
    const trigger = triggerOf(row)
    return trigger.type === 'code' && trigger.source === source
  })
  const counted = await Promise.all(
    following.map(async (automation) => {
      const { count } = await db
        .selectFrom('automation_commits')
        .select((e) => e.fn.countAll<string>().as('count'))
        .where('automation_id', '=', automation.id)
        .where(sql<boolean>`commit = any(${commits}::text[])`)
        .where('left_at', 'is', null)
        .executeTakeFirstOrThrow()
      return { automation, count: Number(count) }
    }),
  )
  const [best] = counted.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)
  return best?.automation
}

/** A commit in a run that has not ended stays there. */
async function wantAgain(trx: Trx, { id }: AutomationRow, commits: readonly string[], now: Date): Promise<void> {
  await trx
    .updateTable('automation_commits')
    .set({ state: 'waiting', is_wanted: true, asked_at: now, run_id: null, reason: null, decided_at: null })
    .where('automation_id', '=', id)
    .where(sql<boolean>`commit = any(${commits}::text[])`)
    .where('left_at', 'is', null)
    .where((e) =>
      e.or([
        e('state', '<>', 'in_run'),
        // People closed its pull request, there is no pull request, or nobody has answered its question.
        e(
          'run_id',
          'in',
          e
            .selectFrom('automation_runs')
            .innerJoin('jobs', 'jobs.id', 'automation_runs.job_id')
            .select('automation_runs.id')
            .where('settled_at', 'is not', null)
            .where((w) =>
              w.or([w('pull_state', 'is', null), w('pull_state', '=', 'closed'), w('has_question', '=', true)]),
            ),
        ),
      ]),
    )
    .execute()
}
