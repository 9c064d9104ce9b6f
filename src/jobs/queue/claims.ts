// The queue: runs are rows, claimed under a lease. A claim raises the fence. This folder alone writes the columns of
// a claim: state, owner, lease_until, fence, attempts, available_at, started_at and ended_at.
//
//   waiting ─claim─► running ─end─► ended
//      ▲               │
//      └──hand back, retry, lease expired──┘

import { sql } from 'kysely'
import type { RunRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import type { Lease } from './lease.ts'
import { runsChannel } from './runs.ts'

export type Claim = {
  readonly owner: string
  readonly leaseSeconds: number
  /** The most runs of one project that the owner may hold while another project has runs. */
  readonly share: number
}

/**
 * Claims the run that has waited longest, or returns undefined. Counts an attempt. Skips runs that another worker is
 * claiming, and runs of projects that have their share. Moves `started_at` by the time without a worker, so that
 * downtime does not use up the budget of the run.
 */
export async function claimRun(db: Db, { owner, leaseSeconds, share }: Claim): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`/* runs.claim */
    with held as (
      select project_id from runs join jobs on jobs.id = runs.job_id
      where runs.state = 'running' and runs.owner = ${owner}
      group by project_id having count(*) >= ${share}
        and exists (select 1 from projects where id <> project_id)
    )
    update runs set state = 'running', owner = ${owner}, fence = fence + 1, attempts = attempts + 1,
      lease_until = now() + make_interval(secs => ${leaseSeconds}),
      started_at = coalesce(started_at + greatest(interval '0', now() - available_at), now())
    where id = (
      select runs.id from runs join jobs on jobs.id = runs.job_id
      where runs.state = 'waiting' and runs.available_at <= now() and project_id not in (select project_id from held)
      order by runs.available_at limit 1 for update of runs skip locked
    ) returning *`.execute(db)
  return rows[0]
}

/** Whether any run waits, whether or not it can be claimed now. */
export async function hasWaitingRun(db: Db): Promise<boolean> {
  const { rows } = await sql`/* runs.anyWaiting */ select 1 from runs where state = 'waiting' limit 1`.execute(db)
  return rows.length > 0
}

/** Renews the lease. Returns false when it is lost: its holder must stop. */
export async function renewLease(db: Db, lease: Lease): Promise<boolean> {
  const { rows } = await sql`/* runs.renew */
    update runs set lease_until = now() + make_interval(secs => ${lease.seconds})
    where id = ${lease.runId} and fence = ${lease.fence} and state = 'running' returning 1`.execute(db)
  return rows.length > 0
}

/** Frees runs whose lease expired, and wakes the workers; with `soleOwner`, also all runs of other owners (when no other owner can be alive). */
export async function freeLostRuns(db: Db, soleOwner?: string): Promise<number> {
  const { rows } = await sql`/* runs.free */
    update runs set state = 'waiting', owner = null, lease_until = null, available_at = least(now(), lease_until)
    where state = 'running' and (lease_until < now() or (${soleOwner ?? null}::text is not null and owner <> ${soleOwner ?? ''}))
    returning pg_notify(${runsChannel}, '')`.execute(db)
  return rows.length
}
