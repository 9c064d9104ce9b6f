// Finds the windows of a query that counters answer, and reads their counters into memory. Counters of a sealed window count
// if they were made of exactly the rows that the window has now. Those of a live window follow the writes of this
// process. All other windows are answered from their rows.

import type { ClickHouse } from '../../../clickhouse/open.ts'
import { keyOfFilters } from '../query/filters.ts'
import { generationOf, type Plan } from '../query/plan.ts'
import type { WindowVersion } from '../query/version.ts'
import { inPortions } from '../../portions.ts'
import type { Counters, WindowCounters } from './counters.ts'
import { basesOf, derive } from './filtered/derive.ts'
import type { Dimension } from './dimensions.ts'
import { type Filtering, findFiltered, makeFiltered } from './filtered/filtered.ts'
import { followWindow } from './live/follow.ts'
import { type LivePart, partOf } from './live/parts.ts'
import {
  askAgainMs,
  hasRoom,
  type Known,
  makeRoom,
  measure,
  type Memory,
  memoryOf,
  numberIn,
  rowsAtOnce,
  type Sealed,
} from './memory.ts'
import { type SealedWindows, segmentIn, valuesOf } from './memory.ts'
import { hasDimensions, isFuller, readCounters, readSeals } from './sealed.ts'

/** The counters that answer a query, and statements for the rest. */
export type Counted = {
  /** Each has the dimensions that were asked for. */
  readonly counters: readonly WindowCounters[]
  /** The number of each value of a dimension. */
  readonly valuesOf: (dimension: Dimension) => ReadonlyMap<string, number>
  /** The plans for the page views of all other windows, whose counts add up. */
  readonly rest: readonly Plan[]
}

export type Asked = {
  readonly store: ClickHouse
  readonly plan: Plan
  readonly known: Known
  readonly dimensions: readonly Dimension[]
}

/** Returns undefined if no window in the range has counters, and one statement counts them all: rows answer the whole query. */
export async function findCounted(asked: Asked, signal?: AbortSignal): Promise<Counted | undefined> {
  const { store, plan, known, dimensions } = asked
  const memory = memoryOf(store, plan.projectId, known)
  const inRange = known.windows
    .filter(({ first, last }) => first < plan.to && last >= plan.from)
    .map((one) => versionFor(plan, one))
  const found = new Map(inRange.map((one) => [one, findCounters(asked, memory, one)]))
  const unknown = inRange.filter((one) => found.get(one) === undefined)
  const bases = [...new Set(dimensions.flatMap((dimension) => basesOf(plan.filters, dimension)))]
  const segment = segmentOf(asked, memory)
  const place = segment ?? memory
  await findSeals(asked, place, unknown, signal)
  await loadSealed(asked, { memory, place, unknown, dimensions: segment ? dimensions : bases }, signal)
  for (const one of unknown) found.set(one, findCounters(asked, memory, one))
  const counters = inRange.flatMap((one) => found.get(one) ?? [])
  const others = inRange.filter((one) => found.get(one) === undefined)
  const part = partFor(plan, dimensions)
  if (part) {
    const following = { store, projectId: plan.projectId, known, memory }
    for (const one of inRange) if (one.rested ?? others.includes(one)) followWindow(following, part, one)
  }
  if (plan.filters.length > 0) makeFiltered(filteringOf(asked, memory), others.filter(isStill), dimensions)
  const rest = restOf(asked, inRange, others)
  if (counters.length === 0 && rest.length < 2) return undefined
  return { counters, valuesOf: (dimension) => valuesOf(memory, dimension), rest }
}

/** Undefined: the filters are not those of a saved segment. */
function segmentOf({ plan: { filters }, known: { segments, settings } }: Asked, memory: Memory) {
  return segments?.has(keyOfFilters(filters)) ? segmentIn(memory, generationOf(settings, filters)) : undefined
}

