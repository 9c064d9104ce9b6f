// Finds the windows of a query that counters answer, and keeps the counters in memory. Counters of a sealed window count
// if they were made of exactly the rows that the window has now. Those of a live window follow the writes of this
// process. All other windows are answered from their rows.

import { LRUCache } from 'lru-cache'
import type { ClickHouse } from '../../clickhouse/open.ts'
import type { PageView } from '../page-view.ts'
import type { Plan } from '../query/plan.ts'
import type { WindowVersion } from '../query/version.ts'
import { type Counters, sizeOf, type WindowCounters } from './counters.ts'
import type { Dimension } from './dimensions.ts'
import { createJudge, dayNumberAt } from './judge.ts'
import type { Known } from './known.ts'
import { createLive, daysOfWindow, liveDimensions, type LiveWindow } from './live.ts'
import { loadLive } from './load-live.ts'
import { readCounters, readSeals, type Seal } from './sealed.ts'
import { knownWindows } from './windows.ts'

/** The part of a query that counters answer. */
export type Counted = {
  /** Each has the dimensions that were asked for. */
  readonly counters: readonly WindowCounters[]
  /** The number of each value of a dimension. */
  readonly valuesOf: (dimension: Dimension) => ReadonlyMap<string, number>
  /** The plan for the page views of all other windows. Undefined: the range has no others. */
  readonly rest: Plan | undefined
}

type Live = { readonly firstDay: number; readonly window: LiveWindow; isLoaded: boolean }
/** Dimensions are read from the store when they are first asked for. */
type Sealed = { readonly seal: Seal; readonly counters: Partial<Record<Dimension, Counters>> }

/** The counters of one project in memory, all under the same settings. */
type Memory = {
  readonly generation: string
  readonly judge: ReturnType<typeof createJudge>
  readonly values: Map<Dimension, Map<string, number>>
  /** By window and version. */
  readonly sealed: Map<string, Sealed>
  readonly live: Map<string, Live>
  /** The windows that had no seal when the store was last asked, and when that was. */
  readonly unsealed: Set<string>
  askedAt: number
}

/** Bytes of counters in memory, over all projects. */
const maxBytes = 512 * 1024 ** 2
/** How long a window without a seal is not asked for again, in milliseconds. */
const askAgainMs = 5_000

const memories = new WeakMap<ClickHouse, LRUCache<string, Memory>>()

function memoriesOf(store: ClickHouse): LRUCache<string, Memory> {
  const known = memories.get(store) ?? new LRUCache<string, Memory>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  memories.set(store, known)
  return known
}

function memoryOf(store: ClickHouse, projectId: string, { generation, settings }: Known): Memory {
  const known = memoriesOf(store).get(projectId)
  if (known?.generation === generation) return known
  // The site has one value, which live windows know by its number.
  const values = new Map([['site' as Dimension, new Map([['', 0]])]])
  const maps = { values, sealed: new Map(), live: new Map(), unsealed: new Set<string>() }
  const memory: Memory = { generation, judge: createJudge(settings), ...maps, askedAt: -Infinity }
  memoriesOf(store).set(projectId, memory)
  return memory
}

function bytesOf({ values, sealed, live }: Memory): number {
  const ofValues = values.values().reduce((sum, { size }) => sum + size * 100, 0)
  const ofSealed = sealed.values().reduce((sum, { counters }) => sum + sizeOf(counters), 0)
  const ofLive = live.values().reduce((sum, { window }) => sum + window.bytes(), 0)
  return 1_000 + ofValues + ofSealed + ofLive
}

export type Asked = {
  readonly store: ClickHouse
  readonly plan: Plan
  readonly known: Known
  readonly dimensions: readonly Dimension[]
}

