// Who writes the ledger: without an automation that follows a source, or while its branch cannot be read, an empty list proves nothing.

import { sql } from 'kysely'
import type { Db } from '../../postgres/types.ts'
import { followsSource } from './ledger.ts'

export type Followers = {
  /** Automations that follow the source. */
  readonly count: number
  /** Those whose branch was not read yet, or could not be read at the last look. */
  readonly unread: number
}

/** `source` null: the repository of the project itself. Undefined: any. */
export async function countFollowers(db: Db, projectId: string, source: string | null | undefined): Promise<Followers> {
  const { rows } = await sql<Followers>`/* ledger.followers */ select count(*)::int as count,
      count(*) filter (where p.head_commit is null or f.repository_id is null or f.error is not null)::int as unread
    from automations a left join automation_positions p on p.automation_id = a.id
      left join followed_repositories f on f.repository_id = p.repository_id
    where a.project_id = ${projectId} and ${followsSource(source)}`.execute(db)
  return rows[0] ?? { count: 0, unread: 0 }
}
