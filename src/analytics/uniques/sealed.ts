// Reads the counters of sealed windows from the store.

import { textList } from '../../clickhouse/literal.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'
import type { WindowVersion } from '../query/version.ts'
import { type ScopeRow, siteScope, toCounters, type WindowCounters } from './counters.ts'

/** Counters that were made of the rows with this version, and their number. */
export type Seal = Pick<WindowVersion, 'window' | 'views' | 'sums'> & { readonly build: string; readonly pairs: number }

export type OfProject = { readonly projectId: string; readonly generation: string }

/** The newest one comes last. */
export function readSeals(store: ClickHouse, of: OfProject, signal?: AbortSignal): Promise<readonly Seal[]> {
  return store.read<Seal>(
    `/* seals.of_project */ SELECT salt_window AS window, toString(build) AS build, pairs, toString(views) AS views,
      toString(sums) AS sums FROM seals WHERE project_id = {projectId:String} AND generation = {generation:UInt64}
      ORDER BY sealed_at, build`,
    { projectId: of.projectId, generation: BigInt(of.generation) },
    signal,
  )
}

type StoredScope = Omit<ScopeRow, 'scope'> & {
  readonly window: string
  readonly build: string
  readonly dimension: 'site' | 'page'
  readonly value: string
}

/** Calls `found` for each seal whose counters are whole. Others are being deleted. `pageOf` gives the number of a page. */
export async function readCounters(
  store: ClickHouse,
  {
    projectId,
    generation,
    seals,
    pageOf,
  }: OfProject & { readonly seals: readonly Seal[]; readonly pageOf: (path: string) => number },
  found: (seal: Seal, counters: WindowCounters) => void,
  signal?: AbortSignal,
): Promise<void> {
  const rows = await store.read<StoredScope>(
    `/* counters.load */ SELECT salt_window AS window, toString(build) AS build, dimension, value, previous, day, human,
        ai, total FROM counters
      WHERE project_id = {projectId:String} AND generation = {generation:UInt64}
        AND salt_window IN ${textList(seals.map(({ window }) => window))}
        AND build IN (${seals.map(({ build }) => BigInt(build)).join(', ')})`,
    { projectId, generation: BigInt(generation) },
    signal,
  )
  const bySeal = Map.groupBy(rows, ({ window, build }) => `${window} ${build}`)
  for (const seal of seals) {
    const ofSeal = Map.groupBy(bySeal.get(`${seal.window} ${seal.build}`) ?? [], ({ dimension }) => dimension)
    const site = toCounters((ofSeal.get('site') ?? []).map((row) => ({ ...row, scope: siteScope })))
    const pages = toCounters((ofSeal.get('page') ?? []).map((row) => ({ ...row, scope: pageOf(row.value) })))
    if (site.length + pages.length === seal.pairs) found(seal, { site, pages })
  }
}
