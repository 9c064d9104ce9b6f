// Keeps the number of files in a mirror small. The only thing that ever rewrites objects, and it deletes none: commits
// that no ref names yet (drafts, results of runs before their push) are kept.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Mirror, git } from './mirror.ts'

const maxPacks = 50
const maxLooseObjects = 5000

/** The caller holds the lock. Readers in between are safe: git looks again for an object whose pack went away. */
export async function repackWhenNeeded(mirror: Mirror, signal: AbortSignal): Promise<void> {
  const objects = join(mirror.gitDir, 'objects')
  const packs = (await readdir(join(objects, 'pack'))).filter((name) => name.endsWith('.pack')).length
  // Ids are evenly spread: one of the 256 folders tells the size of all.
  const loose = (await readdir(join(objects, '17')).catch(() => [])).length * 256
  if (packs <= maxPacks && loose <= maxLooseObjects) return
  await git(mirror, { args: ['repack', '-a', '-d', '--keep-unreachable', '--quiet'] }, signal)
}
