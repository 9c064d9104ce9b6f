// The rule of the time guard, as a pure function: given what is stored and what a process observes, is the clock
// trusted, and what is stored next? Knows neither the database nor the network.
//
// Trusted time is the last moment at which the clock was believed. Time can only pass as fast as a process runs, so the
// clock is *trusted* while it is at most 12 hours ahead of trusted time plus the time that processes ran since. Then
// trusted time moves with it, also backwards. A clock that is further ahead is *doubted*: it may be wrong, or the
// machine was off. Trusted time then stops, and only the time of running grows:
//
//   trusted ──── more than 12 hours ahead ────► doubted
//      ▲                                          │
//      ├── at most 12 hours ahead again ──────────┤
//      ├── a witness on another machine agrees ───┤
//      ├── the operator accepts the clock ────────┤
//      └── 24 hours of running in all ────────────┘

const hourMs = 3_600_000

/** How far the clock may be ahead of trusted time plus running time. */
export const toleranceMs = 12 * hourMs
/** Total running time, across restarts, after which a doubted clock is accepted. */
export const runningUntilAcceptedMs = 24 * hourMs
/** How far a witness may differ from the clock that it confirms. */
export const witnessToleranceMs = 10 * 60_000

/** The stored record. Times are in milliseconds since 1970. */
export type TimeRecord = {
  readonly trustedAt: number
  /** Set while the clock is doubted. */
  readonly doubt?: {
    /** How long processes have run since the clock was last trusted. */
    readonly runningMs: number
    /** The clock at the last observation. With it, several processes that observe in turn count each moment once. */
    readonly seenAt: number
  }
}

export type Observation = {
  readonly clock: number
  /** Monotonic time since the last observation of this process, or since it started. */
  readonly elapsedMs: number
  /** The current time of another machine. */
  readonly witness?: number | undefined
}

/** Applies one observation. When `stored` is undefined, nothing is stored yet, so no data is old enough to be lost. */
export function observe(stored: TimeRecord | undefined, seen: Observation): TimeRecord {
  const trusted: TimeRecord = { trustedAt: seen.clock }
  if (!stored) return trusted
  const { runningMs, seenAt } = stored.doubt ?? { runningMs: 0, seenAt: stored.trustedAt }
  if (seen.clock - (stored.trustedAt + runningMs + seen.elapsedMs) <= toleranceMs) return trusted
  if (seen.witness !== undefined && Math.abs(seen.witness - seen.clock) <= witnessToleranceMs) return trusted
  const running = runningMs + Math.max(0, Math.min(seen.elapsedMs, seen.clock - seenAt))
  if (running >= runningUntilAcceptedMs) return trusted
  return { trustedAt: stored.trustedAt, doubt: { runningMs: running, seenAt: seen.clock } }
}
