// Repeats a request to another host once, when it failed for a moment.

import { setTimeout as delay } from 'node:timers/promises'

const pauseMs = 300
/** A request that took longer than this waited for a host that is away: the caller decides. */
const quickMs = 10_000

/** `isBroken`: the result says that the same request may pass. It must be safe to repeat. Throws the reason of the signal. */
export async function askAgain<T>(
  request: () => Promise<T>,
  isBroken: (result: T) => boolean,
  signal: AbortSignal,
): Promise<T> {
  const start = performance.now()
  const result = await request()
  if (!isBroken(result) || performance.now() - start > quickMs) return result
  await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  return await request()
}
