// The rule of the time guard, as a pure function: given what is stored and what a process observes, is the clock
// trusted, and what is stored next? Knows neither the database nor the network.
//
// Trusted time is the last moment at which the clock was believed. Time can only pass as fast as a process runs, so the
// clock is *trusted* while it is at most 12 hours ahead of trusted time plus the time that processes ran since. Then
// trusted time moves with it. A clock that is further ahead is *doubted*: it may be wrong, or the machine was off. Trusted
// time then stops, and only the time of running grows:
//
//   trusted ──── more than 12 hours ahead ────► doubted
//      ▲                                          │
//      ├── at most 12 hours ahead again ──────────┤
//      ├── a witness on another machine agrees ───┤
//      ├── the operator accepts the clock ────────┤
//      └── 24 hours of running in all ────────────┘
//
// A clock that is *behind* makes nothing look old, so it is trusted. But trusted time does not follow it: a clock that is
// back 40 days at one start would otherwise be doubted once it is right again. Trusted time then grows by the time of
// running. It follows the clock for the same three reasons that end a doubt; otherwise a wrong clock that was accepted once
// would leave no guard until that time has come.

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
  /** Set while the clock is doubted, or behind `trustedAt`. */
  readonly doubt?: {
    /** How long processes have run since this began. */
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
  const { clock, elapsedMs, witness } = seen
  const trusted: TimeRecord = { trustedAt: clock }
  if (!stored) return trusted
  const { trustedAt, doubt = { runningMs: 0, seenAt: trustedAt } } = stored
  if (witness !== undefined && Math.abs(witness - clock) <= witnessToleranceMs) return trusted
  const [wasAhead, isAhead] = [doubt.seenAt >= trustedAt, clock >= trustedAt]
  const ranBefore = wasAhead ? doubt.runningMs : 0
  if (isAhead && clock - (trustedAt + ranBefore + elapsedMs) <= toleranceMs) return trusted
  const ran = Math.max(0, Math.min(elapsedMs, clock - doubt.seenAt))
  const runningMs = wasAhead === isAhead ? doubt.runningMs + ran : isAhead ? ran : 0
  if (runningMs >= runningUntilAcceptedMs) return trusted
  const grown = isAhead ? 0 : wasAhead ? ranBefore : ran
  return { trustedAt: trustedAt + grown, doubt: { runningMs, seenAt: clock } }
}

export function isDoubted({ trustedAt, doubt }: TimeRecord): boolean {
  return doubt !== undefined && doubt.seenAt > trustedAt
}
