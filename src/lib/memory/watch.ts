// Watches the memory of this process: above nine tenths of its budget, it first collects garbage, and then refuses work that takes
// much, before the system ends the process. Git processes and the kernel have the rest of the budget.

import { readFileSync } from 'node:fs'
import { memoryUsage } from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Failure } from '../failure.ts'
import type { Log } from '../observability/log.ts'

export type MemoryState = {
  /** Bytes that this process has for itself. */
  readonly used: number
  /** Bytes that it plans with. */
  readonly total: number
  readonly isShort: boolean
}

export type MemoryWatch = {
  /** At most 100 ms old. Logs a change since the last look. */
  look(): MemoryState
  /** Throws `unavailable` while memory is short. */
  refuse(): void
}

type Options = {
  /** The budget in bytes. */
  readonly total: number
  readonly log: Pick<Log, 'warn' | 'info'>
  readonly read?: () => number
  readonly collect?: () => void
  /** Milliseconds, of any beginning. */
  readonly now?: () => number
}

const freshMs = 100
/** A collection stops everything else for up to half a second. */
const collectEveryMs = 10_000
const fullAt = 0.9

export function createMemoryWatch(options: Options): MemoryWatch {
  const { total, log, read = ownMemory, collect = collectGarbage, now = () => performance.now() } = options
  const last = { used: 0, at: -Infinity, collectedAt: -Infinity, isShort: false }
  const look = () => {
    const at = now()
    if (at - last.at < freshMs) return { used: last.used, total, isShort: last.isShort }
    let used = read()
    if (used > total * fullAt && at - last.collectedAt >= collectEveryMs) {
      collect()
      last.collectedAt = at
      used = read()
    }
    const isShort = used > total * fullAt
    if (isShort !== last.isShort) {
      const seen = { usedBytes: used, totalBytes: total }
      if (isShort) log.warn(seen, 'memory is short: page views, exports and new runs wait')
      else log.info(seen, 'there is memory again')
    }
    Object.assign(last, { used, at, isShort })
    return { used, total, isShort }
  }
  return {
    look,
    refuse: () => {
      if (!look().isShort) return
      const message = 'The service is short of memory. Repeat the request later; DOCENT_MEMORY is its budget.'
      throw new Failure('unavailable', message, { retryAfter: 5 })
    },
  }
}

/** Bytes that belong to this process alone. Where the system does not tell them, all of its resident memory. */
export function ownMemory(): number {
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readStatus())?.[1]
  return kilobytes === undefined ? memoryUsage.rss() : Number(kilobytes) * 1024
}

function readStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8')
  } catch {
    return ''
  }
}

/** V8 collects only when it needs room of its own, whatever the budget says. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
