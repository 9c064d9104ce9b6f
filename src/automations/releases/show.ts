// The commit statuses of releases, as the ledger shows them.

import { sql } from 'kysely'
import type { Db } from '../../postgres/types.ts'
import { wantsStatus } from './say.ts'

export type ShownRelease = {
  /** null: the repository of the project itself. */
  readonly source: string | null
  readonly tag: string
  readonly commit: string
  /** The tag of the release before; null: there is no earlier one. */
  readonly since: string | null
  /** The text of its commit status; null: nothing was said yet. */
  readonly text: string | null
  readonly saidAt: string | null
  /** Why the forge refused the last one, and what to do; null: it did not. */
  readonly problem: string | null
}

type Found = Omit<ShownRelease, 'saidAt'> & { readonly saidAt: Date | null }

/** The newest of each repository that wants statuses, by source. `source` undefined: all. */
export async function readReleases(
  db: Db,
  projectId: string,
  source: string | null | undefined,
): Promise<readonly ShownRelease[]> {
  const { rows } = await sql<Found>`/* releases.shown */ select s.name as source, r.tag, r.commit, r.since, r.text,
      r.said_at as "saidAt", r.refusal as problem
    from release_statuses r join followed_repositories f on f.repository_id = r.repository_id
      left join sources s on s.id = f.source_id
    where f.project_id = ${projectId} and ${wantsStatus}
      and (${source === undefined} or s.name is not distinct from ${source ?? null}::text)
    order by s.name nulls first`.execute(db)
  return rows.map(({ saidAt, ...shown }) => ({ ...shown, saidAt: saidAt?.toISOString() ?? null }))
}
