// Describes the state of the clock, and words it for the log, `docent doctor` and `/readyz`.

import { isDoubted, observe, runningUntilAcceptedMs, type TimeRecord } from './trusted-time.ts'

/** A server whose clock differs from the database's by more than this runs no upkeep. */
export const mostDifferenceMs = 5 * 60_000

export type ClockState =
  | { readonly kind: 'trusted' }
  | {
      readonly kind: 'doubted'
      /** Milliseconds since 1970. */
      readonly trustedAt: number
      /** The time of the doubted clock, in milliseconds since 1970. */
      readonly seenAt: number
      readonly runningMs: number
    }
  /** `differenceMs`: the clock of this server minus the clock of the database. */
  | { readonly kind: 'differs'; readonly differenceMs: number }

export const clockStates = ['trusted', 'doubted', 'differs'] as const satisfies readonly ClockState['kind'][]

/**
 * Returns the state that a service would find if it started now; stores nothing. `serverTime` is the database's clock.
 */
export function assessClock(
  stored: TimeRecord | undefined,
  { clock, serverTime }: { readonly clock: number; readonly serverTime?: number | undefined },
): ClockState {
  const differenceMs = serverTime === undefined ? 0 : clock - serverTime
  if (Math.abs(differenceMs) > mostDifferenceMs) return { kind: 'differs', differenceMs }
  return toState(observe(stored, { clock, elapsedMs: 0 }))
}

export function toState(record: TimeRecord): ClockState {
  const { trustedAt, doubt } = record
  return doubt && isDoubted(record) ? { kind: 'doubted', trustedAt, ...doubt } : { kind: 'trusted' }
}

export function describeClock(state: ClockState): string {
  if (state.kind === 'trusted') return 'The clock is trusted.'
  return state.kind === 'doubted' ? describeDoubt(state) : describeDifference(state)
}

function describeDoubt({ trustedAt, seenAt, runningMs }: Extract<ClockState, { kind: 'doubted' }>): string {
  const hours = Math.ceil((runningUntilAcceptedMs - runningMs) / 3_600_000)
  return (
    `The clock says ${toText(seenAt)}, but it was last trusted at ${toText(trustedAt)}: either it is wrong, or the ` +
    'service was off. Nothing is deleted or archived by age, and no scheduled automation starts. If the clock is wrong, set it with NTP. If it is right, ' +
    'run `docent doctor --accept-clock`; otherwise it is accepted after ' +
    `${hours} more ${hours === 1 ? 'hour' : 'hours'} of running.`
  )
}

function describeDifference({ differenceMs }: Extract<ClockState, { kind: 'differs' }>): string {
  const minutes = Math.round(Math.abs(differenceMs) / 60_000)
  const side = differenceMs > 0 ? 'ahead of' : 'behind'
  return (
    `The clock of this server is ${minutes} minutes ${side} the clock of the database. This server deletes and ` +
    'archives nothing by age, and starts no scheduled automation, until the two agree: set both with NTP.'
  )
}

function toText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
