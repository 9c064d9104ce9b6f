// Answers for sealed windows: finds the windows of a question whose counters were made of exactly the rows that they have
// now, and keeps the counters in memory. A window whose rows changed since is answered from its rows, until it is
// sealed again.

import { LRUCache } from 'lru-cache'
import { textList } from '../../clickhouse/literal.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'
import type { Plan } from '../query/plan.ts'
import type { Known } from '../query/prepare.ts'
import type { WindowVersion } from '../query/version.ts'
import { type Counters, type ScopeRow, sizeOf, toCounters } from './counters.ts'

/** The number of the scope of all pages together. */
export const siteScope = 0

/** The scopes of a project, by their numbers from 0. */
export type Scopes = {
  readonly size: number
  /** The number of each page. */
  readonly pages: ReadonlyMap<string, number>
}

/** What counters answer of a question. */
export type Counted = {
  readonly counters: readonly Counters[]
  readonly scopes: Scopes
  /** The plan for the page views of all other windows; undefined: there are none in the range. */
  readonly rest: Plan | undefined
}

/** A seal that readers may use: its counters were made of these rows. */
type Seal = { readonly window: string; readonly build: string; readonly pairs: number } & Pick<
  WindowVersion,
  'views' | 'sums'
>

/** Of one project, under the same rules. */
type Memory = {
  readonly pages: Map<string, number>
  /** By window and version. */
  readonly loaded: Map<string, { readonly seal: Seal; readonly counters: Counters }>
  /** The windows that had no seal when the store was last asked, and when that was. */
  readonly missing: Set<string>
  askedAt: number
}

/** Bytes of counters in memory, over all projects. */
const maxBytes = 256 * 1024 ** 2
/** How long a window without a seal is not asked for again, in milliseconds. */
const askAgainMs = 5_000

const memories = new WeakMap<ClickHouse, LRUCache<string, Memory>>()

function memoryOf(store: ClickHouse, key: string): Memory {
  const ofStore = memories.get(store) ?? new LRUCache<string, Memory>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  memories.set(store, ofStore)
  const known = ofStore.get(key)
  if (known) return known
  const memory: Memory = { pages: new Map(), loaded: new Map(), missing: new Set(), askedAt: -Infinity }
  ofStore.set(key, memory)
  return memory
}

function bytesOf({ pages, loaded }: Memory): number {
  const ofCounters = loaded.values().reduce((sum, { counters }) => sum + sizeOf(counters), 0)
  return 1_000 + pages.size * 100 + ofCounters
}

/** Undefined: no window in the range is sealed, and the question is answered as a whole from rows. */
export async function findCounted(
  store: ClickHouse,
  plan: Plan,
  { generation, windows }: Known,
  signal?: AbortSignal,
): Promise<Counted | undefined> {
  const inRange = windows.filter(({ first, last }) => first < plan.to && last >= plan.from)
  const place = `${plan.projectId} ${generation}`
  const memory = memoryOf(store, place)
  await loadMissing(store, { memory, place, generation, projectId: plan.projectId }, { inRange, windows }, signal)
  const sealed = inRange.filter((one) => memory.loaded.has(keyOf(one)))
  if (sealed.length === 0) return undefined
  const others = inRange.filter((one) => !memory.loaded.has(keyOf(one)))
  const counters = sealed.flatMap((one) => memory.loaded.get(keyOf(one))?.counters ?? [])
  const scopes = { size: memory.pages.size + 1, pages: memory.pages }
  return { counters, scopes, rest: restOf(plan, sealed, others) }
}

/** Rows of other windows lie between their first and their last one. Later ones were not acknowledged before the question. */
function restOf(plan: Plan, sealed: readonly WindowVersion[], others: readonly WindowVersion[]): Plan | undefined {
  if (others.length === 0) return undefined
  const from = Math.max(plan.from, Math.min(...others.map(({ first }) => first)))
  const to = Math.min(plan.to, Math.max(...others.map(({ last }) => last)) + 1)
  return { ...plan, from, to, without: sealed.map(({ window }) => window) }
}

