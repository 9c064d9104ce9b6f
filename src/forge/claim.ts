// The claim of a run, checked before each change on a forge: a worker that lost its run must not act for it any more.

import { sql } from 'kysely'
import { Failure } from '../lib/failure.ts'
import type { Db } from '../postgres/types.ts'
import type { RunClaim } from './forge.ts'

/**
 * Throws `forge_refused` for a run that was cancelled or taken over. In a transaction, the run stays claimed until it
 * ends; its new worker may be waiting for this lock.
 */
export async function refuseLost(db: Db, { runId, fence }: RunClaim): Promise<void> {
  const { rows } = await sql`/* pulls.claim */ select 1 from runs
    where id = ${runId} and fence = ${fence} and state = 'running' for share`.execute(db)
  if (rows.length === 0) throw new Failure('forge_refused', 'The run that asks for this has ended or was taken over.')
}
