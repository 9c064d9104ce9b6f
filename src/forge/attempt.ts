// Repeats a step on a forge until it is done or a deadline passes. The step itself reads from the forge before it writes,
// so it may run again after a lost response.

import type { Clock } from '../lib/clock.ts'
import { Failure } from '../lib/failure.ts'

/** The step has to look again, because the forge contradicts itself or a response was lost. */
export const again = Symbol('again')

export type AttemptOptions = {
  readonly clock: Clock
  /** No wait ends after this; one request may. */
  readonly deadlineMs: number
}

const firstWaitMs = 500
const longestWaitMs = 8_000

/** Throws the failure of the step, at once unless the forge is unavailable or asks to wait. */
export async function attempt<T>(
  { clock, deadlineMs }: AttemptOptions,
  step: () => Promise<T | typeof again>,
  signal: AbortSignal,
): Promise<T> {
  const end = clock.now().getTime() + deadlineMs
  for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, longestWaitMs)) {
    signal.throwIfAborted()
    const done = await once(step)
    if (done.kind === 'result') return done.result
    const pause = Math.max(wait, (done.failure.retryAfter ?? 0) * 1000)
    if (clock.now().getTime() + pause > end) throw done.failure
    await clock.sleep(pause, signal)
  }
}

type Once<T> = { readonly kind: 'result'; readonly result: T } | { readonly kind: 'again'; readonly failure: Failure }

async function once<T>(step: () => Promise<T | typeof again>): Promise<Once<T>> {
  try {
    const result = await step()
    return result === again ? { kind: 'again', failure: undecided() } : { kind: 'result', result }
  } catch (error) {
    if (mayPass(error)) return { kind: 'again', failure: error }
    throw error
  }
}

/** Is the forge unavailable, or does it ask to wait? */
function mayPass(error: unknown): error is Failure {
  return error instanceof Failure && ['forge_unavailable', 'forge_rate_limited'].includes(error.code)
}

function undecided(): Failure {
  return new Failure('forge_unavailable', 'The forge does not show what became of a request to it.')
}
