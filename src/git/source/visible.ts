// Brings the visible contents of a commit that are not in the mirror, in one request.

import { missingOf } from '../read/sizes.ts'
import type { SourceTree, WantedSource } from '../types.ts'
import { coverWanted } from './cover.ts'
import { addLeftOut, readLeftOut } from './left-out.ts'
import type { Listing } from './listing.ts'
import { bringContents, bringWholeTip, type Place } from './partial-fetch.ts'

type Wanted = Pick<WantedSource, 'branch'> & { readonly listing: Listing; readonly tree: SourceTree }

/**
 * `branch`: has the commit. Contents over the limit stay away, and those that the host does not give. Returns whether anything
 * may have come.
 */
export async function bringVisible(
  place: Place,
  { branch, listing, tree }: Wanted,
  signal: AbortSignal,
): Promise<boolean> {
  const { mirror, lock } = place
  const missing = tree.entries().filter(({ kind, isFetched }) => kind === 'file' && !isFetched)
  if (missing.length === 0) return false
  const leftOut = await readLeftOut(mirror)
  const wanted = [...new Set(missing.map(({ oid }) => oid))].filter((oid) => !leftOut.has(oid))
  if (wanted.length === 0) return false
  if (await bringContents(place, coverWanted(listing, new Set(wanted)), signal)) {
    const still = await missingOf(mirror, wanted)
    await lock(async () => await addLeftOut(mirror, still))
  } else if (branch !== null) await bringWholeTip(place, branch, signal)
  return true
}