function filteringOf({ store, plan: { projectId, filters }, known }: Asked, memory: Memory): Filtering {
  return { store, projectId, known, memory, filters }
}

/** Counters can be made of it: no page view arrives, or only of other days than the query asks for. */
function isStill(one: WindowVersion): boolean {
  return one.isMoving !== true || (one.rested !== undefined && one.sums === one.rested.sums)
}

/**
 * A page view changes only counters of its day and later ones. So where all page views since are of later days than the range,
 * the version of before has the counters of now.
 */
function versionFor({ to }: Plan, one: WindowVersion): WindowVersion {
  const [before] = versionsBefore(one)
  return before && one.rested && to <= one.rested.until ? before : one
}

function versionsBefore(one: WindowVersion): readonly WindowVersion[] {
  return one.rested ? [{ ...one, ...one.rested }] : []
}

function findCounters(asked: Asked, memory: Memory, one: WindowVersion): readonly WindowCounters[] | undefined {
  const { plan, dimensions } = asked
  const part = partFor(plan, dimensions)
  const live = part && memory.live.get(part)?.get(one.window)
  if (live?.window && live.isLoaded) {
    const { counters, before } = live.window
    const numbers = (dimension: Dimension) => valuesOf(memory, dimension)
    const under = (of: WindowCounters) =>
      whole(dimensions, (dimension) => derive({ counters: of, numbers }, plan.filters, dimension))
    const found = [...(before ? [before] : []), counters()].map(under)
    if (found.every((some) => some !== undefined)) return found
  }
  const own = segmentOf(asked, memory)?.sealed.get(keyOf(one))?.counters
  const sealed = own && whole(dimensions, (dimension) => own[dimension])
  if (sealed) return [sealed]
  const counters = memory.sealed.get(keyOf(one))?.counters ?? {}
  const filtering = filteringOf(asked, memory)
  const found = whole(dimensions, (dimension) =>
    plan.filters.length === 0 ? counters[dimension] : findFiltered(filtering, one, counters, dimension),
  )
  return found && [found]
}

/** The part of a live window whose counters answer a query, if there is one. */
function partFor({ filters }: Plan, dimensions: readonly Dimension[]): LivePart | undefined {
  const bases = dimensions.map((dimension) => basesOf(filters, dimension))
  return bases.every((some) => some.length > 0) ? partOf(bases.flat()) : undefined
}

/** Undefined if one of the dimensions has no counters. */
function whole(
  dimensions: readonly Dimension[],
  find: (dimension: Dimension) => Counters | undefined,
): WindowCounters | undefined {
  const found: Partial<Record<Dimension, Counters>> = {}
  for (const dimension of dimensions) {
    const counters = find(dimension)
    if (!counters) return undefined
    found[dimension] = counters
  }
  return found
}

/**
 * Rows of other windows lie between their first and their last one. Later ones were not acknowledged before the query. The
 * page views of many windows, and of many visitors, are counted in several statements.
 */
function restOf(
  { store, plan, known }: Asked,
  inRange: readonly WindowVersion[],
  others: readonly WindowVersion[],
): Plan[] {
  if (others.length === 0) return []
  const atOnce = known.rowsAtOnce ?? rowsAtOnce(store)
  const sizeOf = (one: WindowVersion) => Number(one.views) * shareOf(plan, one)
  const between = (some: readonly WindowVersion[]) => ({
    from: Math.max(plan.from, Math.min(...some.map(({ first }) => first))),
    to: Math.min(plan.to, Math.max(...some.map(({ last }) => last)) + 1),
  })
  if (others.reduce((sum, one) => sum + sizeOf(one), 0) <= atOnce) {
    const without = inRange.filter((one) => !others.includes(one)).map(({ window }) => window)
    return [{ ...plan, ...between(others), without }]
  }
  return inPortions(others, sizeOf, atOnce).flatMap(({ items, size }) => {
    const parts = Math.max(1, Math.ceil(size / atOnce))
    const only = { windows: items.map(({ window }) => window), parts }
    return Array.from({ length: parts }, (_, part) => ({ ...plan, ...between(items), only: { ...only, part } }))
  })
}

