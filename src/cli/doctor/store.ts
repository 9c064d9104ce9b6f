// Checks the store of page views: its server responds, and all servers share one store.

import { pingServer } from '../../clickhouse/open.ts'
import type { Config } from '../../config/config.ts'
import { unsharedStoreProblem } from '../../service/page-view-store.ts'
import { failed, type Finding, ok, warning } from './finding.ts'

const about = 'page views'
const todo = 'Check CLICKHOUSE_URL with its user, password and database, and whether the server runs.'

export async function checkStore(config: Config): Promise<Finding> {
  const problem = unsharedStoreProblem(config)
  if (problem !== undefined) return warning(about, problem, 'Set CLICKHOUSE_URL before you start a second server.')
  if (config.clickhouseUrl === undefined) return ok(about, `stored in ${config.dataDir}`)
  try {
    await pingServer(config.clickhouseUrl)
    return ok(about, 'the ClickHouse server responds')
  } catch {
    return failed(about, 'the ClickHouse server does not respond', todo)
  }
}
