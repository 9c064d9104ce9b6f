// Opens the engines, introduces them to the features, starts the server and the worker, and stops it all in order.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { modelProblem } from '../agent/model/model-id.ts'
import { openModel } from '../agent/model/providers.ts'
import { createTools } from '../agent/tools/all.ts'
import { loadRanges, toRangesFolder } from '../analytics/classify/verify/load-ranges.ts'
import { createVerify, type Verify } from '../analytics/classify/verify/verify.ts'
import { createCollecting } from '../analytics/collect/ingest.ts'
import { type LazyClickHouse, openLazily } from '../clickhouse/lazy.ts'
import type { Config } from '../config/config.ts'
import { keepSweepingAnalytics } from '../analytics/upkeep/sweep.ts'
import { openGit } from '../git/git.ts'
import { branchProblem } from '../git/write/refname.ts'
import type { Git } from '../git/types.ts'
import { type App, createApp } from '../http/app.ts'
import { onlyHealth } from '../http/server/only-health.ts'
import { type FetchHandler, listen, type Listening } from '../http/server/server.ts'
import type { RunDeps } from '../jobs/run/context.ts'
import { createLocalOperations, storePlace, storeProblem } from './local-operations.ts'
import { freeLostRuns } from '../jobs/queue/claims.ts'
import { readQueue } from '../jobs/queue/depth.ts'
import { runsChannel } from '../jobs/store.ts'
import { keepSweeping } from '../jobs/upkeep/sweep.ts'
import { cancelledChannel } from '../jobs/cancel.ts'
import { createEventFeed, type EventFeed } from '../jobs/events/feed.ts'
import { startWorker } from '../jobs/queue/worker.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { type DirectoryLock, lockDirectory } from '../lib/directory-lock.ts'
import { Failure } from '../lib/failure.ts'
import { createId } from '../lib/id.ts'
import { createLog, type Log } from '../lib/log.ts'
import { createMetrics, type Metrics } from '../lib/metrics.ts'
import { openPostgres, type PostgresPlace } from '../postgres/open.ts'
import type { Postgres } from '../postgres/types.ts'
import { operator } from '../projects/keys.ts'
import { createRecognition } from '../projects/recognise.ts'
import { createOwnForge } from '../forge/own/forge.ts'

export type Engines = {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  readonly clock: Clock
  readonly postgres: Postgres
  readonly git: Git
  readonly events: EventFeed
  /** The store of page views. */
  readonly pageViews: LazyClickHouse
  readonly verify: Verify
  close(): Promise<void>
}

/** The socket by which the command line reaches a running service. */
export function socketPath(config: Config): string {
  return join(config.dataDir, 'docent.sock')
}

/** Locks the data directory and opens what is in it. Throws `data_in_use` while another process has it. */
export async function openEngines(config: Config): Promise<Engines> {
  const lock = holdDirectory(config)
  const log = createLog(config.logLevel)
  try {
    const git = await openGit(gitOptions(config, log))
    const postgres = await openPostgres(databasePlace(config, log))
    const events = createEventFeed({ postgres, clock: systemClock })
    const pageViews = openLazily(storePlace(config))
    const verify = createVerify(await loadRanges(toRangesFolder(config.dataDir)))
    const close = async () => {
      await events.close()
      await pageViews.close()
      await git.close()
      await postgres.close()
      lock.release()
    }
    const metrics = createMetrics({ ofProcess: true })
    metrics.observeQueue(() => readQueue(postgres.db))
    return { config, log, metrics, clock: systemClock, postgres, git, events, pageViews, verify, close }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Throws `data_in_use` while another process has it, and `config_invalid` where no data can be. */
export function holdDirectory({ dataDir }: Config): DirectoryLock {
  const lock = takeLock(dataDir)
  if (lock) return lock
  throw new Failure('data_in_use', `The data directory ${dataDir} is in use by another docent process.`)
}

const noPlaceForData: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT']

function takeLock(dataDir: string): DirectoryLock | undefined {
  try {
    return lockDirectory(dataDir)
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause) || !noPlaceForData.includes(cause.code)) throw cause
    throw new Failure('config_invalid', `DOCENT_DATA_DIR cannot be used: ${cause.message}`, { cause })
  }
}

