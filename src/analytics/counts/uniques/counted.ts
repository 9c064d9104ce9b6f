// Finds the windows of a query that counters answer, and reads their counters into memory. Counters of a sealed window count
// if they were made of exactly the rows that the window has now. Those of a live window follow the writes of this
// process. All other windows are answered from their rows.

import type { ClickHouse } from '../../../clickhouse/open.ts'
import type { Plan } from '../query/plan.ts'
import type { WindowVersion } from '../query/version.ts'
import type { WindowCounters } from './counters.ts'
import type { Dimension } from './dimensions.ts'
import { followWindow } from './follow.ts'
import { liveDimensions } from './live.ts'
import { askAgainMs, type Known, measure, type Memory, memoryOf, numberIn, type Sealed, valuesOf } from './memory.ts'
import { readCounters, readSeals } from './sealed.ts'

/** The part of a query that counters answer. */
export type Counted = {
  /** Each has the dimensions that were asked for. */
  readonly counters: readonly WindowCounters[]
  /** The number of each value of a dimension. */
  readonly valuesOf: (dimension: Dimension) => ReadonlyMap<string, number>
  /** The plan for the page views of all other windows. Undefined: the range has no others. */
  readonly rest: Plan | undefined
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
  const inRange = known.windows
    .filter(({ first, last }) => first < plan.to && last >= plan.from)
    .map((one) => versionFor(plan, one))
  const find = (one: WindowVersion) => findCounters(memory, one, dimensions)
  const unknown = inRange.filter((one) => find(one) === undefined)
  await findSeals(asked, memory, unknown, signal)
  await loadSealed(asked, memory, unknown, signal)
  const counters = inRange.flatMap((one) => find(one) ?? [])
  const others = inRange.filter((one) => find(one) === undefined)
  if (areLive(dimensions)) {
    for (const one of inRange.filter((one) => one.rested ?? others.includes(one)))
      followWindow({ store, projectId: plan.projectId, known }, memory, one)
  }
  if (counters.length === 0) return undefined
  const without = inRange.filter((one) => !others.includes(one)).map(({ window }) => window)
  return { counters, valuesOf: (dimension) => valuesOf(memory, dimension), rest: restOf(plan, without, others) }
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

function areLive(dimensions: readonly Dimension[]): boolean {
  return dimensions.every((dimension) => liveDimensions.has(dimension))
}

function findCounters(
  memory: Memory,
  one: WindowVersion,
  dimensions: readonly Dimension[],
): readonly WindowCounters[] | undefined {
  const live = memory.live.get(one.window)
  if (live?.window && live.isLoaded && areLive(dimensions)) {
    const { counters, before } = live.window
    return before ? [before, counters()] : [counters()]
  }
  const counters = memory.sealed.get(keyOf(one))?.counters
  return counters && dimensions.every((dimension) => counters[dimension]) ? [counters] : undefined
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
  const current = new Set(windows.flatMap((one) => [one, ...versionsBefore(one)]).map(keyOf))
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
