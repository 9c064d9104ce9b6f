// Loads what the runs of a branch contributed, if runs of an automation share its pull request.

import type { Finish } from '../../agent/tool.ts'
import type { JobRow } from '../../postgres/schema.ts'
import type { JobOrigin } from '../response.ts'
import type { BranchHistory } from '../review/branch-history.ts'
import { readContribution } from './contribution.ts'
import { readDropped } from './published-hunks.ts'
import type { Entry, Timeline } from './timeline.ts'

/** Undefined for a job whose pull request belongs to one run, or to people. */
export async function loadTimeline(
  { db, jobId, branch, upTo }: BranchHistory,
  { origin }: Pick<JobRow, 'origin'>,
): Promise<Timeline | undefined> {
  const messages = await db
    .selectFrom('messages')
    .select(['run_id', 'contribution', 'created_at'])
    .where('job_id', '=', jobId)
    .where('contribution', 'is not', null)
    .orderBy('ordinal')
    .execute()
  if (messages.length === 0 || origin === null) return undefined
  const runs = await db
    .selectFrom('runs')
    .select(['id', 'finish', 'dropped', 'created_at'])
    .where('job_id', '=', jobId)
    .where('branch', '=', branch)
    .where('number', '<=', upTo)
    .where('error_code', 'is', null)
    .where('finish', 'is not', null)
    .orderBy('number')
    .execute()
  const entries = runs.flatMap(({ id, finish, dropped, created_at: begun }): Entry[] => {
    const own = messages.filter(({ run_id: runId }) => runId === id)
    const said = JSON.parse(finish ?? 'null') as Finish
    if (said.kind !== 'change') return []
    const contributions = own.flatMap((row) => readContribution(row) ?? [])
    return [{ at: own[0]?.created_at ?? begun, contributions, finish: said, dropped: readDropped(dropped) }]
  })
  return { name: (JSON.parse(origin) as JobOrigin).name, entries }
}
