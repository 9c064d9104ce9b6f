// The contribution of a run of an automation to a pull request that several of its runs share. It is stored with its message, which starts a
// run of the job and never joins one in progress: before each, the base is merged into the branch.

import { sql } from 'kysely'
import type { MessageRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'

/** The commits after `from` up to `to`, by first parents. `from` null: also the first commit of all. */
export type CommitRange = { readonly repository: string; readonly from: string | null; readonly to: string }

export type Contribution = {
  /** The run of the automation. */
  readonly runId: string
  /** Its trigger, in a few words that may be from outside. */
  readonly by: string
  readonly ranges: readonly CommitRange[]
  /** Why it began a pull request although there is an open one, as a sentence; null: no other one was open. */
  readonly because: string | null
  /** The job from which it moved, and whose pull request takes no more. */
  readonly left?: string
}

export function readContribution({ contribution }: Pick<MessageRow, 'contribution'>): Contribution | undefined {
  return contribution === null ? undefined : (JSON.parse(contribution) as Contribution)
}

export type WaitingContribution = { readonly id: string; readonly contribution: Contribution }

/** Those that no run has taken yet, in order. */
export async function loadWaiting(db: Db | Trx, jobId: string): Promise<readonly WaitingContribution[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'contribution'])
    .where('job_id', '=', jobId)
    .where('run_id', 'is', null)
    .where('contribution', 'is not', null)
    .orderBy('ordinal')
    .execute()
  return rows.flatMap(({ id, ...row }) => {
    const contribution = readContribution(row)
    return contribution ? [{ id, contribution }] : []
  })
}

/** Gives them to a run that is prepared for them. Its first turn sends them to the model. */
export async function assignContributions(
  trx: Trx,
  runId: string,
  waiting: readonly Pick<WaitingContribution, 'id'>[],
): Promise<void> {
  if (waiting.length === 0) return
  await sql`/* contributions.assign */ update messages set run_id = ${runId}
    where run_id is null and id in (${sql.join(waiting.map(({ id }) => id))})`.execute(trx)
}
/** Those of a run; empty for a run that only people asked for. */
export async function loadContributions(db: Db | Trx, runId: string): Promise<readonly Contribution[]> {
  const rows = await db
    .selectFrom('messages')
    .select('contribution')
    .where('run_id', '=', runId)
    .where('contribution', 'is not', null)
    .orderBy('ordinal')
    .execute()
  return rows.flatMap((row) => readContribution(row) ?? [])
}
