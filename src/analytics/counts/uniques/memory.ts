// The counters of projects in memory: a bounded cache for each store.

import { LRUCache } from 'lru-cache'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import type { QuerySettings } from '../query/plan.ts'
import type { WindowVersion } from '../query/version.ts'
import { type Counters, sizeOf } from './counters.ts'
import type { Dimension } from './dimensions.ts'
import { createJudge } from './live/judge.ts'
import type { LiveWindow } from './live/live.ts'
import { type LivePart, liveParts } from './live/parts.ts'
import type { Seal } from './sealed.ts'

/** The knowledge about a project that counters need to answer a query instead of its rows. */
export type Known = {
  readonly settings: QuerySettings
  /** Counters of other settings do not fit. */
  readonly generation: string
  /** All windows, with everything that was written before the query. */
  readonly windows: readonly WindowVersion[]
  /** Called when counters of a window could not be made: its rows answer. */
  readonly failed: (error: unknown) => void
  /** How many page views one statement counts. Default: as many as the memory of queries allows. */
  readonly rowsAtOnce?: number
  /** The keys of the filters of saved segments, which are sealed. */
  readonly segments?: ReadonlySet<string>
}

/** The page views whose visitors one statement keeps in memory: 4 million with the usual memory. Those of a window may be more. */
export function rowsAtOnce({ memory }: ClickHouse): number {
  return Math.min(4_000_000, Math.floor(memory.queries / bytesOfRow))
}

const bytesOfRow = 128

/** A part of a live window. `window` is undefined if it has too many visitors, or page views. */
export type Live = {
  readonly firstDay: number
  readonly window: LiveWindow | undefined
  /** The page views of the days before this place in the frame are counted. */
  viewsUntil: number
  isLoaded: boolean
}
/** The windows that are followed, by name, for each part. */
export type LiveWindows = ReadonlyMap<LivePart, Map<string, Live>>

/** Dimensions are read from the store when they are first asked for. */
export type Sealed = { readonly seal: Seal; readonly counters: Partial<Record<Dimension, Counters>> }

/** The counters of sealed windows in memory, for all page views or for those of a saved segment. */
export type SealedWindows = {
  readonly generation: string
  /** By window and version. */
  readonly sealed: Map<string, Sealed>
  /** The windows that had no seal when the store was last asked, and when that was. */
  readonly unsealed: Set<string>
  askedAt: number
}

/** The counters of one project in memory, all under the same settings. */
export type Memory = SealedWindows & {
  readonly judge: ReturnType<typeof createJudge>
  readonly values: Map<Dimension, Map<string, number>>
  readonly live: LiveWindows
  /** Those of saved segments, by generation. */
  readonly segments: Map<string, SealedWindows>
}

/** How long a window without a seal is not asked for again, in milliseconds. */
export const askAgainMs = 5_000

const memories = new WeakMap<ClickHouse, LRUCache<string, Memory>>()

function memoriesOf(store: ClickHouse): LRUCache<string, Memory> {
  const maxSize = Math.floor(store.memory.counters)
  // One project that needs all of it stays, alone.
  const sizeCalculation = (memory: Memory) => Math.min(maxSize, bytesOf(memory))
  const known = memories.get(store) ?? new LRUCache<string, Memory>({ maxSize, sizeCalculation })
  memories.set(store, known)
  return known
}

export function findMemory(store: ClickHouse, projectId: string): Memory | undefined {
  return memories.get(store)?.peek(projectId)
}

export function memoryOf(store: ClickHouse, projectId: string, { generation, settings }: Known): Memory {
  const known = memoriesOf(store).get(projectId)
  if (known?.generation === generation) return known
  // The site has one value, which live windows know by its number.
  const values = new Map([['site' as Dimension, new Map([['', 0]])]])
  const live = new Map(liveParts.map((part) => [part, new Map<string, Live>()]))
  const maps = { values, live, segments: new Map() }
  const memory: Memory = { ...noneSealed(generation), judge: createJudge(settings), ...maps }
  memoriesOf(store).set(projectId, memory)
  return memory
}

function noneSealed(generation: string): SealedWindows {
  return { generation, sealed: new Map(), unsealed: new Set(), askedAt: -Infinity }
}

export function segmentIn({ segments }: Memory, generation: string): SealedWindows {
  const known = segments.get(generation) ?? noneSealed(generation)
  segments.set(generation, known)
  return known
}

/** True if more counters of the project may be read into memory. */
export function hasRoom(store: ClickHouse, memory: Memory): boolean {
  return bytesOf(memory) < store.memory.counters
}

/** Forgets the counters of all sealed windows but these, which a query needs. They can be read again. */
export function makeRoom({ sealed, segments }: Memory, needed: ReadonlySet<Sealed>): void {
  for (const one of [sealed, ...segments.values().map((some) => some.sealed)]) {
    for (const [key, some] of one) if (!needed.has(some)) one.set(key, { seal: some.seal, counters: {} })
  }
}

function bytesOf({ values, sealed, live, segments }: Memory): number {
  const ofValues = values.values().reduce((sum, { size }) => sum + size * 100, 0)
  const all = [sealed, ...segments.values().map((one) => one.sealed)]
  const ofSealed = all.flatMap((one) => [...one.values()]).reduce((sum, { counters }) => sum + sizeOf(counters), 0)
  const followed = [...live.values()].flatMap((windows) => [...windows.values()])
  const ofLive = followed.reduce((sum, { window }) => sum + (window?.bytes() ?? 0), 0)
  return 1_000 + ofValues + ofSealed + ofLive
}

export function valuesOf({ values }: Memory, dimension: Dimension): Map<string, number> {
  const known = values.get(dimension) ?? new Map<string, number>()
  values.set(dimension, known)
  return known
}

export function numberIn(values: Map<string, number>, value: string): number {
  const known = values.get(value)
  if (known !== undefined) return known
  values.set(value, values.size)
  return values.size - 1
}

/** Puts it in its place again, so that its size counts; unless it was replaced. */
export function measure(store: ClickHouse, projectId: string, memory: Memory): void {
  const ofStore = memoriesOf(store)
  if (ofStore.peek(projectId) === memory) ofStore.set(projectId, memory)
}

/** Reads the counters of a window again for the next query. */
export function forgetWindow(store: ClickHouse, projectId: string, window: string): void {
  const memory = findMemory(store, projectId)
  if (!memory) return
  for (const windows of memory.live.values()) windows.delete(window)
  memory.unsealed.delete(window)
  for (const { sealed } of [memory, ...memory.segments.values()]) {
    for (const key of sealed.keys()) if (key.startsWith(`${window} `)) sealed.delete(key)
  }
}

/** Stops following the windows of projects whose rows changed in another way, or may not be stored. */
export function dropLive(store: ClickHouse, projectIds: Iterable<string>): void {
  for (const projectId of projectIds)
    for (const windows of findMemory(store, projectId)?.live.values() ?? []) windows.clear()
}
