// Stores the changes of the pull requests that runs of automations share. When people close one without merging it, they have rejected
// them: the models of the next runs get them as data, and a change that repeats one is left out.

import { sql } from 'kysely'
import type { JobRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import type { JobOrigin } from '../response.ts'

export type PublishedHunk = {
  readonly digest: string
  readonly path: string
  /** Cut. */
  readonly removed: string
  readonly added: string
}

/** `number`: of the pull request that people closed. */
export type RejectedHunk = PublishedHunk & { readonly number: number }

/** The most hunks that are stored for a pull request, and that count as rejected. */
export const mostHunks = 200
const keptDays = 90
const dayMs = 86_400_000

/** In the place of those that were stored. */
export async function storeHunks(trx: Trx, jobId: string, hunks: readonly PublishedHunk[], now: Date): Promise<void> {
  await trx.deleteFrom('published_hunks').where('job_id', '=', jobId).execute()
  const distinct = [...new Map(hunks.map((hunk) => [hunk.digest, hunk])).values()].slice(0, mostHunks)
  const rows = distinct.map(({ removed, added, ...hunk }) => {
    const texts = { removed: JSON.stringify(removed), added: JSON.stringify(added) }
    return { ...hunk, ...texts, job_id: jobId, created_at: now }
  })
  if (rows.length > 0) await trx.insertInto('published_hunks').values(rows).execute()
}

/** Those of the automation that people closed in the last 90 days, the newest pull request first. */
export async function loadRejected(
  db: Db,
  { id, project_id: projectId, origin }: Pick<JobRow, 'id' | 'project_id' | 'origin'>,
  now: Date,
): Promise<readonly RejectedHunk[]> {
  const { automationId } = JSON.parse(origin ?? '{}') as Partial<JobOrigin>
  if (automationId === undefined) return []
  const { rows } = await sql<RejectedHunk>`/* hunks.rejected */
    select digest, path, removed, added, pull_number as number from jobs join published_hunks on job_id = jobs.id
    where project_id = ${projectId} and jobs.id <> ${id} and origin like '{"kind":"automation"%'
      and position(${JSON.stringify({ automationId }).slice(1, -1)} in origin) > 0
      and pull_state = 'closed' and jobs.updated_at > ${new Date(now.getTime() - keptDays * dayMs)}
    order by ordinal desc, path, digest limit ${mostHunks}`.execute(db)
  return rows.map((row) => ({
    ...row,
    removed: JSON.parse(row.removed) as string,
    added: JSON.parse(row.added) as string,
  }))
}

/** Deletes those that can be rejected no more: of merged pull requests, and of those that were closed long ago. */
export async function sweepHunks(db: Db, now: Date): Promise<void> {
  await sql`/* hunks.sweep */ delete from published_hunks using jobs where jobs.id = job_id and (pull_state = 'merged'
    or pull_state = 'closed' and jobs.updated_at <= ${new Date(now.getTime() - keptDays * dayMs)})`.execute(db)
}

/** A change that a run left out, by the digest of its hunk. `number`: of the pull request that people closed. */
export type DroppedHunk = { readonly path: string; readonly digest: string; readonly number: number }

export function readDropped(stored: string | null): readonly DroppedHunk[] {
  return stored === null ? [] : (JSON.parse(stored) as readonly DroppedHunk[])
}

/** `docs/a.md (#12)`, each once. */
export function listDropped(dropped: readonly DroppedHunk[]): string {
  return [...new Set(dropped.map(({ path, number }) => `${path} (#${number})`))].join(', ')
}
