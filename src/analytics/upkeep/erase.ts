// Erases a visitor: permanently deletes the page views of a `visitorId` or of an IP address. Rows contain no addresses, so
// the visitor numbers of an address are computed again from every stored user agent and every existing salt. Page views
// whose salt is destroyed, or whose user agent was cleared, cannot be found.

import { setImmediate } from 'node:timers/promises'
import { numberList } from '../../clickhouse/literal.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'
import type { AnalyticsContext } from '../context.ts'
import { deleteWhere } from '../delete.ts'
import { visitorOfClient, visitorOfId, visitorOfSession } from '../collect/identify.ts'
import { tools } from '../import/tools.ts'
import { readSalts, type Salt, visitorIdWindow } from '../collect/salts.ts'

export type ErasureResult = { readonly visitors: number; readonly pageViews: number }

export type ErasureTarget = { readonly visitorId: string } | { readonly address: string }

/**
 * Covers every page view acknowledged before the call. Resolves when no query finds the rows; the store removes their
 * bytes from the disk a few minutes later.
 */
export async function eraseVisitor(
  { db, openStore }: Pick<AnalyticsContext, 'db' | 'openStore'>,
  projectId: string,
  who: ErasureTarget,
): Promise<ErasureResult> {
  const store = await openStore()
  const salts = await readSalts(db, projectId)
  const visitors =
    'visitorId' in who
      ? await findByVisitorId(store, salts, { projectId, visitorId: who.visitorId })
      : await findByAddress(store, salts, { projectId, address: who.address })
  return { visitors: visitors.length, pageViews: await deletePageViewsOf(store, projectId, visitors) }
}

type Salts = ReadonlyMap<string, Salt>

async function findByVisitorId(
  store: ClickHouse,
  salts: Salts,
  { projectId, visitorId }: { readonly projectId: string; readonly visitorId: string },
): Promise<readonly bigint[]> {
  // With strict privacy an id has the salt of each day.
  const candidates = [...salts.values()].flatMap((salt) => [
    visitorOfId(salt, projectId, visitorId),
    ...tools.map((tool) => visitorOfSession(salt, projectId, { session: visitorId, tool })),
  ])
  return candidates.length === 0 ? [] : keepStored(store, projectId, candidates)
}

/** About how many user agents are in memory at once. Hashing them takes milliseconds; then other work runs. */
const batchSize = 5_000

async function findByAddress(
  store: ClickHouse,
  salts: Salts,
  { projectId, address }: { readonly projectId: string; readonly address: string },
): Promise<readonly bigint[]> {
  // The key of `visitorIdWindow` never hashes addresses.
  const clientSalts = [...salts].filter(([name]) => name !== visitorIdWindow.name).map(([, salt]) => salt)
  const found = new Set<bigint>()
  for await (const userAgents of readUserAgents(store, projectId)) {
    for (const salt of clientSalts) {
      const candidates = userAgents.map((userAgent) => visitorOfClient(salt, projectId, { address, userAgent }))
      for (const visitor of await keepStored(store, projectId, candidates)) found.add(visitor)
      await setImmediate()
    }
  }
  return [...found]
}

/** Reads all user agents in batches by their hash: each is in exactly one batch, even if page views arrive meanwhile. */
async function* readUserAgents(store: ClickHouse, projectId: string): AsyncGenerator<readonly string[]> {
  const count = 'SELECT uniq(user_agent) AS count FROM page_views WHERE project_id = {projectId:String}'
  const [row] = await store.read<{ count: number }>(`/* page_views.count_user_agents */ ${count}`, { projectId })
  const batches = Math.ceil((row?.count ?? 0) / batchSize)
  for (let batch = 0; batch < batches; batch += 1) {
    const rows = await store.read<{ user_agent: string }>(
      `/* page_views.user_agents */ SELECT DISTINCT user_agent FROM page_views
        WHERE project_id = {projectId:String} AND sipHash64(user_agent) % {batches:UInt32} = {batch:UInt32}`,
      { projectId, batches, batch },
    )
    yield rows.map((one) => one.user_agent)
  }
}

async function keepStored(
  store: ClickHouse,
  projectId: string,
  visitors: readonly bigint[],
): Promise<readonly bigint[]> {
  const rows = await store.read<{ number: string }>(
    `/* page_views.visitors */ SELECT DISTINCT toString(visitor) AS number FROM page_views
      WHERE project_id = {projectId:String} AND visitor != 0 AND visitor IN ${numberList(visitors)}`,
    { projectId },
  )
  return rows.map(({ number }) => BigInt(number))
}

async function deletePageViewsOf(store: ClickHouse, projectId: string, visitors: readonly bigint[]): Promise<number> {
  if (visitors.length === 0) return 0
  const condition = `project_id = {projectId:String} AND visitor IN ${numberList(visitors)}`
  return deleteWhere(store, 'page_views', condition, { projectId })
}
