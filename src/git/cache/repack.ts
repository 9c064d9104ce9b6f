// Keeps the number of pack files in a mirror small. Only this code rewrites objects, and it deletes no object: commits
// without a ref (drafts, commits before their push) are kept.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Mirror, git } from './mirror.ts'

const maxPacks = 50
const maxLooseObjects = 5000

/** `partial`: contents of files may be missing, which fails a command that walks from the refs. */
export type Packing = 'whole' | 'partial'

const flags = { whole: ['-a', '--keep-unreachable'], partial: ['--geometric=2'] } as const

/**
 * Repacks when there are too many packs or loose objects; the caller holds the lock. Safe for readers: git searches
 * again for an object whose pack disappeared.
 */
export async function repackWhenNeeded(mirror: Mirror, signal: AbortSignal, packing: Packing = 'whole'): Promise<void> {
  const objects = join(mirror.gitDir, 'objects')
  const packs = (await readdir(join(objects, 'pack'))).filter((name) => name.endsWith('.pack')).length
  // Object ids are spread evenly, so that one of the 256 folders shows the size of all.
  const loose = (await readdir(join(objects, '17')).catch(() => [])).length * 256
  if (packs <= maxPacks && loose <= maxLooseObjects) return
  await git(mirror, { args: ['repack', ...flags[packing], '-d', '--quiet'] }, signal)
}
