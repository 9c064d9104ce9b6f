// Chooses which objects to ask a host for, so that all wanted contents come with few ids: a folder of which every file is
// wanted is one id, and only of a folder can the host leave out what is over the limit. Pure.

import { posix } from 'node:path'
import type { Oid } from '../types.ts'
import type { Listing } from './listing.ts'

/** Trees of folders, and the contents that are in no such folder. `wanted`: ids of contents. */
export function coverWanted({ root, folders, files }: Listing, wanted: ReadonlySet<Oid>): readonly Oid[] {
  const rest = new Set<string>()
  for (const { path, oid } of files) if (!wanted.has(oid)) for (const folder of foldersOf(path)) rest.add(folder)
  const oids = new Set<Oid>()
  for (const { path, oid } of files) {
    if (!wanted.has(oid)) continue
    const whole = foldersOf(path).findLast((folder) => !rest.has(folder))
    oids.add(whole === undefined ? oid : whole === '' ? root : (folders.get(whole) ?? oid))
  }
  return [...oids]
}

/** The folder of a path and those above it, the root (an empty path) last. */
function foldersOf(path: string): string[] {
  const found: string[] = []
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) found.push(folder)
  return [...found, '']
}
