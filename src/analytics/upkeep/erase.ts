// Erases a visitor: deletes the page views of a `visitorId` or of an address for good. No row contains an address, so
// its visitor ids are computed again, from every stored user agent and every salt that still exists. Page views in
// windows whose salt is destroyed, or without a user agent, cannot be found any more.

import { setImmediate } from 'node:timers/promises'
import { numberList } from '../../clickhouse/literal.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'
import type { AnalyticsContext } from '../context.ts'
import { deleteWhere } from './delete.ts'
import { visitorOfClient, visitorOfId } from '../collect/identify.ts'
import { readSalts, type Salt, visitorIdWindow } from '../collect/salts.ts'

export type Erased = { readonly visitors: number; readonly pageViews: number }

export type WhoToErase = { readonly visitorId: string } | { readonly address: string }

/**
 * Covers every page view acknowledged before the call. Resolves when no query finds the rows any more; their bytes leave
 * the disk when the store removes the old parts, some minutes later.
 */
export async function eraseVisitor(
  { db, openStore }: Pick<AnalyticsContext, 'db' | 'openStore'>,
  projectId: string,
  who: WhoToErase,
): Promise<Erased> {
  const store = await openStore()
  const salts = await readSalts(db, projectId)
  const visitors =
    'visitorId' in who
      ? await findByVisitorId(store, salts, { projectId, visitorId: who.visitorId })
      : await findByAddress(store, salts, { projectId, address: who.address })
  return { visitors: visitors.length, pageViews: await deleteOf(store, projectId, visitors) }
}

type Salts = ReadonlyMap<string, Salt>

async function findByVisitorId(
  store: ClickHouse,
  salts: Salts,
  { projectId, visitorId }: { readonly projectId: string; readonly visitorId: string },
): Promise<readonly bigint[]> {
  const salt = salts.get(visitorIdWindow.name)
  return salt ? findStored(store, projectId, [visitorOfId(salt, projectId, visitorId)]) : []
}

/** User agents in memory at once. Their visitor ids take a few milliseconds; other work runs in between. */
const portion = 5_000

async function findByAddress(
  store: ClickHouse,
  salts: Salts,
  { projectId, address }: { readonly projectId: string; readonly address: string },
): Promise<readonly bigint[]> {
  const ofClients = [...salts].filter(([name]) => name !== visitorIdWindow.name).map(([, salt]) => salt)
  const found = new Set<bigint>()
  for await (const userAgents of readUserAgents(store, projectId)) {
    for (const salt of ofClients) {
      const made = userAgents.map((userAgent) => visitorOfClient(salt, projectId, { address, userAgent }))
      for (const visitor of await findStored(store, projectId, made)) found.add(visitor)
      await setImmediate()
    }
  }
  return [...found]
}

/** Reads all user agents in hash partitions: each is in exactly one, even while others are written. */
async function* readUserAgents(store: ClickHouse, projectId: string): AsyncGenerator<readonly string[]> {
  const count = 'SELECT uniq(user_agent) AS count FROM page_views WHERE project_id = {projectId:String}'
  const [row] = await store.read<{ count: number }>(`/* page_views.count_user_agents */ ${count}`, { projectId })
  const of = Math.ceil((row?.count ?? 0) / portion)
  for (let at = 0; at < of; at += 1) {
    const rows = await store.read<{ user_agent: string }>(
      `/* page_views.user_agents */ SELECT DISTINCT user_agent FROM page_views
        WHERE project_id = {projectId:String} AND sipHash64(user_agent) % {of:UInt32} = {at:UInt32}`,
      { projectId, of, at },
    )
    yield rows.map((one) => one.user_agent)
  }
}

async function findStored(
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

async function deleteOf(store: ClickHouse, projectId: string, visitors: readonly bigint[]): Promise<number> {
  if (visitors.length === 0) return 0
  const which = `project_id = {projectId:String} AND visitor IN ${numberList(visitors)}`
  return deleteWhere(store, 'page_views', which, { projectId })
}
