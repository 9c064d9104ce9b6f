// The worker: claims waiting runs, executes several at once, and says how each ended. It is woken by a notification
// and looks every second anyway. The third door of failures, for runs.

import { type Failure, toFailure } from '../../lib/failure.ts'
import { createId } from '../../lib/id.ts'
import { span } from '../../lib/trace.ts'
import type { RunRow } from '../../postgres/schema.ts'
import { DatabaseAway } from '../../postgres/unavailable.ts'
import { executeRun } from '../run/run.ts'
import type { LeasedRun, RunDeps } from '../run/context.ts'
import { claimRun, type Lease, LeaseLost, maxAttempts, renewLease } from './claims.ts'
import { handBack, recordFailure } from '../run/record.ts'

export type WorkerOptions = RunDeps & {
  readonly concurrency: number
  readonly leaseSeconds: number
  /** How long a stop lets runs go on before it hands them back. */
  readonly graceMs: number
  /** What a claimed run is; of the service `executeRun`. */
  readonly execute?: (run: LeasedRun) => Promise<void>
}

export interface Worker {
  readonly id: string
  /** Look for waiting runs now. */
  wake(): void
  /** The run was ended under whoever works on it: stop at once. '': any may have been; look. */
  abandon(runId: string): void
  /** Claims nothing more, hands back what is still at work after the grace, and resolves when all of it is. */
  stop(): Promise<void>
}

const pollMs = 1_000

export function startWorker(options: WorkerOptions, id = createId('wrk')): Worker {
  const closing = new AbortController()
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const held = new Set<Holding>()
  let pause = new AbortController()
  const start = (run: RunRow) => {
    const work = workOn(options, run, held, stopping.signal).finally(() => {
      running.delete(work)
      pause.abort()
    })
    running.add(work)
  }
  const looping = (async () => {
    while (!closing.signal.aborted) {
      pause = new AbortController()
      await claimAll(options, { id, running, start, closing: closing.signal })
      await options.clock.sleep(pollMs, AbortSignal.any([pause.signal, closing.signal]))
    }
  })()
  return {
    id,
    wake: () => pause.abort(),
    abandon: (runId) => abandon(options, held, runId),
    stop: async () => {
      closing.abort()
      await looping
      const grace = new AbortController()
      const ended = Promise.all(running).finally(() => grace.abort())
      await options.clock.sleep(options.graceMs, grace.signal)
      stopping.abort(new HandedBack('the service stops'))
      await ended
    },
  }
}

/** The reason of an aborted signal: the run goes on later, here or elsewhere. */
class HandedBack extends Error {
  override readonly name = 'HandedBack'
}

type Claiming = {
  readonly id: string
  readonly running: ReadonlySet<unknown>
  readonly start: (run: RunRow) => void
  readonly closing: AbortSignal
}

async function claimAll(options: WorkerOptions, claiming: Claiming): Promise<void> {
  try {
    while (!claiming.closing.aborted && claiming.running.size < options.concurrency) {
      const run = await claimRun(options.db, claiming.id, options.leaseSeconds)
      if (!run) return
      claiming.start(run)
    }
  } catch (error) {
    if (error instanceof DatabaseAway) options.log.warn('runs cannot be claimed: the database is not available')
    else options.log.error({ err: error }, 'runs could not be claimed')
  }
}

/** Executes one claimed run under its lease. Never throws. */
async function workOn(options: WorkerOptions, run: RunRow, held: Set<Holding>, stopping: AbortSignal): Promise<void> {
  const log = options.log.child({ jobId: run.job_id, runId: run.id, attempt: run.attempts })
  const lease = { runId: run.id, jobId: run.job_id, fence: run.fence, seconds: options.leaseSeconds }
  const names = { 'docent.job.id': run.job_id, 'docent.run.id': run.id, 'docent.run.attempt': run.attempts }
  const lost = new AbortController()
  const holding = { lease, lost }
  held.add(holding)
  const beating = keepLease(options, lease, lost)
  const leased = { deps: { ...options, log }, run, lease, signal: AbortSignal.any([lost.signal, stopping]) }
  try {
    const execute = options.execute ?? executeRun
    await span('run', names, () => execute(leased)).then(
      () => options.metrics.runEnded({ outcome: 'completed', code: 'none' }),
      (error: unknown) => settleWhenPossible(leased, error, stopping),
    )
  } catch (error) {
    if (error instanceof LeaseLost) await noteLoss({ ...options, log }, run.id)
    else log.error({ err: error }, 'a run could not be settled; its lease will run out')
  } finally {
    held.delete(holding)
    lost.abort()
    await beating
  }
}

