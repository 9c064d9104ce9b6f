// Counters under filters, in memory: those that derive from other counters, and those that a query asked for in vain, which
// are then made of the rows, in the background, as a seal is. Each is of one version of a window.

import { EventEmitter, once } from 'node:events'
import { LRUCache } from 'lru-cache'
import { textList } from '../../../../clickhouse/literal.ts'
import { askForAll } from '../../../../clickhouse/asker.ts'
import type { ClickHouse } from '../../../../clickhouse/open.ts'
import { startOfDay, dayOf } from '../../../zone.ts'
import { type Filters, keyOfFilters } from '../../query/filters.ts'
import { planBetween } from '../../query/plan.ts'
import { toParams } from '../../query/sql.ts'
import type { WindowVersion } from '../../query/version.ts'
import { countRows, readRows } from '../count-rows.ts'
import { bytesOfCounters, type Counters, type ScopeRow, toCounters, type WindowCounters } from '../counters.ts'
import { derive, remaining } from './derive.ts'
import type { Dimension } from '../dimensions.ts'
import { askAgainMs, type Known, type Memory, numberIn, rowsAtOnce, valuesOf } from '../memory.ts'
import { knownWindows } from '../windows.ts'

/** Queries whose counters wait to be made. Those of others are made when they are asked again. */
const mostWaiting = 32
/** Counters of a window are made when nobody asks, or after this time: beside queries they would take half of the store. */
const mostPauseMs = 10_000

/** `memory`: the numbers of scopes are those of its values. */
type Kept = { readonly memory: Memory; readonly counters: Counters }

type OfStore = {
  readonly kept: LRUCache<string, Kept>
  readonly waiting: Map<string, () => Promise<void>>
  /** Undefined: nothing is being made. */
  making: Promise<void> | undefined
  /** How many queries are being answered. */
  asking: number
  readonly quiet: EventEmitter
}

const stores = new WeakMap<ClickHouse, OfStore>()

function ofStore(store: ClickHouse): OfStore {
  const known = stores.get(store)
  if (known) return known
  const sizeCalculation = ({ counters }: Kept, key: string) => 200 + key.length * 2 + bytesOfCounters(counters)
  const kept = new LRUCache<string, Kept>({ maxSize: Math.floor(store.memory.filtered), sizeCalculation })
  const created = { kept, waiting: new Map(), making: undefined, asking: 0, quiet: new EventEmitter() }
  stores.set(store, created)
  return created
}

export type Filtering = {
  readonly store: ClickHouse
  readonly projectId: string
  readonly known: Known
  readonly memory: Memory
  readonly filters: Filters
}

/** `counters`: those of the window without filters, as far as they are in memory. */
export function findFiltered(
  filtering: Filtering,
  one: WindowVersion,
  counters: WindowCounters,
  dimension: Dimension,
): Counters | undefined {
  const { memory, filters } = filtering
  const place = { one, filters, of: dimension }
  const known = find(filtering, place)
  if (known) return known
  const source = { counters, numbers: (of: Dimension) => valuesOf(memory, of) }
  const under = remaining(filters, dimension)
  const kept = under.length === 0 ? undefined : find(filtering, { ...place, filters: under })
  const derived = derive(source, filters, dimension, kept)
  if (derived && derived !== counters[dimension]) keep(filtering, place, derived)
  return derived
}

/** The counters of one version of a window. */
type Place = { readonly one: WindowVersion; readonly filters: Filters; readonly of: Dimension }

function keyOf({ projectId, memory: { generation } }: Filtering, { one, filters, of }: Place): string {
  return `${projectId} ${generation} ${one.window} ${one.views} ${one.sums} ${of} ${keyOfFilters(filters)}`
}

function find(filtering: Filtering, place: Place): Counters | undefined {
  const found = ofStore(filtering.store).kept.get(keyOf(filtering, place))
  return found?.memory === filtering.memory ? found.counters : undefined
}

function keep(filtering: Filtering, place: Place, counters: Counters): void {
  const { store, memory } = filtering
  ofStore(store).kept.set(keyOf(filtering, place), { memory, counters })
}

