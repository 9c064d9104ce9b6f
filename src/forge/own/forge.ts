// Docent as its own forge: the forge interface over the `pulls` table.

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { refuseLost } from '../claim.ts'
import type { FactsPart, Forge, JobBranch, Proposal, PullRequest } from '../forge.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { endInTransaction, toPullRequest } from './end.ts'
import { type PullsContext, refreshPull } from './pulls.ts'

type PullPlace = { readonly projectId: string; readonly number: number }

/** Its `propose` always opens a pull request. */
export type OwnForge = Forge & { propose(projectId: string, proposal: Proposal): Promise<PullRequest> }

export function createOwnForge(context: PullsContext): OwnForge {
  return {
    get: async (projectId, { number }, signal) => {
      const row = await refreshPull(context, { projectId, number }, signal)
      return row && toPullRequest(row)
    },
    find: async (projectId, { jobId, branch }) => {
      const row = await pullsOfBranch(context.db, { projectId, jobId, branch }).executeTakeFirst()
      return row && toPullRequest(row)
    },
    propose: (projectId, proposal) => propose(context.db, projectId, proposal),
    amend: (projectId, { number }, part) => amend(context.db, { projectId, number }, part),
    close: (projectId, { number }, claim) =>
      context.db.transaction().execute(async (trx) => {
        const pull = trx.selectFrom('pulls').select('job_id').where('project_id', '=', projectId)
        const { job_id: jobId } = await pull.where('number', '=', number).executeTakeFirstOrThrow()
        await context.jobs.lock(trx, jobId)
        await refuseLost(trx, claim)
        await endInTransaction(trx, context.jobs, { projectId, number, state: 'closed', mergeCommit: null })
      }),
  }
}

async function amend(db: Db, { projectId, number }: PullPlace, part: FactsPart): Promise<void> {
  await sql`/* pulls.amend */ update pulls set facts = replace(facts, ${part.old}, ${part.new}), updated_at = now()
    where project_id = ${projectId} and number = ${number} and job_id = ${part.jobId} and state = 'open'
      and position(${part.old} in facts) > 0`.execute(db)
}

/**
 * Locks the project in one transaction, so that numbers have no gaps and a branch has one pull request. Returns one that
 * has ended as it is.
 */
function propose(db: Db, projectId: string, proposal: Proposal): Promise<PullRequest> {
  return db.transaction().execute(async (trx) => {
    await sql`/* pulls.lock */ select 1 from projects where id = ${projectId} for no key update`.execute(trx)
    await refuseLost(trx, proposal.claim)
    const change = {
      title: proposal.title,
      body: [proposal.note, proposal.lead ?? '', proposal.body].filter((part) => part !== '').join('\n\n'),
      note: proposal.note,
      facts: proposal.facts,
      base_commit: proposal.baseCommit,
      head_commit: proposal.headCommit,
      updated_at: sql<Date>`now()`,
    }
    const known = await pullsOfBranch(trx, { projectId, ...proposal }).executeTakeFirst()
    if (known && known.state !== 'open') return toPullRequest(known)
    if (known) {
      const updated = await trx
        .updateTable('pulls')
        .set(change)
        .where('project_id', '=', projectId)
        .where('number', '=', known.number)
        .returningAll()
        .executeTakeFirstOrThrow()
      return toPullRequest(updated)
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
        created_at: sql<Date>`now()`,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toPullRequest(made)
  })
}

/** Those of the job from this branch: the open one first, then the last. Earlier releases opened several, one after another. */
function pullsOfBranch(db: Db, { projectId, jobId, branch }: JobBranch & { readonly projectId: string }) {
  return db
    .selectFrom('pulls')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('job_id', '=', jobId)
    .where('branch', '=', branch)
    .orderBy(sql`state = 'open'`, 'desc')
    .orderBy('number', 'desc')
}

/** The pull request as it is now, for a caller that holds the lock of its job. */
export async function readOwnPull(trx: Trx, jobId: string, number: number): Promise<PullRequest | undefined> {
  const pull = trx.selectFrom('pulls').selectAll().where('job_id', '=', jobId).where('number', '=', number)
  const row = await pull.executeTakeFirst()
  return row && toPullRequest(row)
}
