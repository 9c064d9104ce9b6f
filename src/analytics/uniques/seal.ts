// Seals windows: counts their visitors from the rows, and stores the counters with the version of the rows that they were
// made of. A seal is stored only if the rows did not change meanwhile, and readers compare its version with that of the
// rows, so a crash at any moment and two servers at once do no harm.

import { randomInt } from 'node:crypto'
import { textList } from '../../clickhouse/literal.ts'
import type { Column } from '../../clickhouse/native.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'
import { generationOf, type Plan, planBetween, type QuerySettings } from '../query/plan.ts'
import { dayNumber, isAi, isHuman, isVisit, toParams, viewed } from '../query/sql.ts'
import { readWindows, type WindowVersion } from '../query/version.ts'

export type SealTask = {
  readonly projectId: string
  readonly settings: QuerySettings
  readonly windows: readonly WindowVersion[]
  readonly now: Date
}

/** Visitors that are in memory at once: the pairs of a window are counted in several statements if it has more rows. */
const rowsAtOnce = 4_000_000

/** Returns the windows that are sealed now. The others changed meanwhile. */
export async function sealWindows(store: ClickHouse, task: SealTask): Promise<readonly string[]> {
  const { projectId, settings, windows, now } = task
  const generation = generationOf(settings)
  const build = String(buildAt(now))
  const times: [number, number] = [
    Math.min(...windows.map(({ first }) => first)),
    Math.max(...windows.map(({ last }) => last)) + 1,
  ]
  const plan = planBetween(projectId, settings, times)
  const params = { ...toParams(plan), generation: BigInt(generation), build: BigInt(build) }
  const parts = Math.ceil(windows.reduce((sum, { views }) => sum + Number(views), 0) / rowsAtOnce)
  for (const dimension of ['site', 'page'] as const) {
    for (let part = 0; part < parts; part += 1) {
      const where = `salt_window IN ${textList(windows.map(({ window }) => window))} AND sipHash64(visitor) % ${parts} = ${part}`
      await store.rewrite(countPairs(plan, dimension, where), params)
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

/** The days of each visitor become pairs of a day and the one before, and equal pairs become one counter. */
function countPairs(plan: Plan, dimension: 'site' | 'page', where: string): string {
  const value = dimension === 'site' ? `''` : 'toString(path)'
  const pairs = (place: number, days: string) =>
    `arrayMap((before, on) -> (${place}, before, on), arrayResize(arrayPushFront(${days}, 0), length(${days})), ${days})`
  return `/* counters.build */ INSERT INTO counters (project_id, generation, salt_window, build, dimension, value,
      previous, day, human, ai, total)
    SELECT {projectId:String}, {generation:UInt64}, salt_window, {build:UInt64}, '${dimension}', value,
      groupArray(previous), groupArray(on), groupArray(humans), groupArray(ais), groupArray(both)
    FROM (
      SELECT salt_window, value, pair.2 AS previous, pair.3 AS on, toUInt32(countIf(pair.1 = 1)) AS humans,
        toUInt32(countIf(pair.1 = 2)) AS ais, toUInt32(countIf(pair.1 = 3)) AS both
      FROM (
        SELECT salt_window, value,
          arrayJoin(arrayConcat(${pairs(1, 'humanDays')}, ${pairs(2, 'aiDays')}, ${pairs(3, 'days')})) AS pair
        FROM (
          SELECT toString(salt_window) AS salt_window, ${value} AS value,
            arraySort(groupUniqArrayIf(toUInt16(${dayNumber(plan)}), ${isHuman})) AS humanDays,
            arraySort(groupUniqArrayIf(toUInt16(${dayNumber(plan)}), ${isAi(plan)})) AS aiDays,
            arraySort(groupUniqArray(toUInt16(${dayNumber(plan)}))) AS days
          FROM page_views WHERE ${viewed(plan)} AND ${isVisit(plan)} AND ${where}
          GROUP BY page_views.salt_window, value, visitor
        )
      ) GROUP BY salt_window, value, previous, on
    ) GROUP BY salt_window, value
    SETTINGS max_threads = 1`
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
  const rows = await store.read<{ window: string; pairs: number }>(
    `/* counters.built */ SELECT salt_window AS window, sum(length(day)) AS pairs FROM counters
      WHERE project_id = {projectId:String} AND generation = {generation:UInt64} AND build = {build:UInt64}
      GROUP BY salt_window`,
    { projectId, generation: BigInt(generation), build: BigInt(build) },
  )
  const pairs = new Map(rows.map((row) => [row.window, row.pairs]))
  const columns: readonly Column<WindowVersion>[] = [
    { name: 'project_id', type: 'String', of: () => projectId },
    { name: 'generation', type: 'UInt64', of: () => BigInt(generation) },
    { name: 'salt_window', type: 'String', of: ({ window }) => window },
    { name: 'build', type: 'UInt64', of: () => BigInt(build) },
    { name: 'views', type: 'UInt64', of: ({ views }) => BigInt(views) },
    { name: 'sums', type: 'UInt64', of: (one) => BigInt(one.sums) },
    { name: 'pairs', type: 'UInt64', of: ({ window }) => BigInt(pairs.get(window) ?? 0) },
    { name: 'sealed_at', type: "DateTime64(3, 'UTC')", of: () => now.getTime() },
  ]
  await store.insert('seals', columns, windows)
}
