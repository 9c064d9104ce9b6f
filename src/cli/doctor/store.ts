// Checks the store of page views: its server responds, all servers share one store, and no file of its log is damaged.

import { engineAdvice, findChdb } from '../../clickhouse/chdb.ts'
import { isThere } from '../../clickhouse/lazy.ts'
import { findDamaged, pingServer } from '../../clickhouse/open.ts'
import type { Config } from '../../config/config.ts'
import { storePlace, unsharedStoreProblem } from '../../service/page-view-store.ts'
import { failed, type Finding, ok, warning } from './finding.ts'

const about = 'page views'
const todo = 'Check CLICKHOUSE_URL with its user, password and database, and whether the server runs.'

export async function checkStore(config: Config): Promise<Finding> {
  const problem = unsharedStoreProblem(config)
  if (problem !== undefined) return warning(about, problem, 'Set CLICKHOUSE_URL before you start a second server.')
  const place = storePlace(config)
  if (place.kind === 'embedded') {
    if (findChdb()) return checkEmbedded(place.directory)
    const isStored = await isThere(place)
    return isStored
      ? failed(about, `${place.directory} has some, and their engine is not installed`, engineAdvice)
      : warning(about, 'their engine is not installed', engineAdvice)
  }
  try {
    await pingServer(place.url)
    return ok(about, 'the ClickHouse server responds')
  } catch {
    return failed(about, 'the ClickHouse server does not respond', todo)
  }
}

/** Exported for its test. */
export async function checkEmbedded(directory: string): Promise<Finding> {
  const { folder, count } = await findDamaged(directory)
  if (count === 0) return ok(about, `stored in ${directory}`)
  const files = count === 1 ? '1 file was' : `${count} files were`
  return warning(
    about,
    `${files} damaged on the disk before all page views in them were in their table; some may be missing`,
    `Check the disk. The files are kept as ${folder}/*.damaged, and the log of the service says how much of them was lost: delete them when you no longer need them.`,
  )
}
