// When the service looks at a job's pull request on its forge, and what it remembers of the look. The API shows nothing
// of this, so the version of the job stays.

import { sql } from 'kysely'
import type { PullRequest } from '../../forge/forge.ts'
import type { Trx } from '../../postgres/types.ts'

export const minute = 60
export const hour = 60 * minute
export const day = 24 * hour

/** Seconds until the next look at an open pull request whose job last changed so long ago. */
export function nextLookSeconds(ageSeconds: number): number {
  if (ageSeconds < hour) return minute
  if (ageSeconds < day) return 5 * minute
  if (ageSeconds < 7 * day) return 30 * minute
  return ageSeconds < 90 * day ? 6 * hour : day
}

/** `after`: seconds until the next look; undefined: never. `etag`: for a conditional request. */
type Look = { readonly etag: string | null; readonly after: number | undefined }

/** The caller holds the lock of the job. */
export async function noteLook(trx: Trx, jobId: string, { etag, after }: Look): Promise<void> {
  await sql`/* pulls.noteLook */ update jobs set pull_etag = ${etag}, pull_checked_at = now(),
    pull_check_after = now() + make_interval(secs => ${after ?? null}::float8) where id = ${jobId}`.execute(trx)
}

/** A pull request that a run has just proposed. Docent's own tell their job themselves. */
export async function beginLooking(trx: Trx, jobId: string, { forge, state }: PullRequest): Promise<void> {
  if (forge === 'docent') return
  await noteLook(trx, jobId, { etag: null, after: state === 'open' ? nextLookSeconds(0) : undefined })
}
