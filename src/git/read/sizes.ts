// Finds out which objects are in the mirror, and their sizes, without reading them.

import { git, type Mirror } from '../cache/mirror.ts'
import type { Oid } from '../types.ts'

/** The long-lived process is asked for these one by one. More are worth a process of their own, whose output is read at once. */
const mostOneByOne = 500

/** The sizes in bytes of those objects that are in the mirror. */
export async function sizesOf(mirror: Mirror, oids: readonly Oid[]): Promise<ReadonlyMap<Oid, number>> {
  if (oids.length > mostOneByOne) return await sizesAtOnce(mirror, oids)
  const found = await Promise.all([...new Set(oids)].map(async (oid) => [oid, await mirror.objects.size(oid)] as const))
  return new Map(found.flatMap(([oid, size]) => (size === undefined ? [] : [[oid, size] as const])))
}

async function sizesAtOnce(mirror: Mirror, oids: readonly Oid[]): Promise<ReadonlyMap<Oid, number>> {
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
