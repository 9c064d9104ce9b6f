// Counts the counters of a window again from its page views, whatever its seals say, and compares them with those that were
// stored. Queries are answered meanwhile: from the old counters, then from the new ones.

import type { ClickHouse } from '../../../clickhouse/open.ts'
import { generationOf, type QuerySettings } from '../query/plan.ts'
import { readWindows } from '../query/version.ts'
import { deleteWhere } from '../../delete.ts'
import { forgetWindow } from './memory.ts'
import { sealWindows } from './seal.ts'
import { readSeals } from './sealed.ts'

/**
 * `equal`, `different`: compared with the stored counters of the same page views. `new`: there were no such counters.
 * `moving`: page views were stored meanwhile, so the window is not sealed.
 */
export const rebuildResults = ['equal', 'different', 'new', 'moving'] as const
export type RebuildResult = (typeof rebuildResults)[number]

type Rebuild = {
  readonly projectId: string
  readonly settings: QuerySettings
  readonly window: string
  readonly now: Date
}

/** Returns undefined if the window has no page views. Two at once, or one beside the sealing of windows, do no harm. */
export async function rebuildWindow(store: ClickHouse, task: Rebuild): Promise<RebuildResult | undefined> {
  const { projectId, settings, window, now } = task
  const generation = generationOf(settings)
  const found = (await readWindows(store, projectId)).find((one) => one.window === window)
  if (!found) return undefined
  const readBuilds = async () => {
    const seals = await readSeals(store, { projectId, generation })
    return seals.filter((seal) => seal.window === window && seal.views === found.views && seal.sums === found.sums)
  }
  const before = (await readBuilds()).at(-1)
  const sealed = await sealWindows(store, { projectId, settings, windows: [found], now })
  forgetWindow(store, projectId, window)
  if (sealed.length === 0) return 'moving'
  const after = (await readBuilds()).at(-1)
  if (!after || !before || after.build === before.build) return 'new'
  const digests = await readDigests(store, { projectId, window }, [before.build, after.build])
  const same = `${project} AND generation = {generation:UInt64} AND salt_window = {window:String}`
  const params = { projectId, generation: BigInt(generation), window, build: BigInt(after.build) }
  await deleteWhere(store, 'seals', `${same} AND build < {build:UInt64}`, params)
  return digests.get(before.build) === digests.get(after.build) ? 'equal' : 'different'
}

const project = 'project_id = {projectId:String}'

/** A hash of all counters of a window in each build, whatever their order. A build may have more windows. */
async function readDigests(
  store: ClickHouse,
  of: { readonly projectId: string; readonly window: string },
  builds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await store.read<{ build: string; digest: string }>(
    `/* counters.digest */ SELECT toString(build) AS build,
        toString(sum(cityHash64(dimension, value, pair.1, pair.2, pair.3, pair.4, pair.5))) AS digest
      FROM counters ARRAY JOIN arrayZip(previous, day, human, ai, total) AS pair
      WHERE ${project} AND salt_window = {window:String} AND build IN (${builds.map(BigInt).join(', ')}) GROUP BY build`,
    of,
  )
  return new Map(rows.map(({ build, digest }) => [build, digest]))
}
