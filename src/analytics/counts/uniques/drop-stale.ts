// Deletes seals of a project that match neither its settings nor its page views any more, and counters without a seal.

import { numberList, textList } from '../../../clickhouse/literal.ts'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import type { WindowVersion } from '../query/version.ts'
import { toStoreTime } from '../../store.ts'
import { firstBuildAt } from './seal.ts'
import { deleteWhere } from '../../delete.ts'

export type Kept = {
  readonly projectId: string
  /** Those of the settings of the project, for all page views and for each saved segment. */
  readonly generations: readonly string[]
  readonly windows: readonly Pick<WindowVersion, 'window' | 'views' | 'sums'>[]
  /** In milliseconds: younger seals stay, because a query may be about to read their counters. */
  readonly before: number
}

const project = 'project_id = {projectId:String}'
const key = `concat(salt_window, ' ', toString(views), ' ', toString(sums))`

/** Counters go after their seal: a seal always has its counters, or is known to lack some. */
export async function dropStale(store: ClickHouse, { projectId, generations, windows, before }: Kept): Promise<void> {
  const current = textList(windows.map(({ window, views, sums }) => `${window} ${views} ${sums}`))
  const isCurrent = `generation IN ${numberList(generations.map(BigInt))} AND has(${current}, ${key})`
  const old = `${project} AND sealed_at < {before:DateTime64(3, 'UTC')} AND NOT (${isCurrent})`
  const dropped = await deleteWhere(store, 'seals', old, {
    projectId,
    before: toStoreTime(before),
  })
  if (dropped > 0) await dropUnsealed(store, projectId, new Date(before))
}

/** Also deletes what a build left that a crash ended. Builds that began after `before` may still run, and stay. */
export async function dropUnsealed(store: ClickHouse, projectId: string, before: Date): Promise<void> {
  const rows = await store.read<{ build: string }>(
    `/* seals.builds */ SELECT DISTINCT toString(build) AS build FROM seals WHERE ${project}`,
    { projectId },
  )
  const builds = rows.map(({ build }) => BigInt(build)).join(', ')
  const old = `${project} AND build < ${firstBuildAt(before)}`
  const which = builds === '' ? old : `${old} AND build NOT IN (${builds})`
  await deleteWhere(store, 'counters', which, { projectId })
}
