// Brings the visible contents of a commit that are not in the mirror, in one request.

import { missingOf } from '../read/sizes.ts'
import type { WantedSource } from '../types.ts'
import { coverWanted } from './cover.ts'
import { addLeftOut, readLeftOut } from './left-out.ts'
import type { Listing } from './listing.ts'
import { bringContents, bringWholeTip, type Place } from './partial-fetch.ts'

/** `branch`: has the commit. Contents over the limit stay away, and those that the host does not give. */
export async function bringVisible(
  place: Place,
  listing: Listing,
  { branch, isVisible }: WantedSource,
  signal: AbortSignal,
): Promise<void> {
  const { mirror, lock } = place
  const visible = listing.files.filter(({ kind, path }) => kind === 'file' && isVisible(path))
  const missing = await missingOf(
    mirror,
    visible.map(({ oid }) => oid),
  )
  if (missing.length === 0) return
  const leftOut = await readLeftOut(mirror)
  const wanted = missing.filter((oid) => !leftOut.has(oid))
  if (wanted.length === 0) return
  if (await bringContents(place, coverWanted(listing, new Set(wanted)), signal)) {
    const still = await missingOf(mirror, wanted)
    await lock(async () => await addLeftOut(mirror, still))
  } else if (branch !== null) await bringWholeTip(place, branch, signal)
}
