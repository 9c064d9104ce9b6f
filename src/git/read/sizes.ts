// Finds out which objects are in the mirror, and their sizes, without reading them.

import { git, type Mirror } from '../cache/mirror.ts'
import type { Oid } from '../types.ts'

/** The sizes in bytes of those objects that are in the mirror. */
export async function sizesOf(mirror: Mirror, oids: readonly Oid[]): Promise<ReadonlyMap<Oid, number>> {
  if (oids.length === 0) return new Map()
  const format = '%(objectname) %(objectsize)'
  const input = oids.map((oid) => `${oid}\n`).join('')
  const output = await git(mirror, { args: ['cat-file', `--batch-check=${format}`], input, maxBytes: 1e9 })
  const lines = output.toString('latin1').split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [oid = '', size = 'missing'] = line.split(' ')
      return oid === '' || size === 'missing' ? [] : [[oid, Number(size)] as const]
    }),
  )
}

/** Each once. */
export async function missingOf(mirror: Mirror, oids: readonly Oid[]): Promise<readonly Oid[]> {
  const all = [...new Set(oids)]
  const sizes = await sizesOf(mirror, all)
  return all.filter((oid) => !sizes.has(oid))
}