/** Returns undefined if no window in the range has counters: rows answer the whole query. */
export async function findCounted(asked: Asked, signal?: AbortSignal): Promise<Counted | undefined> {
  const { store, plan, known, dimensions } = asked
  const memory = memoryOf(store, plan.projectId, known)
  const inRange = known.windows.filter(({ first, last }) => first < plan.to && last >= plan.from)
  const find = (one: WindowVersion) => findCounters(memory, one, dimensions)
  const unknown = inRange.filter((one) => find(one) === undefined)
  await findSeals(asked, memory, unknown, signal)
  await loadSealed(asked, memory, unknown, signal)
  const answers = inRange.map((one) => ({ one, counters: find(one) }))
  const counters = answers.flatMap((answer) => answer.counters ?? [])
  const others = answers.filter((answer) => answer.counters === undefined).map(({ one }) => one)
  if (areLive(dimensions)) for (const one of others) startLive(asked, memory, one)
  if (counters.length === 0) return undefined
  const without = inRange.filter((one) => !others.includes(one)).map(({ window }) => window)
  return { counters, valuesOf: (dimension) => valuesOf(memory, dimension), rest: restOf(plan, without, others) }
}

function areLive(dimensions: readonly Dimension[]): boolean {
  return dimensions.every((dimension) => liveDimensions.has(dimension))
}

function findCounters(
  memory: Memory,
  one: WindowVersion,
  dimensions: readonly Dimension[],
): WindowCounters | undefined {
  const live = memory.live.get(one.window)
  if (live?.isLoaded && areLive(dimensions)) return live.window.counters()
  const counters = memory.sealed.get(keyOf(one))?.counters
  return counters && dimensions.every((dimension) => counters[dimension]) ? counters : undefined
}

/** Rows of other windows lie between their first and their last one. Later ones were not acknowledged before the query. */
function restOf(plan: Plan, without: readonly string[], others: readonly WindowVersion[]): Plan | undefined {
  if (others.length === 0) return undefined
  const from = Math.max(plan.from, Math.min(...others.map(({ first }) => first)))
  const to = Math.min(plan.to, Math.max(...others.map(({ last }) => last)) + 1)
  return { ...plan, from, to, without }
}

function keyOf({ window, views, sums }: Pick<WindowVersion, 'window' | 'views' | 'sums'>): string {
  return `${window} ${views} ${sums}`
}

