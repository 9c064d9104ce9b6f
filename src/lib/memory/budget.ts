// Divides the memory that the service plans with among what keeps much of it. Nothing else decides how much a cache, a query or
// a queue may take: they get their share from here.

import { totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'

/** Bytes. What is left of `total` is for the programs themselves, the embedded database, and the objects of requests and runs. */
export type MemoryShares = {
  readonly total: number
  /** Counters of visitors of sealed and live windows, over all projects. */
  readonly counters: number
  /** Counters under filters, over all projects. */
  readonly filtered: number
  /** The filter that knows the ids of page views. */
  readonly ids: number
  /** All queries of the embedded store of page views together. */
  readonly queries: number
  /** Page views that wait for the log of the store. */
  readonly waiting: number
  /** New objects of V8 in the main thread. */
  readonly young: number
}

const MiB = 1024 ** 2
/** The budget where nothing limits it. */
const usual = 2048 * MiB
/** With less, the embedded engines leave nothing for the work. */
export const leastMemory = 512 * MiB

/** Each fraction has the size at the usual 2 GiB in brackets: 512, 128, 128, 512, 64 and 32 MiB. */
function shareMemory(total: number): MemoryShares {
  return {
    total,
    counters: total / 4,
    filtered: total / 16,
    ids: total / 16,
    queries: total / 4,
    waiting: total / 32,
    young: total / 64,
  }
}

/** The memory of the container or the machine, in bytes. `constrained`: of the control group; 0 or beyond the machine: no limit. */
export function memoryLimit(constrained = constrainedMemory(), machine = totalmem()): number {
  return constrained > 0 ? Math.min(constrained, machine) : machine
}

/** The shares of a process with this setting. Undefined: it plans with what it has, at most 2 GiB. */
export function sharesOf(setting: number | undefined, limit = memoryLimit()): MemoryShares {
  return shareMemory(setting ?? Math.min(limit, usual))
}
