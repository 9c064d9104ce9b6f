// How far automations have come on the branches that they follow, as responses have it.

import { sql } from 'kysely'
import type { AutomationRow } from '../../postgres/schema/automations.ts'
import type { Db } from '../../postgres/types.ts'

export type ShownPosition = {
  readonly repository: string
  /** null: nobody has looked yet. */
  readonly branch: string | null
  /** The newest commit that was seen; null: nobody has looked yet. */
  readonly commit: string | null
  readonly lookedAt: string | null
  /** How many commits wait for a run. */
  readonly waiting: number
  /** How many commits no run takes before a person asks for it. */
  readonly setAside: number
  /** A fact that people should know, such as that the branch was rewritten; null otherwise. */
  readonly note: string | null
  /** Why the last look failed; null: it did not. */
  readonly error: string | null
}

type Found = Omit<ShownPosition, 'error' | 'lookedAt'> & {
  readonly id: string
  readonly lookedAt: Date | null
  /** JSON: `PollError`. */
  readonly error: string | null
}

/** By the ids of automations; those that follow no branch are not there. */
export async function readShownPositions(
  db: Db,
  automations: readonly Pick<AutomationRow, 'id'>[],
): Promise<ReadonlyMap<string, ShownPosition>> {
  if (automations.length === 0) return new Map()
  const ids = automations.map(({ id }) => id)
  const { rows } = await sql<Found>`/* automations.positions */ select p.automation_id as id, p.repository,
      nullif(p.branch, '') as branch, p.head_commit as commit, f.looked_at as "lookedAt", p.note, f.error,
      (select count(*)::int from automation_commits c where c.automation_id = p.automation_id
        and state = 'waiting' and left_at is null) as waiting,
      (select count(*)::int from automation_commits c where c.automation_id = p.automation_id
        and state = 'set_aside' and left_at is null) as "setAside"
    from automation_positions p left join followed_repositories f on f.repository_id = p.repository_id
    where p.automation_id in (${sql.join(ids)})`.execute(db)
  return new Map(
    rows.map(({ id, lookedAt, error, ...shown }) => {
      const reason = error === null ? null : (JSON.parse(error) as { readonly message: string }).message
      return [id, { ...shown, lookedAt: lookedAt?.toISOString() ?? null, error: reason }]
    }),
  )
}