async function findSeals(
  { store, plan: { projectId }, known: { generation, windows } }: Asked,
  memory: Memory,
  unknown: readonly WindowVersion[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { sealed, unsealed } = memory
  const now = performance.now()
  if (now - memory.askedAt > askAgainMs) unsealed.clear()
  const wanted = unknown.filter((one) => !sealed.has(keyOf(one)))
  if (wanted.every(({ window }) => unsealed.has(window))) return
  memory.askedAt = now
  const current = new Set(windows.map(keyOf))
  for (const seal of await readSeals(store, { projectId, generation }, signal)) {
    const key = keyOf(seal)
    // The counters in memory stay those of one seal.
    if (current.has(key) && !hasCounters(sealed.get(key))) sealed.set(key, { seal, counters: {} })
  }
  for (const key of sealed.keys()) if (!current.has(key)) sealed.delete(key)
  for (const one of wanted) if (!sealed.has(keyOf(one))) unsealed.add(one.window)
}

function hasCounters(one: Sealed | undefined): boolean {
  return one !== undefined && Object.keys(one.counters).length > 0
}

async function loadSealed(
  { store, plan: { projectId }, known: { generation }, dimensions }: Asked,
  memory: Memory,
  unknown: readonly WindowVersion[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const wanted = unknown.flatMap((one) => memory.sealed.get(keyOf(one)) ?? [])
  if (wanted.length === 0) return
  const isMissing = (dimension: Dimension) => wanted.some(({ counters }) => counters[dimension] === undefined)
  const missing = dimensions.filter(isMissing)
  const bySeal = new Map(wanted.map((one) => [one.seal, one.counters]))
  const numberOf = (dimension: Dimension, value: string) => numberIn(valuesOf(memory, dimension), value)
  await readCounters(
    store,
    { projectId, generation, seals: [...bySeal.keys()], dimensions: missing, numberOf },
    (seal, dimension, found) => {
      const counters = bySeal.get(seal)
      if (counters) counters[dimension] ??= found
    },
    signal,
  )
  for (const one of wanted) {
    const key = keyOf(one.seal)
    if (dimensions.every((dimension) => one.counters[dimension]) || memory.sealed.get(key) !== one) continue
    // Its counters are being deleted: another seal may follow.
    memory.sealed.delete(key)
    memory.unsealed.add(one.seal.window)
  }
  measure(store, projectId, memory)
}

function valuesOf({ values }: Memory, dimension: Dimension): Map<string, number> {
  const known = values.get(dimension) ?? new Map<string, number>()
  values.set(dimension, known)
  return known
}

function numberIn(values: Map<string, number>, value: string): number {
  const known = values.get(value)
  if (known !== undefined) return known
  values.set(value, values.size)
  return values.size - 1
}

/** Puts it in its place again, so that its size counts; unless it was replaced. */
function measure(store: ClickHouse, projectId: string, memory: Memory): void {
  const ofStore = memoriesOf(store)
  if (ofStore.peek(projectId) === memory) ofStore.set(projectId, memory)
}

/** Begins to follow a window, unless its visitors may return at any time, or its days are too many. */
function startLive(
  { store, plan: { projectId }, known: { settings, failed } }: Asked,
  memory: Memory,
  version: WindowVersion,
) {
  if (!store.isOwned || version.window === '' || memory.live.has(version.window)) return
  const [first, last] = [dayNumberAt(settings, version.first), dayNumberAt(settings, version.last)]
  // A view may still come late.
  const firstDay = last - first < daysOfWindow - 1 ? first - 1 : first
  if (last - firstDay >= daysOfWindow) return
  const lastDay = firstDay + daysOfWindow - 1
  const live: Live = { firstDay, window: createLive(firstDay), isLoaded: false }
  memory.live.set(version.window, live)
  const pageOf = (path: string) => numberIn(valuesOf(memory, 'page'), path)
  const task = { projectId, settings, window: version, firstDay, live: live.window, pageOf }
  const load = async () => {
    try {
      await loadLive(store, task)
      const now = (await knownWindows(store, projectId)).find(({ window }) => window === version.window)
      const fits = now && dayNumberAt(settings, now.first) >= firstDay && dayNumberAt(settings, now.last) <= lastDay
      // Views of other days were stored since the version was read. A later query begins again.
      if (fits) live.isLoaded = true
      else memory.live.delete(version.window)
      measure(store, projectId, memory)
    } catch (error) {
      failed(error)
      // A later query begins again.
      const end = () => memory.live.get(version.window) === live && memory.live.delete(version.window)
      setTimeout(end, askAgainMs).unref()
    }
  }
  void load()
}

/** Adds page views that are stored. Call it before they are acknowledged. */
export function addStored(store: ClickHouse, views: readonly PageView[]): void {
  const changed = new Set<string>()
  for (const view of views) {
    const memory = memories.get(store)?.peek(view.projectId)
    const live = memory?.live.get(view.saltWindow)
    if (!memory || !live) continue
    const judged = memory.judge(view)
    if (!judged) continue
    const place = judged.day - live.firstDay
    if (place < 0 || place >= daysOfWindow) {
      memory.live.delete(view.saltWindow)
      continue
    }
    const [human, ai] = [judged.isHuman ? 1 << place : 0, judged.isAi ? 1 << place : 0]
    live.window.add(numberIn(valuesOf(memory, 'page'), view.path), view.visitor, { human, ai })
    changed.add(view.projectId)
  }
  for (const projectId of changed) {
    const memory = memoriesOf(store).peek(projectId)
    if (memory) measure(store, projectId, memory)
  }
}

/** Reads the counters of a window again for the next query. */
export function forgetWindow(store: ClickHouse, projectId: string, window: string): void {
  const memory = memories.get(store)?.peek(projectId)
  if (!memory) return
  memory.live.delete(window)
  memory.unsealed.delete(window)
  for (const key of memory.sealed.keys()) if (key.startsWith(`${window} `)) memory.sealed.delete(key)
}

/** Stops following the windows of projects whose rows changed in another way, or may not be stored. */
export function dropLive(store: ClickHouse, projectIds: Iterable<string>): void {
  for (const projectId of projectIds) memories.get(store)?.peek(projectId)?.live.clear()
}
