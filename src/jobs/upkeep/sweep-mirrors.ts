// Deletes the mirrors of deleted projects; each server sweeps its own disk. A run in progress may have created a mirror
// after its project was deleted.

import type { Git } from '../../git/types.ts'
import type { Db } from '../../postgres/types.ts'

export async function sweepMirrors(db: Db, git: Pick<Git, 'mirrors' | 'remove'>): Promise<void> {
  // Lists mirrors first: every project of a listed mirror existed before that mirror.
  const mirrors = (await git.mirrors()).filter((id) => id.startsWith('prj_'))
  if (mirrors.length === 0) return
  const rows = await db.selectFrom('projects').select('id').where('id', 'in', mirrors).execute()
  const known = new Set(rows.map((row) => row.id))
  for (const id of mirrors) if (!known.has(id)) await git.remove(id)
}
