// Schedules the checks of a job's pull request on its forge, and stores their results. The job in the API does not show
// these columns, so the version of the job stays the same.

import { sql } from 'kysely'
import type { PullRequest } from '../../forge/forge.ts'
import type { JobRow } from '../../postgres/schema.ts'
import { notify } from '../../postgres/notify.ts'
import type { Db, Trx } from '../../postgres/types.ts'

export const minute = 60
export const hour = 60 * minute
export const day = 24 * hour

/** Returns the seconds until the next check of an open pull request. `ageSeconds`: time since its job last changed. */
export function nextPollSeconds(ageSeconds: number): number {
  if (ageSeconds < hour) return minute
  if (ageSeconds < day) return 5 * minute
  if (ageSeconds < 7 * day) return 30 * minute
  return ageSeconds < 90 * day ? 6 * hour : day
}

type Poll = {
  /** For a conditional request. */
  readonly etag: string | null
  /** Seconds until the next check; undefined for never. */
  readonly after: number | undefined
  /** JSON. */
  readonly marks: string | null
  /** The state was read, and something else was not. */
  readonly error: PollError | null
}

/** Ends the claim. The caller holds the lock of the job. */
export async function recordPoll(trx: Trx, jobId: string, { etag, after, marks, error }: Poll): Promise<void> {
  const reason = error && JSON.stringify(error)
  await sql`/* pulls.recordPoll */ update jobs set pull_etag = ${etag}, pull_marks = ${marks}, pull_checked_at = now(),
    pull_check_error = ${reason}, pull_claimed_until = null,
    pull_check_after = now() + make_interval(secs => ${after ?? null}::float8) where id = ${jobId}`.execute(trx)
}

/** Why a pull request could not be checked. */
export type PollError = { readonly code: string; readonly message: string }

/** Ends the claim, and schedules the next check after `seconds`, unless a run has proposed another pull request. */
export async function recordFailedPoll(
  db: Db,
  job: Pick<JobRow, 'id' | 'pull_number'>,
  { error, seconds }: { readonly error: PollError | null; readonly seconds: number },
): Promise<void> {
  const reason = error && JSON.stringify(error)
  await sql`/* pulls.recordFailedPoll */ update jobs set pull_check_after = now() + make_interval(secs => ${seconds}),
    pull_claimed_until = null, pull_check_error = coalesce(${reason}::text, pull_check_error)
    where id = ${job.id} and pull_number = ${job.pull_number} and pull_check_after is not null`.execute(db)
}

/** Nothing of them is due for so many seconds, unless the forge says that something happened. */
export async function delayPolls(db: Db, jobs: readonly Pick<JobRow, 'id'>[], seconds: number): Promise<void> {
  if (seconds <= minute) return
  const ids = jobs.map(({ id }) => id)
  await sql`/* pulls.delay */ update jobs set pull_check_after = greatest(pull_check_after, now() + make_interval(secs => ${seconds}))
    where id = any(${ids}::text[]) and pull_check_after is not null`.execute(db)
}

export function pollErrorOf({ pull_check_error: stored }: JobRow): PollError | null {
  return stored === null ? null : (JSON.parse(stored) as PollError)
}

/** Schedules the first check after a run has proposed a pull request. Docent's own need no checks: they update their job. */
export async function startPolling(trx: Trx, jobId: string, { forge, state }: PullRequest): Promise<void> {
  if (forge === 'docent') return
  const after = state === 'open' ? nextPollSeconds(0) : null
  await sql`/* pulls.startPolling */ update jobs set pull_etag = null, pull_checked_at = now(), pull_check_error = null,
    pull_claimed_until = null, pull_check_after = now() + make_interval(secs => ${after}::float8) where id = ${jobId}`.execute(
    trx,
  )
}

/** Notified when a check is due before its time. */
export const pollsChannel = 'docent_polls'

/**
 * Brings the next checks of the open pull requests and of the issues forward, because the forge says that something happened in the
 * repository. One that the forge asked to wait for still waits.
 */
export async function hastenPolls(db: Db, projectIds: readonly string[]): Promise<void> {
  if (projectIds.length === 0) return
  await sql`/* pulls.hasten */ update jobs set pull_hastened = true where project_id = any(${projectIds}::text[])
    and pull_check_after is not null and not pull_hastened`.execute(db)
  await sql`/* issues.hasten */ update issue_polls set check_after = now() where project_id = any(${projectIds}::text[])
    and error is null and check_after > now()`.execute(db)
  await notify(db, pollsChannel)
}

/** On the embedded database: the process that claimed them is dead. */
export async function freePolls(db: Db): Promise<void> {
  await sql`/* pulls.free */ update jobs set pull_claimed_until = null where pull_claimed_until is not null`.execute(db)
  await sql`/* issues.free */ update issue_polls set claimed_until = null, check_after = now()
    where claimed_until is not null`.execute(db)
}
