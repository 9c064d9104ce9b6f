// Starts the work on runs in this process: the worker, the sweeps of the queue and the mirrors, what starts automations, what sends
// notifications, and what asks GitHub again for deliveries.

import { freeFollowed, type FollowOptions, keepFollowing } from '../automations/positions/keep-following.ts'
import { branchesChannel } from '../automations/positions/look.ts'
import { keepStartingDue } from '../automations/schedule/start-due.ts'
import { freeAnswers } from '../jobs/comments/answer.ts'
import { handleMentions } from '../jobs/comments/handle.ts'
import { mergeOwnPulls } from '../jobs/merging/merge-own.ts'
import { pullJobs } from '../jobs/pulls/pull-jobs.ts'
import { freePolls, pollsChannel } from '../jobs/pulls/polls.ts'
import { freeLostRuns } from '../jobs/queue/claims.ts'
import { endedRunsChannel, runsChannel } from '../jobs/queue/runs.ts'
import { startWorker } from '../jobs/queue/worker.ts'
import type { RunDeps } from '../jobs/run/context.ts'
import { executeRun } from '../jobs/run/run.ts'
import { lockJobOfRun, settleJob } from '../jobs/run/ends/settle-job.ts'
import { finishChecks, freeRestChecks } from '../jobs/upkeep/finish-checks.ts'
import { keepSweeping, type SweepOptions } from '../jobs/upkeep/sweep.ts'
import { createId } from '../lib/id.ts'
import { createPause } from '../postgres/pause.ts'
import { confirmHead } from '../projects/access/confirm-head.ts'
import { keepAskingAgain } from '../projects/forge-apps/redeliver.ts'
import { startDelivering } from '../notifications/start-delivering.ts'
import type { Engines } from './engines.ts'
import { createRunDeps } from './run-deps.ts'

type WorkOptions = {
  readonly role?: 'server' | 'worker'
  /** Called at every named point of a run, for tests. */
  readonly reached?: RunDeps['reached']
  readonly workerId?: string
  /** How long runs may continue after a stop, before they return to the queue. */
  readonly graceMs: number
  /** In links of notifications. Without a trailing slash. */
  readonly publicUrl: string
}

/** Does nothing if the role is `server`. The returned function stops the work and puts unfinished runs back in the queue. */
export async function startWork(engines: Engines, options: WorkOptions): Promise<() => Promise<void>> {
  if (options.role === 'server') return () => Promise.resolve()
  const { config, clock, log, metrics, postgres } = engines
  const { workerId = createId('wrk') } = options
  const deps = createRunDeps(engines, { reached: options.reached })
  // The embedded database has one process, so every other holder of a lease or a claim is dead.
  const isAlone = config.database.url === undefined
  const freed = isAlone ? await freeLostRuns(postgres.db, workerId) : 0
  if (freed > 0) log.info({ freed }, 'took over the runs of a process that died')
  if (isAlone) {
    await freeRestChecks(postgres.db)
    await freePolls(postgres.db)
    await freeAnswers(postgres.db)
    await freeFollowed(postgres.db)
  }
  const sweeping = new AbortController()
  const [polling, following] = [createPause(), createPause()]
  const swept = startSweeping(engines, deps, { polling, signal: sweeping.signal })
  const started = startAutomations(engines, deps, { pause: following, signal: sweeping.signal })
  const openClient = engines.forges.openGitHub
  const asked = keepAskingAgain({ ...engines, db: postgres.db, openClient, signal: sweeping.signal })
  const stopDelivering = await deliver(engines, isAlone, options.publicUrl)
  const worker = startWorker(
    {
      db: postgres.db,
      clock,
      log,
      metrics,
      concurrency: config.workerConcurrency,
      hasRoom: () => !engines.memory.watch.look().isShort,
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
    await postgres.listen(pollsChannel, polling.wake),
    await postgres.listen(branchesChannel, following.wake),
  ]
  // A run may have been added before this process listened.
  worker.wake()
  return async () => {
    sweeping.abort()
    await Promise.all(unlisten.map((end) => end()))
    await worker.stop()
    await Promise.all([swept, started, asked, stopDelivering()])
  }
}

type Paused = Pick<FollowOptions, 'pause' | 'signal'>

/** Until the signal is aborted. */
async function startAutomations(engines: Engines, deps: RunDeps, { pause, signal }: Paused): Promise<void> {
  const { config, clock, timeGuard, log, postgres, git, forges } = engines
  const { upkeepTime } = timeGuard
  const common = { db: postgres.db, clock, upkeepTime, modelId: config.model.id, log, signal }
  await Promise.all([
    keepStartingDue(common),
    keepFollowing({
      ...common,
      pause,
      git,
      confirmHead: (...asked) => confirmHead({ db: postgres.db, connections: forges.connections }, ...asked),
      facts: deps.facts,
      hide: (text) => deps.redactor.hide(text),
      openModel: deps.openModel,
      statusesOf: (...asked) => engines.forges.connections.statusesOf(...asked),
      // Only an address that others can open is written to a forge.
      dashboardUrl: config.publicUrl,
    }),
  ])
}

function deliver(
  { config, clock, log, metrics, postgres, secrets, redactor }: Engines,
  isAlone: boolean,
  publicUrl: string,
) {
  const { smtpUrl, from } = config.mail
  return startDelivering({
    db: postgres.db,
    listen: (channel, handle) => postgres.listen(channel, handle),
    isAlone,
    clock,
    random: Math.random,
    log,
    metrics,
    secrets,
    network: { privateHosts: config.repositories.privateHosts },
    redact: redactor.redact,
    smtp: smtpUrl === undefined || from === undefined ? undefined : { url: smtpUrl, from },
    publicUrl,
  })
}

type Sweeping = Pick<SweepOptions, 'polling' | 'signal'>

function startSweeping(engines: Engines, deps: RunDeps, { polling, signal }: Sweeping): Promise<void> {
  const { config, clock, timeGuard, log, postgres, git } = engines
  const { db } = postgres
  return keepSweeping({
    db,
    ...(postgres.tidy && { tidy: postgres.tidy }),
    git,
    clock,
    hostOf: deps.hostOf,
    explainRefusal: deps.explainRefusal,
    redactor: deps.redactor,
    modelId: deps.modelId,
    publicUrl: deps.publicUrl,
    mergeOwnPulls: (signal) => mergeOwnPulls({ db, git, clock, log, jobs: pullJobs, publicUrl: '', signal }),
    finishChecks: (signal) => finishChecks({ ...deps, log, signal }),
    handleComments: (signal) => handleMentions({ ...deps, log, signal }),
    upkeepTime: timeGuard.upkeepTime,
    log,
    archiveAfterDays: config.archiveAfterDays,
    leaseSeconds: config.leaseSeconds,
    readsPerHour: config.limits.forgeReadsPerHour,
    polling,
    signal,
  })
}
