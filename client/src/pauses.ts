// How long to wait before a request is repeated: what the service asks for, and what a client waits by itself.

const firstWaitMs = 500
const longestWaitMs = 30_000
/** The longest `Retry-After` that is obeyed. */
const longestRetryAfterMs = 300_000

/** Doubles with each try, with jitter, so that servers do not all retry at the same moment. */
export function backoffMs(tries: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** (tries - 1)) * (0.5 + Math.random() / 2)
}

/** Parses seconds or a date (RFC 9110, section 10.2.3). Returns 0 if there is neither. */
export function retryAfterMs(header: string | null, now: number, longestMs = longestRetryAfterMs): number {
  if (header === null) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestMs) : 0
}
