// Finds page views that are already stored, by their ids. In a process that owns its store, a filter of all stored ids rules
// out nearly every id, so only those that were sent before, and one of a thousand others, are looked up in the store.

import type { ClickHouse } from '../../../clickhouse/open.ts'
import { askThread, createThreads, startThread } from '../../../lib/threads/threads.ts'
import { findStored, planIds, type ViewKey } from '../../store.ts'
import { addId, createIdFilter, type IdFilter, mayHaveId } from './id-filter.ts'
import type { FillTask } from './worker.ts'

export type StoredIds = {
  /** Returns those already stored, as `${projectId} ${viewId}`. */
  find(store: ClickHouse, keys: readonly ViewKey[]): Promise<ReadonlySet<string>>
  /** Call it before the page views are stored, and no `find` until they are. */
  add(store: ClickHouse, keys: readonly ViewKey[]): void
}

type State = {
  /** Undefined: the ids were not read yet, and every id is looked up. */
  filter: IdFilter | undefined
  /** The ids added while the stored ones are read. Undefined: they are not being read. */
  since: bigint[] | undefined
}

const threadMemoryMb = 64
const threadMs = 60_000

/** `failed`: the ids could not be read; a later call tries again. */
export function createStoredIds(failed: (error: unknown) => void): StoredIds {
  const states = new WeakMap<ClickHouse, State>()
  const stateOf = (store: ClickHouse): State => {
    const state = states.get(store) ?? { filter: undefined, since: undefined }
    states.set(store, state)
    return state
  }
  return {
    find: async (store, keys) => {
      if (!store.isOwned || keys.length === 0) return findStored(store, keys)
      const state = stateOf(store)
      const { filter } = state
      if (!filter || filter.count > filter.capacity) void load(store, state).catch(failed)
      if (!filter) return findStored(store, keys)
      return findStored(
        store,
        keys.filter(({ viewId }) => mayHaveId(filter, ...halves(viewId))),
      )
    },
    add: (store, keys) => {
      const { filter, since } = stateOf(store)
      for (const { viewId } of keys) {
        if (filter) addId(filter, ...halves(viewId))
        since?.push(viewId)
      }
    },
  }
}

function halves(id: bigint): [low: number, high: number] {
  return [Number(id & 0xff_ff_ff_ffn), Number(id >> 32n)]
}

async function load(store: ClickHouse, state: State): Promise<void> {
  if (state.since) return
  const since: bigint[] = []
  state.since = since
  try {
    const { count, portions } = await planIds(store)
    const filter = createIdFilter(count * 2, store.memory.ids)
    await fill(filter, portions)
    for (const id of since) addId(filter, ...halves(id))
    state.filter = filter
  } finally {
    state.since = undefined
  }
}

async function fill(filter: IdFilter, portions: readonly (() => Promise<string>)[]): Promise<void> {
  const start = () => startThread(new URL('worker.ts', import.meta.url), threadMemoryMb)
  const threads = createThreads({ start, idleMs: threadMs, most: 1 })
  try {
    for (const read of portions) {
      const task: FillTask = { filter, ids: await read() }
      const added = await threads.use((thread) => askThread<number>(thread, task, AbortSignal.timeout(threadMs)))
      if (added === undefined) throw new Error('The thread that reads the ids of page views ended.')
      filter.count += added
    }
  } finally {
    await threads.close()
  }
}
