// Keeps windows sealed, in the background: a window whose page views have not changed for a minute, and that is not sealed
// under the present settings of its project, is counted and sealed. Deletes counters that no seal needs any more. Of
// several servers, the one that holds the lease does it; if two do, no answer is wrong.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/observability/log.ts'
import type { Metrics } from '../../../lib/observability/metrics.ts'
import type { Db } from '../../../postgres/types.ts'
import type { CategoryMapping } from '../../category.ts'
import { readSegments } from '../query/segments.ts'
import type { Filters } from '../query/filters.ts'
import { generationOf, type QuerySettings } from '../query/plan.ts'
import { upgradeVersions, type WindowVersion } from '../query/version.ts'
import { inPortions } from '../../portions.ts'
import { dimensions } from './dimensions.ts'
import { dropStale } from './drop-stale.ts'
import { rowsAtOnce } from './memory.ts'
import { sealWindows } from './seal.ts'
import { forgetVersions, refreshWindows } from './windows.ts'

export type SealerOptions = {
  readonly db: Db
  /** Returns undefined if no page view was ever stored. */
  readonly openStoreIfThere: () => Promise<ClickHouse | undefined>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<Metrics, 'countersDiffered'>
  readonly signal: AbortSignal
}

const roundMs = 60_000
/** A window that changes and rests again and again is sealed no more often. */
const againMs = 10 * 60_000
const leaseMs = 15 * 60_000
/** Seals that nothing matches any more are deleted after this time. */
const staleMs = 60 * 60_000
/** Two months: the days of a visitor are bits of one number of 64 bits, and those of more are a list. */
const daysOfPortion = 62

