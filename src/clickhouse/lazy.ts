// Opens the store of page views on first use. After an attempt that failed, the next use tries again.

import { readdir } from 'node:fs/promises'
import { Failure } from '../lib/failure.ts'
import { nothingWaits, type Waiting } from './log/log.ts'
import { type ClickHouse, type ClickHousePlace, openClickHouse, type OpenOptions } from './open.ts'

export type LazyClickHouse = {
  readonly open: () => Promise<ClickHouse>
  /** Undefined: an embedded store that was never opened. A server always exists. */
  readonly openIfThere: () => Promise<ClickHouse | undefined>
  /** The page views that wait in the log of an open store. */
  readonly waiting: () => Promise<Waiting>
  /** Closes an open store; `open` throws `unavailable` from then on. */
  readonly close: () => Promise<void>
}

type LazyOptions = Pick<OpenOptions, 'isReadOnly' | 'memory'>

export function openLazily(
  place: ClickHousePlace,
  report?: OpenOptions['report'],
  options: LazyOptions = {},
): LazyClickHouse {
  const state: { opening?: Promise<ClickHouse> | undefined; opened?: ClickHouse } = {}
  const closing = new AbortController()
  const { signal } = closing
  const begin = () => {
    const opening = openClickHouse(place, { ...options, signal, ...(report && { report }) }).then(
      (store) => (state.opened = store),
      (error: unknown) => {
        state.opening = undefined
        throw error
      },
    )
    state.opening = opening
    return opening
  }
  const open = async () => {
    if (signal.aborted) throw new Failure('unavailable', 'The service is stopping.', { retryAfter: 5 })
    return state.opening ?? begin()
  }
  return {
    open,
    openIfThere: async () => (state.opening || (await isThere(place)) ? open() : undefined),
    waiting: async () => state.opened?.waiting() ?? nothingWaits,
    close: async () => {
      const { opening } = state
      closing.abort()
      const store = await opening?.catch(() => undefined)
      await store?.close()
    },
  }
}

/** True if an embedded store was opened before, or if it is a server. */
export async function isThere(place: ClickHousePlace): Promise<boolean> {
  if (place.kind === 'server') return true
  const names = await readdir(place.directory).catch(() => [])
  return names.length > 0
}
