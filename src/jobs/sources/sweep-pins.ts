// Takes back the pins of runs that have ended, so that a mirror does not keep every commit that a run ever read. Each server
// sweeps its own disk.

import type { Git } from '../../git/types.ts'
import type { Db } from '../../postgres/types.ts'

/** Throws only errors of the database. */
export async function sweepPins(db: Db, git: Pick<Git, 'mirrors' | 'source'>): Promise<void> {
  const ids = (await git.mirrors()).filter((id) => id.startsWith('src_'))
  if (ids.length === 0) return
  const sources = await db.selectFrom('sources').select(['id', 'repository']).where('id', 'in', ids).execute()
  for (const { id, repository } of sources) {
    const names = await pinsOf(git, id, repository)
    if (names.length === 0) continue
    const open = await db
      .selectFrom('runs')
      .select('id')
      .where('id', 'in', names)
      .where('state', '<>', 'ended')
      .execute()
    const kept = new Set(open.map((run) => run.id))
    for (const name of names.filter((one) => !kept.has(one))) await git.source(id, repository).unpin(name).catch(ignore)
  }
}

/** Empty for a mirror that is being made again, or of an address that is no longer allowed. */
async function pinsOf(git: Pick<Git, 'source'>, id: string, repository: string): Promise<readonly string[]> {
  try {
    return [...(await git.source(id, repository).pins()).keys()]
  } catch {
    return []
  }
}

function ignore(): void {}
