// Runs one query on one connection and returns its rows as objects. Throws what the client throws.

import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'

export type Params = Readonly<Record<string, unknown>>
export type Query = { readonly sql: string; readonly params: Params; readonly settings: ClickHouseSettings }

export async function runQuery<T>(client: ClickHouseClient, { sql, params, settings }: Query): Promise<readonly T[]> {
  const options = { query: sql, query_params: params, clickhouse_settings: settings, format: 'JSONEachRow' } as const
  return (await client.query(options)).json<T>()
}