/** Seals until the signal is aborted. Failures are logged and tried again. */
export async function keepSealed(options: SealerOptions): Promise<void> {
  const { db, openStoreIfThere, clock, log, metrics, signal } = options
  const seal = createSealer(({ projectId, window }) => {
    metrics.countersDiffered()
    log.error({ projectId, window }, 'page views of a window changed, but not by this process')
  })
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
/** `targets`: all page views, and those of each saved segment. */
type Project = { readonly settings: QuerySettings; readonly targets: readonly Target[] }
type Target = { readonly filters: Filters; readonly generation: string }
/** A window that is to be sealed for a target. */
type Due = Found & { readonly target: Target }

/** Returns a function that reads all windows once, and returns the number of those that it sealed. */
export function createSealer(differs?: (window: Found) => void): (round: Round) => Promise<number> {
  const state = {
    /** The versions of the round before. */
    before: new Map<string, string>(),
    sealedAt: new Map<string, number>(),
    /** Undefined: the seals were not read yet. */
    seals: undefined as Set<string> | undefined,
    /** Since when a project may have seals that nothing matches. */
    staleSince: new Map<string, number>(),
  }
  return async ({ db, store, clock, signal }) => {
    if (await upgradeVersions(store)) {
      forgetVersions(store)
      state.seals = undefined
    }
    const found = await refreshWindows(store, differs)
    const { before } = state
    state.before = new Map(found.map((one) => [placeOf(one), versionOf(one)]))
    const now = clock.now().getTime()
    for (const [place, at] of state.sealedAt) if (Math.abs(now - at) >= againMs) state.sealedAt.delete(place)
    const projects = await readProjects(db)
    const seals = (state.seals ??= await readSealed(store))
    const due = found.flatMap((one): Due[] => {
      const targets = projects.get(one.projectId)?.targets ?? []
      return targets.map((target) => ({ ...one, target })).filter((each) => !seals.has(sealOf(each)))
    })
    for (const { projectId } of due) if (!state.staleSince.has(projectId)) state.staleSince.set(projectId, now)
    const resting = due.filter(
      (one) => before.get(placeOf(one)) === versionOf(one) && !state.sealedAt.has(sealPlaceOf(one)),
    )
    let count = 0
    for (const windows of Map.groupBy(
      resting,
      ({ projectId, target }) => `${projectId} ${target.generation}`,
    ).values()) {
      for (const { items: some } of portionsOf(store, windows)) {
        if (signal.aborted) return count
        const sealed = await sealSome(store, projects, some, clock.now())
        for (const one of sealed) {
          state.sealedAt.set(sealPlaceOf(one), now)
          seals.add(sealOf(one))
        }
        count += sealed.length
      }
    }
    for (const [projectId, since] of state.staleSince) {
      const project = projects.get(projectId)
      if (project && Math.abs(now - since) < staleMs) continue
      state.staleSince.delete(projectId)
      if (!project) continue
      const windows = found.filter((one) => one.projectId === projectId)
      const generations = project.targets.map(({ generation }) => generation)
      await dropStale(store, { projectId, generations, windows, before: now - staleMs / 2 })
      state.seals = undefined
    }
    return count
  }
}

/** The windows are of one project and for one target. Returns those that are sealed now. */
async function sealSome(
  store: ClickHouse,
  projects: ReadonlyMap<string, Project>,
  windows: readonly Due[],
  now: Date,
): Promise<readonly Due[]> {
  const [first] = windows
  const settings = first && projects.get(first.projectId)?.settings
  if (!first || !settings) return []
  const task = { projectId: first.projectId, settings, filters: first.target.filters, windows, now }
  const sealed = new Set(await sealWindows(store, task))
  return windows.filter(({ window }) => sealed.has(window))
}

function sealPlaceOf(one: Due): string {
  return `${one.target.generation} ${placeOf(one)}`
}

function sealOf(one: Due): string {
  return `${sealPlaceOf(one)} ${versionOf(one)}`
}

function placeOf({ projectId, window }: Pick<Found, 'projectId' | 'window'>): string {
  return `${projectId} ${window}`
}

function versionOf({ views, sums }: Pick<Found, 'views' | 'sums'>): string {
  return `${views} ${sums}`
}

async function readProjects(db: Db): Promise<ReadonlyMap<string, Project>> {
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'time_zone', 'visitor_window', 'collection_source', 'retention_months', 'categories'])
    .select('unverified_ai_agents')
    .execute()
  const segments = await readSegments(db)
  return new Map(
    rows.map((row) => {
      const settings = {
        timeZone: row.time_zone,
        visitorWindow: row.visitor_window,
        collectionSource: row.collection_source,
        retentionMonths: row.retention_months,
        categories: JSON.parse(row.categories) as CategoryMapping,
        unverifiedAiAgents: row.unverified_ai_agents,
      }
      const targets = [[], ...(segments.get(row.id) ?? [])].map((filters: Filters) => ({
        filters,
        generation: generationOf(settings, filters),
      }))
      return [row.id, { settings, targets }]
    }),
  )
}

/** Those of all projects that have all dimensions, each with its generation, window and version. */
async function readSealed(store: ClickHouse): Promise<Set<string>> {
  const rows = await store.read<{ key: string }>(
    `/* seals.all */ SELECT DISTINCT concat(toString(generation), ' ', project_id, ' ', salt_window, ' ', toString(views), ' ',
      toString(sums)) AS key FROM seals WHERE JSONHas(lengths, '${dimensions.at(-1)}')`,
    {},
  )
  return new Set(rows.map(({ key }) => key))
}

/** Newest first. Each has a bounded number of page views and, unless they are few, of days: more days are counted more slowly. */
function portionsOf(store: ClickHouse, windows: readonly Due[]) {
  const atOnce = rowsAtOnce(store)
  const newestFirst = windows.toSorted((a, b) => b.last - a.last)
  const viewsOf = ({ views }: Due) => Number(views)
  const areFew = windows.reduce((sum, one) => sum + viewsOf(one), 0) <= atOnce / 8
  const daysOf = ({ first, last }: Due) => Math.ceil((last + 1 - first) / 86_400_000)
  const sizeOf = (one: Due) => Math.max(viewsOf(one), areFew ? 0 : (atOnce * daysOf(one)) / daysOfPortion)
  return inPortions(newestFirst, sizeOf, atOnce)
}
