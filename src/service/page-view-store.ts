// The place of the page views in the configuration, and checks for several servers: whether they share them, and whether
// a newer release migrated what they share.

import { join } from 'node:path'
import { type ClickHousePlace, refuseNewerServer } from '../clickhouse/open.ts'
import type { Config } from '../config/config.ts'
import { toFailure } from '../lib/failure.ts'

export function storePlace({ clickhouseUrl, dataDir, collectLogBytes }: Config): ClickHousePlace {
  if (clickhouseUrl === undefined) {
    return { kind: 'embedded', directory: join(dataDir, 'clickhouse'), logBytes: collectLogBytes }
  }
  return { kind: 'server', url: clickhouseUrl }
}

/** Explains why several servers would not share page views. Returns undefined if they share them, or if there is only one. */
export function unsharedStoreProblem({ database, clickhouseUrl, dataDir }: Config): string | undefined {
  if (database.url === undefined || clickhouseUrl !== undefined) return undefined
  return `page views are stored in ${dataDir}; other servers on the same database neither count nor erase them`
}

/** Throws `schema_newer`. A server that does not respond now is asked again when it is used. */
export async function refuseNewerStore({ clickhouseUrl }: Config): Promise<void> {
  if (clickhouseUrl === undefined) return
  await refuseNewerServer(clickhouseUrl).catch((error: unknown) => {
    if (toFailure(error).code === 'schema_newer') throw error
  })
}