/** In the background: makes the counters of these windows, for the next query. */
export function makeFiltered(
  filtering: Filtering,
  windows: readonly WindowVersion[],
  dimensions: readonly Dimension[],
): void {
  const { store, projectId, filters, known } = filtering
  const { waiting } = ofStore(store)
  for (const dimension of dimensions) {
    const under = remaining(filters, dimension)
    const missing = windows.filter((one) => find(filtering, { one, filters: under, of: dimension }) === undefined)
    const key = `${projectId} ${known.generation} ${dimension} ${keyOfFilters(under)}`
    if (under.length === 0 || missing.length === 0 || waiting.has(key) || waiting.size >= mostWaiting) continue
    waiting.set(key, () => make({ ...filtering, filters: under }, missing, dimension))
  }
  void askForAll(() => makeWaiting(store))
}

/** For the work of answering a query. */
export async function whileAsking<T>(store: ClickHouse, work: () => Promise<T>): Promise<T> {
  const own = ofStore(store)
  own.asking += 1
  try {
    return await work()
  } finally {
    own.asking -= 1
    if (own.asking === 0) own.quiet.emit('quiet')
  }
}

async function untilQuiet(store: ClickHouse): Promise<void> {
  const { asking, quiet } = ofStore(store)
  const signal = AbortSignal.timeout(mostPauseMs)
  if (asking > 0) await once(quiet, 'quiet', { signal }).catch(() => undefined)
}

/** Resolves when no counters are being made. */
export async function madeFiltered(store: ClickHouse): Promise<void> {
  while (ofStore(store).making) await ofStore(store).making
}

async function makeWaiting(store: ClickHouse): Promise<void> {
  const own = ofStore(store)
  if (own.making || own.waiting.size === 0) return
  const [key, work] = own.waiting.entries().next().value as [string, () => Promise<void>]
  own.making = work()
  await own.making
  own.making = undefined
  own.waiting.delete(key)
  await makeWaiting(store)
}

async function make(filtering: Filtering, windows: readonly WindowVersion[], dimension: Dimension): Promise<void> {
  const { store, known } = filtering
  try {
    for (const one of windows) {
      await untilQuiet(store)
      await makeWindow(filtering, one, dimension)
    }
  } catch (error) {
    known.failed(error)
    // Rows answer; the same counters are not tried again at once.
    await new Promise((resolve) => void setTimeout(resolve, askAgainMs).unref())
  }
}

/** Page views that were written since a window rested are of later days than the counters of before are asked for. */
async function makeWindow(filtering: Filtering, one: WindowVersion, dimension: Dimension): Promise<void> {
  const { store, projectId, known, memory, filters } = filtering
  const { settings } = known
  const end = one.rested ? startOfDay(settings.timeZone, dayOf(settings.timeZone, one.rested.until)) : one.last + 1
  const plan = { ...planBetween(projectId, settings, [one.first, Math.max(one.first, end)]), filters }
  const parts = Math.max(1, Math.ceil(Number(one.views) / (known.rowsAtOnce ?? rowsAtOnce(store))))
  const which = `salt_window IN ${textList([one.window])}`
  const found: ScopeRow[] = []
  for (let part = 0; part < parts; part += 1) {
    const sql = countRows[dimension](plan, which, `sipHash64(visitor) % ${parts} = ${part}`)
    found.push(...(await readRows(store, sql, toParams(plan), (value) => numberIn(valuesOf(memory, dimension), value))))
  }
  const counters = toCounters(found)
  const now = (await knownWindows(store, projectId)).find(({ window }) => window === one.window)
  if (now && isSame(one, now)) keep(filtering, { one: versionOf(one), filters, of: dimension }, counters)
}

function isSame(one: WindowVersion, now: WindowVersion): boolean {
  const [before, after] = [versionOf(one), versionOf(now)]
  return before.views === after.views && before.sums === after.sums
}

/** The version that the counters of a window are for. */
function versionOf(one: WindowVersion): WindowVersion {
  return one.rested ? { ...one, ...one.rested } : one
}
