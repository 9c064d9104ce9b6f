// Keeps windows sealed, in the background: a window whose page views have not changed for a minute, and that is not sealed
// under the present settings of its project, is counted and sealed. Deletes counters that no seal needs any more. Of
// several servers, the one that holds the lease does it; if two do, no answer is wrong.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ClickHouse } from '../../clickhouse/open.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { Db } from '../../postgres/types.ts'
import type { CategoryMapping } from '../category.ts'
import { generationOf, type QuerySettings } from '../query/plan.ts'
import type { WindowVersion } from '../query/version.ts'
import { dropStale } from './drop-stale.ts'
import { sealWindows } from './seal.ts'
import { refreshWindows } from './windows.ts'

export type SealerOptions = {
  readonly db: Db
  /** Returns undefined if no page view was ever stored. */
  readonly openStoreIfThere: () => Promise<ClickHouse | undefined>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

const roundMs = 60_000
/** A window that changes and rests again and again is sealed no more often. */
const againMs = 10 * 60_000
const leaseMs = 15 * 60_000
/** Seals that nothing matches any more are deleted after this time. */
const staleMs = 60 * 60_000
/** Page views that one statement counts, unless a window alone has more. */
const viewsAtOnce = 4_000_000

/** Seals until the signal is aborted. Failures are logged and tried again. */
export async function keepSealed({ db, openStoreIfThere, clock, log, signal }: SealerOptions): Promise<void> {
  const seal = createSealer()
  const holder = randomUUID()
  while (!signal.aborted) {
    try {
      const store = (await holdLease(db, holder)) ? await openStoreIfThere() : undefined
      const sealed = store ? await seal({ db, store, clock, signal }) : 0
      if (sealed > 0) log.info({ sealed }, 'windows of visitors were sealed')
    } catch (error) {
      log.error({ err: error }, 'windows of visitors were not sealed')
    }
    await clock.sleep(roundMs, signal)
  }
  await db
    .deleteFrom('seal_lease')
    .where('holder', '=', holder)
    .execute()
    .catch(() => undefined)
}

async function holdLease(db: Db, holder: string): Promise<boolean> {
  const { rows } = await sql`/* seal_lease.hold */ insert into seal_lease (id, holder, until)
    values (1, ${holder}, now() + ${`${leaseMs} ms`}::interval)
    on conflict (id) do update set holder = excluded.holder, until = excluded.until
      where seal_lease.holder = excluded.holder or seal_lease.until < now()
    returning holder`.execute(db)
  return rows.length > 0
}

type Round = Pick<SealerOptions, 'db' | 'clock' | 'signal'> & { readonly store: ClickHouse }
type Found = WindowVersion & { readonly projectId: string }

/** Returns a function that looks at all windows once, and returns the number of those that it sealed. */
export function createSealer(): (round: Round) => Promise<number> {
  const state = { before: new Map<string, string>(), sealedAt: new Map<string, number>() }
  return async ({ db, store, clock, signal }) => {
    const found = await refreshWindows(store)
    const { before } = state
    state.before = new Map(found.map((one) => [placeOf(one), versionOf(one)]))
    const now = clock.now().getTime()
    for (const [place, at] of state.sealedAt) if (Math.abs(now - at) >= againMs) state.sealedAt.delete(place)
    const resting = found.filter(
      (one) => before.get(placeOf(one)) === versionOf(one) && !state.sealedAt.has(placeOf(one)),
    )
    let count = 0
    for (const [projectId, windows] of Map.groupBy(resting, (one) => one.projectId)) {
      const settings = await readSettings(db, projectId)
      if (settings) await dropOld(store, { projectId, settings, found, now })
      const due = settings ? await findDue(store, projectId, settings, windows) : []
      for (const some of inPortions(due)) {
        if (signal.aborted || !settings) return count
        const sealed = await sealWindows(store, { projectId, settings, windows: some, now: clock.now() })
        for (const window of sealed) state.sealedAt.set(placeOf({ projectId, window }), now)
        count += sealed.length
      }
    }
    return count
  }
}

type Old = {
  readonly projectId: string
  readonly settings: QuerySettings
  readonly found: readonly Found[]
  readonly now: number
}

function dropOld(store: ClickHouse, { projectId, settings, found, now }: Old): Promise<void> {
  const windows = found.filter((one) => one.projectId === projectId)
  return dropStale(store, { projectId, generation: generationOf(settings), windows, before: now - staleMs })
}

function placeOf({ projectId, window }: Pick<Found, 'projectId' | 'window'>): string {
  return `${projectId} ${window}`
}

function versionOf({ views, sums }: Pick<Found, 'views' | 'sums'>): string {
  return `${views} ${sums}`
}

/** Undefined: the project was deleted. */
async function readSettings(db: Db, id: string): Promise<QuerySettings | undefined> {
  const row = await db
    .selectFrom('projects')
    .select([
      'time_zone',
      'visitor_window',
      'collection_source',
      'retention_months',
      'categories',
      'unverified_ai_agents',
    ])
    .where('id', '=', id)
    .executeTakeFirst()
  return (
    row && {
      timeZone: row.time_zone,
      visitorWindow: row.visitor_window,
      collectionSource: row.collection_source,
      retentionMonths: row.retention_months,
      categories: JSON.parse(row.categories) as CategoryMapping,
      unverifiedAiAgents: row.unverified_ai_agents,
    }
  )
}

async function findDue(
  store: ClickHouse,
  projectId: string,
  settings: QuerySettings,
  windows: readonly Found[],
): Promise<readonly Found[]> {
  const seals = await store.read<{ key: string }>(
    `/* seals.known */ SELECT DISTINCT concat(salt_window, ' ', toString(views), ' ', toString(sums)) AS key FROM seals
      WHERE project_id = {projectId:String} AND generation = {generation:UInt64}`,
    { projectId, generation: generationOf(settings) },
  )
  const known = new Set(seals.map(({ key }) => key))
  return windows.filter((one) => !known.has(`${one.window} ${versionOf(one)}`))
}

function inPortions(windows: readonly Found[]): readonly (readonly Found[])[] {
  const portions: Found[][] = []
  let views = Infinity
  for (const one of windows) {
    views += Number(one.views)
    if (views > viewsAtOnce) {
      portions.push([])
      views = Number(one.views)
    }
    portions.at(-1)?.push(one)
  }
  return portions
}
