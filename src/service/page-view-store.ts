// The place of the page views in the configuration, and a check for several servers that would not share them.

import { join } from 'node:path'
import type { ClickHousePlace } from '../clickhouse/open.ts'
import type { Config } from '../config/config.ts'

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
