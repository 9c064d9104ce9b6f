// Reads the version of a project's page views, which changes whenever one is stored, erased or reclassified, and that of
// each of its salt windows. They are computed from sums in every part of the table (projection `windows`), so they cost
// the same for any number of rows.

import { hash } from 'node:crypto'
import type { ClickHouse } from '../../../clickhouse/open.ts'

/** Covers every column that exports read. The aggregates must equal those of the projection, or the store reads all rows. */
const sums = `toString(count()) AS views,
  toString(sum(cityHash64(view_id, time, path, representation, status, source, visitor, category, agent, operator,
    verified, referrer))) AS sums, toUnixTimestamp64Milli(min(time)) AS first, toUnixTimestamp64Milli(max(time)) AS last`

export const versionSql = `SELECT salt_window AS window, ${sums} FROM page_views
  WHERE project_id = {projectId:String} GROUP BY salt_window`

/** The page views of a project with the same salt window. */
export type WindowVersion = {
  readonly window: string
  /** Their number, and the sum of their hashes, as text. Of a window that moves, any text that changes with it. */
  readonly views: string
  readonly sums: string
  /** The times of the first and the last one, in milliseconds. */
  readonly first: number
  readonly last: number
  /** True: this process has written page views of it since its version was read. */
  readonly isMoving?: true
  /** The version before this process wrote the page views that make it move. They are all from `until` or later. */
  readonly rested?: Rested | undefined
}

export type Rested = { readonly views: string; readonly sums: string; readonly until: number }

export async function readWindows(
  store: ClickHouse,
  projectId: string,
  signal?: AbortSignal,
): Promise<readonly WindowVersion[]> {
  return store.read<WindowVersion>(`/* analytics.version */ ${versionSql}`, { projectId }, signal)
}

/** Those of all projects. */
export async function readAllWindows(
  store: ClickHouse,
): Promise<readonly (WindowVersion & { readonly projectId: string })[]> {
  const sql = `/* analytics.versions */ SELECT project_id AS projectId, salt_window AS window, ${sums} FROM page_views
    GROUP BY project_id, salt_window`
  return store.read(sql, {})
}

/** The version of all windows together. */
export function versionOf(windows: readonly WindowVersion[]): string {
  const versions = windows.map(({ window, views, sums }) => `${window} ${views} ${sums}`)
  return hash('sha256', versions.toSorted().join('\n'), 'hex')
}

/** The number of page views, of any class and time. */
export function countViews(windows: readonly WindowVersion[]): number {
  return windows.reduce((count, { views }) => count + Number(views), 0)
}
