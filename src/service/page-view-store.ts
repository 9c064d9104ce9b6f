// The place of the page views in the configuration, and checks for several servers: whether they share them, and whether
// a newer release migrated what they share.

import { join } from 'node:path'
import { engineAdvice, findChdb } from '../clickhouse/chdb.ts'
import { isThere } from '../clickhouse/lazy.ts'
import { type ClickHousePlace, refuseNewerServer } from '../clickhouse/open.ts'
import type { Config } from '../config/config.ts'
import { Failure, toFailure } from '../lib/failure.ts'

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

/**
 * Says how to add the engine of page views. Undefined: there is one. Throws `config_invalid` if it is missing and page views are
 * stored: nobody would notice that they are not counted.
 */
export async function missingEngine(config: Config): Promise<string | undefined> {
  const place = storePlace(config)
  if (place.kind === 'server' || findChdb()) return undefined
  if (await isThere(place)) throw new Failure('config_invalid', `${place.directory} has page views. ${engineAdvice}`)
  return engineAdvice
}
