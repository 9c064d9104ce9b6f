// Seals windows: counts their visitors from the rows, and stores the counters with the version of the rows that they were
// made of. A seal is stored only if the rows did not change meanwhile, and readers compare its version with that of the
// rows, so a crash at any moment and two servers at once do no harm.

import { randomInt } from 'node:crypto'
import { textList } from '../../../clickhouse/literal.ts'
import type { Column } from '../../../clickhouse/native.ts'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import type { Filters } from '../query/filters.ts'
import { generationOf, planBetween, type QuerySettings } from '../query/plan.ts'
import { toParams } from '../query/sql.ts'
import { readWindows, type WindowVersion } from '../query/version.ts'
import { countRows } from './count-rows.ts'
import { type Dimension, dimensions } from './dimensions.ts'
import { rowsAtOnce } from './memory.ts'

export type SealTask = {
  readonly projectId: string
  readonly settings: QuerySettings
  /** Those of a saved segment. Default: all page views. */
  readonly filters?: Filters
  readonly windows: readonly WindowVersion[]
  readonly now: Date
}

/** Returns the windows that are sealed now. The others changed meanwhile. */
export async function sealWindows(store: ClickHouse, task: SealTask): Promise<readonly string[]> {
  const { projectId, settings, filters = [], windows, now } = task
  const generation = generationOf(settings, filters)
  const build = String(buildAt(now))
  const times: [number, number] = [
    Math.min(...windows.map(({ first }) => first)),
    Math.max(...windows.map(({ last }) => last)) + 1,
  ]
  const plan = { ...planBetween(projectId, settings, times), filters }
  const params = { ...toParams(plan), generation: BigInt(generation), build: BigInt(build) }
  const parts = Math.ceil(windows.reduce((sum, { views }) => sum + Number(views), 0) / rowsAtOnce(store))
  const ofWindows = `salt_window IN ${textList(windows.map(({ window }) => window))}`
  for (const dimension of dimensions) {
    for (let part = 0; part < parts; part += 1) {
      const ofVisitors = `sipHash64(visitor) % ${parts} = ${part}`
      await store.rewrite(storeCounters(dimension, countRows[dimension](plan, ofWindows, ofVisitors)), params)
    }
  }
  const after = new Map((await readWindows(store, projectId)).map((one) => [one.window, one]))
  const same = windows.filter((one) => {
    const read = after.get(one.window)
    return read?.views === one.views && read.sums === one.sums
  })
  await storeSeals(store, { projectId, generation, build, now }, same)
  return same.map(({ window }) => window)
}

/** Builds of that time or later have this number or a higher one, so a build of now differs from those that a crash left. */
export function firstBuildAt(time: Date): bigint {
  return BigInt(Math.max(0, time.getTime())) << 20n
}

function buildAt(time: Date): bigint {
  return firstBuildAt(time) + BigInt(randomInt(2 ** 20))
}

function storeCounters(dimension: Dimension, counters: string): string {
  return `/* counters.build */ INSERT INTO counters (project_id, generation, salt_window, build, dimension, value,
      previous, day, human, ai, total)
    SELECT {projectId:String}, {generation:UInt64}, salt_window, {build:UInt64}, '${dimension}', value,
      groupArray(previous), groupArray(on), groupArray(humans), groupArray(ais), groupArray(both)
    FROM (${counters}) GROUP BY salt_window, value SETTINGS max_threads = 1`
}

type Build = {
  readonly projectId: string
  readonly generation: string
  readonly build: string
  readonly now: Date
}

async function storeSeals(
  store: ClickHouse,
  { projectId, generation, build, now }: Build,
  windows: readonly WindowVersion[],
): Promise<void> {
  if (windows.length === 0) return
  const rows = await store.read<{ window: string; dimension: Dimension; length: number }>(
    `/* counters.built */ SELECT salt_window AS window, dimension, sum(length(day)) AS length FROM counters
      WHERE project_id = {projectId:String} AND generation = {generation:UInt64} AND build = {build:UInt64}
      GROUP BY salt_window, dimension`,
    { projectId, generation: BigInt(generation), build: BigInt(build) },
  )
  const lengths = Map.groupBy(rows, (row) => row.window)
  const lengthsOf = (window: string) =>
    Object.fromEntries([
      ...dimensions.map((dimension) => [dimension, 0] as const),
      ...(lengths.get(window) ?? []).map(({ dimension, length }) => [dimension, length] as const),
    ])
  const columns: readonly Column<WindowVersion>[] = [
    { name: 'project_id', type: 'LowCardinality(String)', of: () => projectId },
    { name: 'generation', type: 'UInt64', of: () => BigInt(generation) },
    { name: 'salt_window', type: 'LowCardinality(String)', of: ({ window }) => window },
    { name: 'build', type: 'UInt64', of: () => BigInt(build) },
    { name: 'views', type: 'UInt64', of: ({ views }) => BigInt(views) },
    { name: 'sums', type: 'UInt64', of: (one) => BigInt(one.sums) },
    { name: 'lengths', type: 'LowCardinality(String)', of: ({ window }) => JSON.stringify(lengthsOf(window)) },
    { name: 'sealed_at', type: "DateTime64(3, 'UTC')", of: () => now.getTime() },
  ]
  await store.insert('seals', columns, windows)
}
