// Docent as its own forge: the forge interface over the `pulls` table.

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Forge, Proposal, PullRequest, RunClaim } from '../forge.ts'
import { Failure } from '../../lib/failure.ts'
import type { PullRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { closePull, ignoreEnded, type PullsContext, refreshPull } from './pulls.ts'
import { pullPath } from './response.ts'

export function createOwnForge(context: PullsContext): Forge {
  return {
    get: async (projectId, { number }, signal) => {
      const row = await refreshPull(context, { projectId, number }, signal)
      return row && toPullRequest(row)
    },
    propose: (projectId, proposal) => propose(context.db, projectId, proposal),
    close: (projectId, { number }, claim) =>
      context.db.transaction().execute(async (trx) => {
        await refuseLost(trx, claim)
        await closePull({ ...context, db: trx }, projectId, number).catch(ignoreEnded)
      }),
  }
}

/**
 * Locks the project in one transaction, so that numbers have no gaps and a branch has one open pull request. If an
 * ended pull request has the same head, this proposal created it before a crash, and the function returns it.
 */
function propose(db: Db, projectId: string, proposal: Proposal): Promise<PullRequest> {
  return db.transaction().execute(async (trx) => {
    await sql`/* pulls.lock */ select 1 from projects where id = ${projectId} for no key update`.execute(trx)
    await refuseLost(trx, proposal.claim)
    const change = {
      title: proposal.title,
      body: proposal.body,
      base_commit: proposal.baseCommit,
      head_commit: proposal.headCommit,
      updated_at: sql<Date>`now()`,
    }
    const known = await trx
      .selectFrom('pulls')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('branch', '=', proposal.branch)
      .where((e) => e.or([e('state', '=', 'open'), e('head_commit', '=', proposal.headCommit)]))
      .orderBy('number', 'desc')
      .executeTakeFirst()
    if (known && known.state !== 'open') return toPullRequest(known)
    if (known) {
      await trx
        .updateTable('pulls')
        .set(change)
        .where('project_id', '=', projectId)
        .where('number', '=', known.number)
        .execute()
      return toPullRequest(known)
    }
    const made = await trx
      .insertInto('pulls')
      .values({
        ...change,
        project_id: projectId,
        number: sql<number>`(select coalesce(max(number), 0) + 1 from pulls where project_id = ${projectId})`,
        job_id: proposal.jobId,
        branch: proposal.branch,
        base: proposal.base,
        state: 'open',
        token: randomBytes(16).toString('base64url'),
        merge_commit: null,
        created_at: sql<Date>`now()`,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toPullRequest(made)
  })
}

/** Refuses a run that was cancelled or taken over. Its new worker may be waiting for this lock. */
async function refuseLost(trx: Trx, { runId, fence }: RunClaim): Promise<void> {
  const { rows } = await sql`/* pulls.claim */ select 1 from runs
    where id = ${runId} and fence = ${fence} and state = 'running' for share`.execute(trx)
  if (rows.length === 0) throw new Failure('forge_refused', 'The run that asks for this has ended or was taken over.')
}

function toPullRequest(row: PullRow): PullRequest {
  const mergedAt = row.state === 'merged' ? row.updated_at.toISOString() : null
  return { forge: 'docent', number: row.number, state: row.state, draft: false, mergedAt, link: pullPath(row.token) }
}
