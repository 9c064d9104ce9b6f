// Finds page views that are already stored, by their ids. In a process that owns its store, a filter of all stored ids rules
// out nearly every id, so only those that were sent before, and one of a thousand others, are looked up in the store.

import { setImmediate } from 'node:timers/promises'
import type { ClickHouse } from '../../clickhouse/open.ts'
import { findStored, planIds, type ViewKey } from '../store.ts'
import { addId, createIdFilter, type IdFilter, mayHaveId } from './id-filter.ts'

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

/** Ids that are added to a filter without a pause. */
const idsAtOnce = 20_000

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
      if (!store.isOwned) return findStored(store, keys)
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
    const filter = createIdFilter(count * 2)
    for (const read of portions) await addAll(filter, await read())
    for (const id of since) addId(filter, ...halves(id))
    state.filter = filter
  } finally {
    state.since = undefined
  }
}

/** `ids`: 64 bits each, the highest byte first. */
async function addAll(filter: IdFilter, ids: Buffer): Promise<void> {
  for (let at = 0; at < ids.length; at += 8) {
    addId(filter, ids.readUInt32BE(at + 4), ids.readUInt32BE(at))
    if (at % (8 * idsAtOnce) === 0) await setImmediate()
  }
}
