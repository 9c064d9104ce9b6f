// Reads the counters of sealed windows from the store.

import { textList } from '../../../clickhouse/literal.ts'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import type { WindowVersion } from '../query/version.ts'
import { type Counters, type ScopeRow, toCounters } from './counters.ts'
import { type Dimension, dimensions as allDimensions } from './dimensions.ts'

/** Counters that were made of the rows with this version, and their number in each dimension, as JSON. */
export type Seal = Pick<WindowVersion, 'window' | 'views' | 'sums'> & {
  readonly build: string
  readonly lengths: string
}

export type OfProject = { readonly projectId: string; readonly generation: string }

/** The newest one comes last. */
export function readSeals(store: ClickHouse, of: OfProject, signal?: AbortSignal): Promise<readonly Seal[]> {
  return store.read<Seal>(
    `/* seals.of_project */ SELECT salt_window AS window, toString(build) AS build, lengths, toString(views) AS views,
      toString(sums) AS sums FROM seals WHERE project_id = {projectId:String} AND generation = {generation:UInt64}
      ORDER BY sealed_at, build`,
    { projectId: of.projectId, generation: BigInt(of.generation) },
    signal,
  )
}

/** Seals of before counted some dimensions, and named those without counters only later. */
const dimensionsBefore: ReadonlySet<Dimension> = new Set(allDimensions.slice(0, allDimensions.indexOf('of_site')))

function lengthsOf({ lengths }: Seal): Partial<Record<Dimension, number>> {
  return JSON.parse(lengths) as Partial<Record<Dimension, number>>
}

/** False: they were not counted yet. */
export function hasDimensions(seal: Seal, dimensions: readonly Dimension[]): boolean {
  const lengths = lengthsOf(seal)
  return dimensions.every((dimension) => dimensionsBefore.has(dimension) || lengths[dimension] !== undefined)
}

export function isFuller(one: Seal, other: Seal): boolean {
  return hasDimensions(one, allDimensions) && !hasDimensions(other, allDimensions)
}

type StoredScope = Omit<ScopeRow, 'scope'> & {
  readonly window: string
  readonly build: string
  readonly dimension: Dimension
  readonly value: string
}

export type Wanted = OfProject & {
  readonly seals: readonly Seal[]
  readonly dimensions: readonly Dimension[]
  /** Gives the number of a value. */
  readonly numberOf: (dimension: Dimension, value: string) => number
}

/** Calls `found` for the counters of each seal and dimension that are whole. Others are being deleted. */
export async function readCounters(
  store: ClickHouse,
  { projectId, generation, seals, dimensions, numberOf }: Wanted,
  found: (seal: Seal, dimension: Dimension, counters: Counters) => void,
  signal?: AbortSignal,
): Promise<void> {
  const rows = await store.read<StoredScope>(
    `/* counters.load */ SELECT salt_window AS window, toString(build) AS build, dimension, value, previous, day, human,
        ai, total FROM counters
      WHERE project_id = {projectId:String} AND generation = {generation:UInt64}
        AND salt_window IN ${textList(seals.map(({ window }) => window))}
        AND build IN (${seals.map(({ build }) => BigInt(build)).join(', ')}) AND dimension IN ${textList(dimensions)}`,
    { projectId, generation: BigInt(generation) },
    signal,
  )
  const places = Map.groupBy(rows, ({ window, build, dimension }) => `${window} ${build} ${dimension}`)
  for (const seal of seals) {
    const lengths = lengthsOf(seal)
    for (const dimension of dimensions) {
      const scopes = places.get(`${seal.window} ${seal.build} ${dimension}`) ?? []
      const counters = toCounters(scopes.map((row) => ({ ...row, scope: numberOf(dimension, row.value) })))
      if (counters.length === (lengths[dimension] ?? 0)) found(seal, dimension, counters)
    }
  }
}