/** A run that was cancelled is over; any other loss is one that somebody should know of. Never throws. */
async function noteLoss({ db, log, metrics }: WorkerOptions, runId: string): Promise<void> {
  const find = db.selectFrom('runs').select('error_code').where('id', '=', runId).executeTakeFirst()
  const run = await find.catch(() => undefined)
  if (run?.error_code === 'cancelled') {
    metrics.runEnded({ outcome: 'failed', code: 'cancelled' })
    log.info('the run was cancelled')
    return
  }
  metrics.leaseLost()
  log.warn('the lease is lost: another worker has the run, or its project was deleted')
}

/** Goes on trying while the database is away: until the lease is lost, or for a while when the service stops. */
async function settleWhenPossible(context: LeasedRun, error: unknown, stopping: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await settle(context, error)
    } catch (problem) {
      if (!(problem instanceof DatabaseAway) || (stopping.aborted && tries > triesWhileStopping)) throw problem
      await context.deps.clock.sleep(settlePauseMs)
    }
  }
}

const settlePauseMs = 500
const triesWhileStopping = 6

/** Says how a run ended that did not end well: handed back, to be tried again, or failed. */
async function settle(context: LeasedRun, error: unknown): Promise<void> {
  const { log, metrics } = context.deps
  if (error instanceof LeaseLost) throw error
  if (error instanceof HandedBack) {
    await handBack(context, { delaySeconds: 0, failure: undefined })
    return metrics.runEnded({ outcome: 'handed_back', code: 'none' })
  }
  // That the database was away says nothing about the run.
  if (error instanceof DatabaseAway) {
    await handBack(context, { delaySeconds: 1, failure: undefined })
    return metrics.runEnded({ outcome: 'retried', code: 'unavailable' })
  }
  const failure = toFailure(error)
  const attempts = await countAttempts(context)
  if (failure.meaning.retry && attempts < maxAttempts) {
    log.warn({ err: error, code: failure.code }, 'the run is tried again')
    await handBack(context, { delaySeconds: retryDelay(failure, attempts), failure })
    return metrics.runEnded({ outcome: 'retried', code: failure.code })
  }
  log.warn({ err: error, code: failure.code }, 'the run failed')
  await recordFailure(context, failure)
  metrics.runEnded({ outcome: 'failed', code: failure.code })
}

/** A turn that was stored since the claim has set the count back. */
async function countAttempts({ deps, run }: LeasedRun): Promise<number> {
  const row = await deps.db.selectFrom('runs').select('attempts').where('id', '=', run.id).executeTakeFirst()
  if (!row) throw new LeaseLost(run.id)
  return Math.max(1, row.attempts)
}

function retryDelay(failure: Failure, attempts: number): number {
  return failure.retryAfter ?? 2 ** (attempts - 1)
}

type Holding = { readonly lease: Lease; readonly lost: AbortController }

function abandon(options: WorkerOptions, held: ReadonlySet<Holding>, runId: string): void {
  for (const { lease, lost } of held) {
    if (runId === '') void renew(options, lease, lost)
    else if (lease.runId === runId) lost.abort(new LeaseLost(runId))
  }
}

/** Renews the lease three times in its length; aborts `lost` with `LeaseLost` when it is gone. */
async function keepLease(options: WorkerOptions, lease: Lease, lost: AbortController): Promise<void> {
  for (;;) {
    await options.clock.sleep((lease.seconds * 1_000) / 3, lost.signal)
    if (lost.signal.aborted) return
    await renew(options, lease, lost)
  }
}

/** Never throws. */
async function renew(options: WorkerOptions, lease: Lease, lost: AbortController): Promise<void> {
  try {
    if (!(await renewLease(options.db, lease))) lost.abort(new LeaseLost(lease.runId))
  } catch (error) {
    options.log.warn({ reason: toFailure(error).message, runId: lease.runId }, 'a lease could not be renewed')
  }
}
