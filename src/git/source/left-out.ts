// Remembers which contents a host left out because they are over the limit, so that they are not asked for at each fetch. A
// file in the mirror, deleted with it: the limit in its first line, then ids.

import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mirror } from '../cache/mirror.ts'
import type { Oid } from '../types.ts'

export async function readLeftOut(mirror: Mirror): Promise<ReadonlySet<Oid>> {
  const text = await readFile(fileOf(mirror), 'utf8').catch(() => '')
  const [limit, ...oids] = text.trimEnd().split('\n')
  return new Set(limit === String(mirror.options.maxFileBytes) ? oids : [])
}

/** The caller holds the lock. */
export async function addLeftOut(mirror: Mirror, oids: readonly Oid[]): Promise<void> {
  if (oids.length === 0) return
  const all = new Set([...(await readLeftOut(mirror)), ...oids])
  const fresh = `${fileOf(mirror)}.new`
  await writeFile(fresh, [mirror.options.maxFileBytes, ...all, ''].join('\n'))
  await rename(fresh, fileOf(mirror))
}

function fileOf({ gitDir }: Mirror): string {
  return join(gitDir, 'docent-left-out')
}
