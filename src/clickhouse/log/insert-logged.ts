// Inserts page views from the log into their table.

import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { runQuery } from '../query.ts'

export type LoggedRows = {
  /** A table expression. */
  readonly rows: string
  /** Rows with the same id may be in the table; those are left out. */
  readonly mayBeStored: boolean
  readonly settings: ClickHouseSettings
}

/** The columns are those of the blocks, which another release may have written. */
export async function insertLogged(
  client: ClickHouseClient,
  { rows, mayBeStored, settings }: LoggedRows,
): Promise<void> {
  const columns = await runQuery<{ name: string }>(client, { sql: `DESCRIBE ${rows}`, params: {}, settings })
  const names = columns.map(({ name }) => name).join(', ')
  const stored = `SELECT project_id, view_id FROM page_views
    WHERE (project_id, view_id) IN (SELECT project_id, view_id FROM ${rows})`
  const which = mayBeStored ? `WHERE (project_id, view_id) NOT IN (${stored})` : ''
  const query = `INSERT INTO page_views (${names}) SELECT ${names} FROM ${rows} ${which}`
  await client.command({ query, clickhouse_settings: settings })
}
