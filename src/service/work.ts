// Starts the work on runs in this process: the worker, and the sweeps of the queue and the mirrors.

import { openModel } from '../agent/model/providers.ts'
import { createTools } from '../agent/tools/all.ts'
import { createOwnForge } from '../forge/own/forge.ts'
import { freeLostRuns } from '../jobs/queue/claims.ts'
import { endedRunsChannel, runsChannel } from '../jobs/queue/runs.ts'
import { startWorker } from '../jobs/queue/worker.ts'
import type { RunDeps } from '../jobs/run/context.ts'
import { executeRun } from '../jobs/run/run.ts'
import { lockJobOfRun, settleJob } from '../jobs/run/settle-job.ts'
import { keepSweeping } from '../jobs/upkeep/sweep.ts'
import { createId } from '../lib/id.ts'
import type { Engines } from './engines.ts'
import { pullJobs } from '../jobs/pull-jobs.ts'

type WorkOptions = {
  readonly role?: 'server' | 'worker'
  /** Called at every named point of a run, for tests. */
  readonly reached?: RunDeps['reached']
  /** After a stop: time for runs to end before they return to the queue. */
  readonly graceMs: number
}

/** Does nothing for a `server`. The returned function stops the work and returns unfinished runs to the queue. */
export async function startWork(engines: Engines, options: WorkOptions): Promise<() => Promise<void>> {
  if (options.role === 'server') return () => Promise.resolve()
  const { config, clock, timeGuard, log, metrics, postgres, git } = engines
  const deps: RunDeps = {
    db: postgres.db,
    git,
    forge: createOwnForge({ db: postgres.db, git, jobs: pullJobs, publicUrl: '' }),
    openModel: (id) => openModel(id, config.model, clock, timeGuard.reportDate),
    modelId: config.model.id,
    tools: createTools(),
    budget: config.budget,
    clock,
    metrics,
    reached: options.reached ?? (() => Promise.resolve()),
  }
  const workerId = createId('wrk')
  // The embedded database has one process, so every other holder of a lease is dead.
  const freed = config.database.url === undefined ? await freeLostRuns(postgres.db, workerId) : 0
  if (freed > 0) log.info({ freed }, 'took over the runs of a process that died')
  const sweeping = new AbortController()
  const swept = keepSweeping({
    db: postgres.db,
    git,
    clock,
    upkeepTime: timeGuard.upkeepTime,
    log,
    archiveAfterDays: config.archiveAfterDays,
    leaseSeconds: config.leaseSeconds,
    signal: sweeping.signal,
  })
  const worker = startWorker(
    {
      db: postgres.db,
      clock,
      log,
      metrics,
      concurrency: config.workerConcurrency,
      leaseSeconds: config.leaseSeconds,
      graceMs: options.graceMs,
      lockFirst: lockJobOfRun,
      execute: (leased) => executeRun(deps, leased),
      settled: settleJob,
    },
    workerId,
  )
  const unlisten = [
    await postgres.listen(runsChannel, () => worker.wake()),
    await postgres.listen(endedRunsChannel, (runId) => worker.abandon(runId)),
  ]
  return async () => {
    sweeping.abort()
    await Promise.all(unlisten.map((end) => end()))
    await worker.stop()
    await swept
  }
}
