// Reads the version of a project's page views, which changes whenever one is stored, erased or reclassified. It is
// computed from sums in every part of the table (projection `versions`), so it costs the same for any number of rows.

import type { ClickHouse } from '../../clickhouse/open.ts'

/** Covers every column that exports read. The aggregates must equal those of the projection, or the store reads all rows. */
export const versionSql = `SELECT toString(count()) AS views,
  toString(sum(cityHash64(view_id, time, path, representation, status, source, visitor, category, agent, operator,
    verified, referrer))) AS sums FROM page_views WHERE project_id = {projectId:String}`

export async function readVersion(store: ClickHouse, projectId: string, signal?: AbortSignal): Promise<string> {
  const { views, sums } = await readSums(store, projectId, signal)
  return `${views}-${sums}`
}

/** The number of stored page views, of any class and time. */
export async function countStored(store: ClickHouse, projectId: string, signal?: AbortSignal): Promise<number> {
  return Number((await readSums(store, projectId, signal)).views)
}

type Sums = { readonly views: string; readonly sums: string }

async function readSums(store: ClickHouse, projectId: string, signal: AbortSignal | undefined): Promise<Sums> {
  const statement = `/* analytics.version */ ${versionSql}`
  const [found] = await store.read<Sums>(statement, { projectId }, signal)
  return found ?? { views: '0', sums: '0' }
}
