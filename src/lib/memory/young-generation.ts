// The young generation is the memory in which V8 puts new objects. It grows while much of what is in it survives, to 128 MB on a
// large machine, and shrinks only in a process at rest.

import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** The one of V8. */
const growthFactor = 2

/** The reasons why it does not grow now. */
const reasons = new Set<symbol>()
const limitReached = Symbol('limit')

/**
 * Runs work whose objects stay, such as loading modules and checking a site, in a young generation that does not grow: it would
 * keep 60 to 120 MB. Takes 3 % more CPU time, since survivors are moved on sooner. After that the young generation grows with the
 * load.
 */
export async function withoutYoungGrowth<T>(work: () => Promise<T>): Promise<T> {
  const own = Symbol('work')
  stopGrowth(own)
  try {
    return await work()
  } finally {
    allowGrowth(own)
  }
}

/** Limits the young generation of this thread to about this many bytes, until the returned function is called. */
export function limitYoungGeneration(bytes: number): () => void {
  const observer = new PerformanceObserver(() => {
    // It doubles when it grows.
    if (youngBytes() * growthFactor > bytes) stopGrowth(limitReached)
    else allowGrowth(limitReached)
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => {
    observer.disconnect()
    allowGrowth(limitReached)
  }
}

export function youngBytes(): number {
  return getHeapSpaceStatistics().find((one) => one.space_name === 'new_space')?.space_size ?? 0
}

function stopGrowth(reason: symbol): void {
  if (reasons.size === 0) setFlagsFromString('--semi-space-growth-factor=1')
  reasons.add(reason)
}

function allowGrowth(reason: symbol): void {
  if (reasons.delete(reason) && reasons.size === 0) setFlagsFromString(`--semi-space-growth-factor=${growthFactor}`)
}
