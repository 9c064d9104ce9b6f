// Watches the disk of the data directory: one line in the log when it is nearly full, and one when it has space again.
// `/readyz` stays 200 meanwhile: the service still answers reads, and no other process could take over the embedded stores.

import type { Clock } from '../clock.ts'
import { isNearlyFull, type ReadDiskSpace, readDiskSpace } from '../disk-space.ts'
import type { Log } from './log.ts'

export type DiskState = {
  readonly state: DiskStateName
  /** null: unknown. */
  readonly freeBytes: number | null
  /** The problem and its remedy, for people. */
  readonly detail: string | null
}
export const diskStates = ['enough', 'nearly_full'] as const
export type DiskStateName = (typeof diskStates)[number]

export type DiskWatch = {
  /** Reads the disk. Logs a change since the last call. Never throws. */
  look(): Promise<DiskState>
}

type Options = { readonly folder: string; readonly log: Pick<Log, 'error' | 'info'>; readonly read?: ReadDiskSpace }

export function createDiskWatch({ folder, log, read = readDiskSpace }: Options): DiskWatch {
  const last: { state: DiskStateName } = { state: 'enough' }
  return {
    look: async () => {
      const space = await read(folder).catch(() => undefined)
      if (!space) return { state: last.state, freeBytes: null, detail: null }
      const { freeBytes, leastBytes } = space
      const state = isNearlyFull(space) ? 'nearly_full' : 'enough'
      const detail = state === 'enough' ? null : describe(freeBytes, leastBytes)
      if (state !== last.state) {
        if (detail === null) log.info({ folder, freeBytes }, 'the disk of the data directory has space again')
        else log.error({ folder, freeBytes, leastBytes }, detail)
      }
      last.state = state
      return { state, freeBytes, detail }
    },
  }
}

const roundMs = 30_000

/** Looks until the signal is aborted. */
export async function keepWatchingDisk(disk: DiskWatch, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await disk.look()
    await clock.sleep(roundMs, signal)
  }
}

function describe(freeBytes: number, leastBytes: number): string {
  return (
    `The disk of the data directory is nearly full: ${toText(freeBytes)} are free, less than ${toText(leastBytes)}. Page ` +
    'views, and soon everything else that writes, are refused with 503. The service recovers by itself once there is space.'
  )
}

function toText(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