/** The share of the time of a window that a query asks for. */
function shareOf({ from, to }: Plan, { first, last }: WindowVersion): number {
  return (Math.min(to, last + 1) - Math.max(from, first)) / (last + 1 - first)
}

function keyOf({ window, views, sums }: Pick<WindowVersion, 'window' | 'views' | 'sums'>): string {
  return `${window} ${views} ${sums}`
}

async function findSeals(
  { store, plan: { projectId }, known: { windows } }: Asked,
  place: SealedWindows,
  unknown: readonly WindowVersion[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { generation, sealed, unsealed } = place
  const now = performance.now()
  if (now - place.askedAt > askAgainMs) unsealed.clear()
  const wanted = unknown.filter((one) => !sealed.has(keyOf(one)))
  if (wanted.every(({ window }) => unsealed.has(window))) return
  place.askedAt = now
  const current = new Set(windows.flatMap((one) => [one, ...versionsBefore(one)]).map(keyOf))
  for (const seal of await readSeals(store, { projectId, generation }, signal)) {
    const key = keyOf(seal)
    const known = sealed.get(key)
    // The counters in memory stay those of one seal, unless another one has more of them.
    const isBetter = known === undefined || !hasCounters(known) || isFuller(seal, known.seal)
    if (current.has(key) && isBetter) sealed.set(key, { seal, counters: {} })
  }
  for (const key of sealed.keys()) if (!current.has(key)) sealed.delete(key)
  for (const one of wanted) if (!sealed.has(keyOf(one))) unsealed.add(one.window)
}

function hasCounters(one: Sealed): boolean {
  return Object.keys(one.counters).length > 0
}

type Loading = {
  readonly memory: Memory
  readonly place: SealedWindows
  readonly unknown: readonly WindowVersion[]
  readonly dimensions: readonly Dimension[]
}

/** The sealed windows whose counters one statement reads: half a year. */
const loadedAtOnce = 6

async function loadSealed(
  { store, plan: { projectId } }: Asked,
  { memory, place: { generation, sealed, unsealed }, unknown, dimensions }: Loading,
  signal: AbortSignal | undefined,
): Promise<void> {
  const wanted = unknown
    .flatMap((one) => sealed.get(keyOf(one)) ?? [])
    .filter(({ seal, counters }) => hasDimensions(seal, dimensions) && dimensions.some((one) => !counters[one]))
  if (wanted.length === 0) return
  if (!hasRoom(store, memory)) makeRoom(memory, new Set(wanted))
  const numberOf = (dimension: Dimension, value: string) => numberIn(valuesOf(memory, dimension), value)
  const read = async (some: readonly Sealed[]) => {
    const missing = dimensions.filter((dimension) => some.some(({ counters }) => counters[dimension] === undefined))
    const bySeal = new Map(some.map((one) => [one.seal, one.counters]))
    await readCounters(
      store,
      { projectId, generation, seals: [...bySeal.keys()], dimensions: missing, numberOf },
      (seal, dimension, found) => {
        const counters = bySeal.get(seal)
        if (counters) counters[dimension] ??= found
      },
      signal,
    )
  }
  const loaded: Sealed[] = []
  while (loaded.length < wanted.length && hasRoom(store, memory)) {
    const some = wanted.slice(loaded.length, loaded.length + loadedAtOnce)
    await read(some)
    loaded.push(...some)
  }
  // The rows of the others answer.
  for (const one of loaded) {
    const key = keyOf(one.seal)
    if (dimensions.every((dimension) => one.counters[dimension]) || sealed.get(key) !== one) continue
    // Its counters are being deleted: another seal may follow.
    sealed.delete(key)
    unsealed.add(one.seal.window)
  }
  measure(store, projectId, memory)
}
