// Loads the lists of addresses for verification: the built-in ones and those that `docent analytics refresh-ranges` has
// fetched. For each source, the newer list is used.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rangeSources, type RangeSource } from './range-sources.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'

const builtIn = new URL('ranges/', import.meta.url)

/** At most one list per source. A refreshed file that cannot be read is ignored. */
export async function loadRanges(
  directory: string | undefined,
  sources: readonly RangeSource[] = rangeSources,
): Promise<readonly Snapshot[]> {
  const loaded = await Promise.all(
    sources.map(async (source) => {
      const shipped = await readFrom(source, new URL(`${source.id}.json`, builtIn))
      const refreshed = directory === undefined ? undefined : await readFrom(source, toFile(directory, source))
      return newer(shipped, refreshed)
    }),
  )
  return loaded.filter((snapshot) => snapshot !== undefined)
}

/** The folder of refreshed lists in a data directory. */
export function toRangesFolder(dataDir: string): string {
  return join(dataDir, 'ranges')
}

export function toFile(directory: string, { id }: RangeSource): string {
  return join(directory, `${id}.json`)
}

async function readFrom(source: RangeSource, place: string | URL): Promise<Snapshot | undefined> {
  try {
    return readSnapshot(source, await readFile(place, 'utf8'))
  } catch {
    return undefined
  }
}

/** Prefers the refreshed list when the dates are equal: operators change lists without changing the date. */
function newer(shipped: Snapshot | undefined, refreshed: Snapshot | undefined): Snapshot | undefined {
  if (!shipped || !refreshed) return shipped ?? refreshed
  return refreshed.date >= shipped.date ? refreshed : shipped
}