function keyOf({ window, views, sums }: Pick<WindowVersion, 'window' | 'views' | 'sums'>): string {
  return `${window} ${views} ${sums}`
}

type Place = {
  readonly memory: Memory
  readonly place: string
  readonly projectId: string
  readonly generation: string
}
type Wanted = { readonly inRange: readonly WindowVersion[]; readonly windows: readonly WindowVersion[] }

async function loadMissing(
  store: ClickHouse,
  { memory, place, projectId, generation }: Place,
  { inRange, windows }: Wanted,
  signal: AbortSignal | undefined,
): Promise<void> {
  const unknown = inRange.filter((one) => !memory.loaded.has(keyOf(one)))
  const now = performance.now()
  if (now - memory.askedAt > askAgainMs) memory.missing.clear()
  if (unknown.every(({ window }) => memory.missing.has(window))) return
  memory.askedAt = now
  const seals = await readSeals(store, { projectId, generation }, signal)
  const current = new Set(windows.map(keyOf))
  const fresh = seals.filter((seal) => current.has(keyOf(seal)) && !memory.loaded.has(keyOf(seal)))
  const unique = [...new Map(fresh.map((seal) => [keyOf(seal), seal])).values()]
  if (unique.length > 0) await load(store, { memory, projectId, generation }, unique, signal)
  for (const key of memory.loaded.keys()) if (!current.has(key)) memory.loaded.delete(key)
  for (const one of unknown) if (!memory.loaded.has(keyOf(one))) memory.missing.add(one.window)
  // Set again, so that its size counts.
  memories.get(store)?.set(place, memory)
}

type OfProject = Pick<Place, 'projectId' | 'generation'>

export function readSeals(
  store: ClickHouse,
  { projectId, generation }: OfProject,
  signal?: AbortSignal,
): Promise<readonly Seal[]> {
  return store.read<Seal>(
    `/* seals.of_project */ SELECT salt_window AS window, toString(build) AS build, pairs, toString(views) AS views,
      toString(sums) AS sums FROM seals WHERE project_id = {projectId:String} AND generation = {generation:UInt64}`,
    { projectId, generation },
    signal,
  )
}

type StoredScope = Omit<ScopeRow, 'scope'> & {
  readonly salt_window: string
  readonly build: string
  readonly dimension: 'site' | 'page'
  readonly value: string
}

/** Ignores a build that is not whole: it is being deleted. */
async function load(
  store: ClickHouse,
  { memory, projectId, generation }: Omit<Place, 'place'>,
  seals: readonly Seal[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const lists = ['previous', 'day', 'human', 'ai', 'total'].map((name) => `groupArrayArray(${name}) AS ${name}`)
  const rows = await store.read<StoredScope>(
    `/* counters.load */ SELECT salt_window, toString(build) AS build, dimension, value, ${lists.join(', ')} FROM (
        SELECT salt_window, build, dimension, value, c.previous AS previous, c.day AS day, c.human AS human, c.ai AS ai,
          c.total AS total FROM counters AS c
        WHERE project_id = {projectId:String} AND generation = {generation:UInt64}
          AND salt_window IN ${textList(seals.map(({ window }) => window))}
          AND build IN (${seals.map(({ build }) => BigInt(build)).join(', ')})
      ) GROUP BY salt_window, build, dimension, value`,
    { projectId, generation },
    signal,
  )
  const byBuild = Map.groupBy(rows, (row) => `${row.salt_window} ${row.build}`)
  for (const seal of seals) {
    const ofBuild = byBuild.get(`${seal.window} ${seal.build}`) ?? []
    const scoped = ofBuild.map((row) => ({ ...row, scope: scopeOf(memory.pages, row) }))
    const counters = toCounters(scoped)
    if (counters.day.length === seal.pairs) memory.loaded.set(keyOf(seal), { seal, counters })
  }
}

function scopeOf(pages: Map<string, number>, { dimension, value }: StoredScope): number {
  if (dimension === 'site') return siteScope
  const known = pages.get(value)
  if (known !== undefined) return known
  pages.set(value, pages.size + 1)
  return pages.size
}
