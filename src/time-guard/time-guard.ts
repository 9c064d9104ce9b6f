// The time guard: decides whether upkeep may act on the clock. Stores trusted time with the data, and applies the rule
// in `trusted-time.ts` again for every decision, so that it notices a clock that moves between two sweeps. Knows
// nothing about upkeep.

import type { Log } from '../lib/observability/log.ts'
import type { Clock, ReadUpkeepTime } from '../lib/clock.ts'
import type { Postgres } from '../postgres/types.ts'
import { Failure } from '../lib/failure.ts'
import { type ClockState, describeClock, mostDifferenceMs, toState } from './clock-state.ts'
import { lockRecord, storeRecord } from './record.ts'
import { observe } from './trusted-time.ts'
import { createWitness, isPublicAddress, type ResponseDate, type Resolve } from './witness.ts'

export interface TimeGuard {
  /** See `ReadUpkeepTime`. Rejects when the database does not respond. */
  readonly upkeepTime: ReadUpkeepTime
  /** Returns the state of the last decision; before the first one, trusted. */
  state(): ClockState
  /** Accepts the clock on behalf of the operator. Throws `unavailable` while the clock differs from the database's. */
  accept(): Promise<void>
  /**
   * Takes the `Date` header of a response from another machine. Never throws; does nothing while the clock is trusted.
   */
  readonly reportDate: (response: ResponseDate) => void
  /** Returns `reportDate` while the clock is doubted, for callers to whom reading the header is work. */
  readonly dateReport: () => ((response: ResponseDate) => void) | undefined
}

export type TimeGuardOptions = {
  readonly postgres: Pick<Postgres, 'db' | 'readTime'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** Returns milliseconds that do not change when the clock is set. Default: the monotonic clock of the process. */
  readonly monotonic?: () => number
  readonly resolve?: Resolve
}

export function createTimeGuard(options: TimeGuardOptions): TimeGuard {
  const { postgres, clock, log, monotonic = () => performance.now(), resolve } = options
  const witness = createWitness(monotonic, resolve)
  const last: { state: ClockState; askedAt: number } = { state: { kind: 'trusted' }, askedAt: monotonic() }

  const enter = (state: ClockState): ClockState => {
    const isNew = state.kind !== last.state.kind
    last.state = state
    if (isNew && state.kind === 'trusted') log.info({}, 'the clock is trusted again: upkeep continues')
    if (isNew && state.kind !== 'trusted') log.warn({ clock: state }, describeClock(state))
    return state
  }

  const check = async (isAccepted: boolean): Promise<{ state: ClockState; now: number }> => {
    const askedAt = monotonic()
    const server = await postgres.readTime?.()
    const now = clock.now().getTime()
    const differenceMs = server ? now - server.now.getTime() : 0
    if (Math.abs(differenceMs) > mostDifferenceMs) return { state: enter({ kind: 'differs', differenceMs }), now }
    const isWitness = server?.address !== undefined && isPublicAddress(server.address)
    const seen = {
      clock: now,
      elapsedMs: Math.max(0, askedAt - last.askedAt),
      witness: isWitness ? server.now.getTime() : witness.time(),
    }
    const record = await postgres.db.transaction().execute(async (trx) => {
      const next = isAccepted ? { trustedAt: now } : observe(await lockRecord(trx), seen)
      await storeRecord(trx, next)
      return next
    })
    last.askedAt = Math.max(last.askedAt, askedAt)
    return { state: enter(toState(record)), now }
  }

  const reportDate = (response: ResponseDate): void => {
    if (last.state.kind === 'doubted') witness.report(response)
  }
  return {
    upkeepTime: async () => {
      const { state, now } = await check(false)
      return state.kind === 'trusted' ? new Date(now) : undefined
    },
    state: () => last.state,
    accept: async () => {
      const { state } = await check(true)
      if (state.kind !== 'trusted') throw new Failure('unavailable', describeClock(state))
    },
    reportDate,
    dateReport: () => (last.state.kind === 'doubted' ? reportDate : undefined),
  }
}
