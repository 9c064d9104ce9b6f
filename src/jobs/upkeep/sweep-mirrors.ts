// Deletes the mirrors of deleted projects and sources; each server sweeps its own disk. A run in progress may have created a
// mirror after its project was deleted.

import type { Git } from '../../git/types.ts'
import type { Db } from '../../postgres/types.ts'

export async function sweepMirrors(db: Db, git: Pick<Git, 'mirrors' | 'remove'>): Promise<void> {
  // Lists mirrors first: everything that has a listed mirror existed before that mirror.
  const mirrors = await git.mirrors()
  for (const [prefix, table] of [
    ['prj_', 'projects'],
    ['src_', 'sources'],
  ] as const) {
    const ids = mirrors.filter((id) => id.startsWith(prefix))
    if (ids.length === 0) continue
    const rows = await db.selectFrom(table).select('id').where('id', 'in', ids).execute()
    const known = new Set(rows.map((row) => row.id))
    for (const id of ids) if (!known.has(id)) await git.remove(id)
  }
}