export function databasePlace({ database, dataDir }: Config, log: Log): PostgresPlace {
  if (database.url === undefined) return { kind: 'embedded', directory: join(dataDir, 'postgres') }
  return { kind: 'server', url: database.url, connections: database.connections, log }
}

export function gitOptions(config: Config, log: Log): Parameters<typeof openGit>[0] {
  return {
    directory: join(config.dataDir, 'mirrors'),
    allowLocal: config.repositories.allowLocal,
    privateHosts: config.repositories.privateHosts,
    maxRepositoryBytes: config.repositories.maxBytes,
    maxRepositoryFiles: config.repositories.maxFiles,
    maxFileBytes: 10 * 1024 * 1024,
    timeoutMs: 300_000,
    identity: config.commitIdentity,
    log,
  }
}

/** The app over these engines; `publicUrl` without a trailing slash. */
export function buildApp(engines: Engines, publicUrl: string): App {
  const { config, log, metrics, clock, postgres, git, events, pageViews, verify } = engines
  const { db } = postgres
  const analytics = { db, openStore: () => pageViews.open(), clock }
  return createApp({
    jobs: { db, clock, git, modelId: config.model.id, publicUrl },
    events,
    projects: {
      db,
      checkAddress: (address) => git.checkAddress(address),
      branchProblem,
      modelProblem: (model) => modelProblem(model, config.model),
    },
    pulls: { db, git, publicUrl },
    analytics,
    collecting: createCollecting(analytics, { metrics, verify }),
    identify: createRecognition(db),
    ready: async () => {
      await db.selectFrom('projects').select('id').limit(1).execute()
      const store = await pageViews.openIfThere()
      await store?.ping()
    },
    limits: config.limits,
    trustedProxies: config.trustedProxies,
    publicUrl,
    version,
    log,
    metrics,
    local: createLocalOperations({ config, postgres, pageViews, version }),
  })
}

export const version = '0.1.0'

export type Service = {
  /** `http://127.0.0.1:4100`: where it listens; of a worker without a port, its socket. */
  readonly address: string
  readonly publicUrl: string
  /** Lets requests and runs come to an end, hands back the runs that do not, and closes everything; within 30 s. */
  stop(): Promise<void>
}

export type ServeOptions = {
  /** `server`: answers requests and works on no run. `worker`: the other way round. Default: both. */
  readonly role?: 'server' | 'worker'
  /** Told of every point that a run reaches. */
  readonly reached?: RunDeps['reached']
}

const graceMs = 10_000
/** For requests and runs to come to an end or be handed back; then three seconds for traces, and the rest to close. */
const stopMs = 15_000

/** Starts the service in this process. Throws `data_in_use`, and what opening and listening may throw. */
export async function serve(config: Config, options: ServeOptions = {}): Promise<Service> {
  if (options.role === 'worker' && config.database.url === undefined) {
    throw new Failure(
      'config_invalid',
      'A worker of its own needs DATABASE_URL: the embedded database has one process.',
    )
  }
  const engines = await openEngines(config)
  const stopTraces = await openTraces(engines)
  try {
    const listening = await startListening(engines, options)
    const stopWork = await startWork(engines, options).catch(async (error: unknown) => {
      await listening.stop()
      throw error
    })
    const stop = async () => {
      const ended = new AbortController()
      const orderly = Promise.all([listening.stop(), stopWork()]).finally(() => ended.abort())
      // What takes longer waits for a database that does not answer: closing the engines cuts it off.
      await Promise.race([orderly, systemClock.sleep(stopMs, ended.signal)])
      await stopTraces()
      await engines.close()
    }
    return { address: listening.address, publicUrl: listening.publicUrl, stop }
  } catch (error) {
    await stopTraces()
    await engines.close()
    throw error
  }
}

/** The packages that send traces are loaded only where somebody takes them. */
async function openTraces({ config, log }: Engines): Promise<() => Promise<void>> {
  if (config.traces === undefined) return () => Promise.resolve()
  const { startTraces } = await import('../lib/trace-export.ts')
  return startTraces(config.traces, { version, log })
}

