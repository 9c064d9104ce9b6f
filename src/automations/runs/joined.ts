// The payloads of a run that waits: events that come meanwhile join it. Pure.

import type { BoundedPayload } from '../events/payload.ts'

const mostJoined = 20

/** `stored`: the column `data` of a run. */
export function readPayloads(stored: string | null): readonly BoundedPayload[] {
  return stored === null ? [] : (JSON.parse(stored) as readonly BoundedPayload[])
}

/** One stays as it is. Undefined: there is no payload. */
export function joinPayloads(payloads: readonly BoundedPayload[]): BoundedPayload | undefined {
  const [first, ...others] = payloads
  if (first === undefined || others.length === 0) return first
  const joined = payloads.slice(0, mostJoined)
  const leftOut = joined.reduce((sum, one) => sum + one.leftOut, payloads.length - joined.length)
  return { payload: { events: joined.map(({ payload }) => payload) }, leftOut }
}
