// Waits for the checks of a run. Documentation that cannot be checked loses no job: the caller gets undefined.

import { Failure } from '../../../lib/failure.ts'
import { type LeasedRun, LeaseLost, writeAsRun } from '../../queue/lease.ts'
import { addEvents, type RunDeps } from '../context.ts'
import type { CheckedRun, RunChecks, WantedCheck } from '../../review/run-checks.ts'

const progressMs = 1_000

type Waiting = LeasedRun & { readonly deps: Pick<RunDeps, 'log'> }

/**
 * Adds an event each second that says how far the check is. Returns undefined when it cannot be done. Throws when the
 * lease is lost, and what may pass by trying the run again.
 */
export async function waitForChecks(
  context: Waiting,
  checks: RunChecks,
  wanted: WantedCheck,
): Promise<CheckedRun | undefined> {
  const ended = new AbortController()
  const settled = checks
    .check(wanted)
    .catch((error: unknown) => {
      if (mustEnd(context, error)) throw error
      context.deps.log.error({ err: error, runId: context.run.id }, 'the documentation could not be checked')
      return undefined
    })
    .finally(() => ended.abort())
  const [result] = await Promise.all([settled, showProgress(context, checks, ended.signal)])
  return result
}

function mustEnd({ signal }: Waiting, error: unknown): boolean {
  return signal.aborted || error instanceof LeaseLost || (error instanceof Failure && error.meaning.retry)
}

async function showProgress(context: Waiting, checks: RunChecks, ended: AbortSignal): Promise<void> {
  let shown = -1
  for (;;) {
    await context.clock.sleep(progressMs, ended)
    if (ended.aborted) return
    const { done, total } = checks.progress()
    if (done === shown || total === 0) continue
    shown = done
    await writeAsRun(context, async (trx, run) => {
      await addEvents(trx, run, { type: 'progress', phase: 'checking', done, total })
    })
  }
}