/** Where the world is answered: a worker answers about its health only, where that was asked for. */
async function listenToWorld({ host, port, workerPort }: Config, app: FetchHandler, role: ServeOptions['role']) {
  if (role !== 'worker') return listen(app, { host, port })
  return workerPort === undefined ? undefined : listen(onlyHealth(app), { host, port: workerPort })
}

async function startListening(engines: Engines, { role }: ServeOptions) {
  const { config, log } = engines
  const problem = role === 'worker' ? undefined : storeProblem(config)
  if (problem !== undefined) log.warn({}, `${problem}: set CLICKHOUSE_URL before you start a second one`)
  // Requests come in a later turn of the event loop than the line that makes the app: nothing can meet it unset.
  const holder: { app?: App } = {}
  const answering: FetchHandler = { fetch: (request, bindings) => made(holder.app).fetch(request, bindings) }
  const web = await listenToWorld(config, answering, role)
  const publicUrl =
    config.publicUrl ?? (role === 'worker' ? undefined : web?.address) ?? `http://${config.host}:${config.port}`
  const app = buildApp(engines, publicUrl)
  holder.app = app
  const local = await listenLocally(config, app).catch(async (error: unknown) => {
    await web?.close(0)
    throw error
  })
  const stopSweeping = role === 'worker' ? () => Promise.resolve() : sweepPageViews(engines)
  const stop = async () => {
    // Open streams end first: whoever reads them comes back to another server, or to this one started again.
    await Promise.all([engines.events.close(), web?.close(graceMs), local.close(graceMs), stopSweeping()])
  }
  return { address: web?.address ?? local.address, publicUrl, stop }
}

function sweepPageViews({ postgres, pageViews, clock, log }: Engines): () => Promise<void> {
  const sweeping = new AbortController()
  const openStoreIfThere = () => pageViews.openIfThere()
  const swept = keepSweepingAnalytics({ db: postgres.db, openStoreIfThere, clock, log, signal: sweeping.signal })
  return async () => {
    sweeping.abort()
    await swept
  }
}

/** A socket file that a killed process left is no obstacle: the lock says that nobody listens on it. */
async function listenLocally(config: Config, app: App): Promise<Listening> {
  await rm(socketPath(config), { force: true })
  return listen(
    { fetch: (request, bindings) => app.fetch(request, { ...bindings, principal: operator }) },
    { socketPath: socketPath(config) },
  )
}

function made(app: App | undefined): App {
  if (app) return app
  throw new Failure('unavailable', 'The service is starting.', { retryAfter: 1 })
}

async function startWork(engines: Engines, options: ServeOptions): Promise<() => Promise<void>> {
  if (options.role === 'server') return () => Promise.resolve()
  const { config, clock, log, metrics, postgres, git } = engines
  const deps: RunDeps = {
    db: postgres.db,
    git,
    forge: createOwnForge({ db: postgres.db, git, publicUrl: '' }),
    openModel: (id) => openModel(id, config.model, clock),
    modelId: config.model.id,
    tools: createTools(),
    budget: config.budget,
    clock,
    log,
    metrics,
    reached: options.reached ?? (() => Promise.resolve()),
  }
  const workerId = createId('wrk')
  // The embedded database has one process, so whoever else holds a lease is dead.
  const freed = config.database.url === undefined ? await freeLostRuns(postgres.db, workerId) : 0
  if (freed > 0) log.info({ freed }, 'runs of a process that died go on')
  const sweeping = new AbortController()
  const swept = keepSweeping({
    db: postgres.db,
    git,
    clock,
    log,
    archiveAfterDays: config.archiveAfterDays,
    leaseSeconds: config.leaseSeconds,
    signal: sweeping.signal,
  })
  const worker = startWorker(
    { ...deps, concurrency: config.workerConcurrency, leaseSeconds: config.leaseSeconds, graceMs },
    workerId,
  )
  const unlisten = [
    await postgres.listen(runsChannel, () => worker.wake()),
    await postgres.listen(cancelledChannel, (runId) => worker.abandon(runId)),
  ]
  return async () => {
    sweeping.abort()
    await Promise.all(unlisten.map((end) => end()))
    await worker.stop()
    await swept
  }
}
