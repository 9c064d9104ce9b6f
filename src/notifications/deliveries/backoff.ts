// When a delivery that failed is tried again. Pure. Ten pauses come after the first attempt, three days in all: the pauses are
// so long at the end that an outage over a weekend loses nothing.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const pauses = [
  5 * second,
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  20 * hour + 24 * minute,
] as const

export const mostAttempts = pauses.length + 1

/** How much longer or shorter a pause is, so that many deliveries that failed together do not come together again. */
const jitter = 0.1

/**
 * Milliseconds until the next attempt; undefined after the last one. `attempts`: those until now. `random`: from 0 to 1.
 * `askedSeconds`: what the response asks to wait, if it does.
 */
export function pauseAfter(attempts: number, random: number, askedSeconds = 0): number | undefined {
  const pause = pauses[attempts - 1]
  if (pause === undefined) return undefined
  return Math.max(Math.round(pause * (1 + jitter * (2 * random - 1))), askedSeconds * second)
}
