// Starts and stops the service in order: opens the engines, listens for requests, starts the worker.

import { rm } from 'node:fs/promises'
import { keepSealed } from '../analytics/counts/uniques/keep-sealed.ts'
import { keepSweepingAnalytics } from '../analytics/upkeep/sweep.ts'
import { type Config, configuredAddress } from '../config/config.ts'
import type { App } from '../http/app.ts'
import { onlyHealth } from '../http/server/only-health.ts'
import { type FetchHandler, listen, type Listening } from '../http/server/server.ts'
import type { RunDeps } from '../jobs/run/context.ts'
import { systemClock } from '../lib/clock.ts'
import type { DirectoryLock } from '../lib/directory-lock.ts'
import { Failure } from '../lib/failure.ts'
import { keepWatchingDisk } from '../lib/observability/disk-watch.ts'
import { createLog } from '../lib/observability/log.ts'
import { explainModel } from '../models/settings.ts'
import { modelsOf } from './models.ts'
import { createSetupLink } from '../people/setup.ts'
import { operator } from '../projects/keys.ts'
import { buildApp } from './app.ts'
import { prepareDashboard } from './dashboard.ts'
import { dataInUse, enterDirectory } from './data-directory.ts'
import { type Engines, openEngines } from './engines.ts'
import { missingEngine, refuseNewerStore, unsharedStoreProblem } from './page-view-store.ts'
import { joinProcesses } from './processes/processes.ts'
import { socketPath } from './socket.ts'
import { version } from './version.ts'
import { startWork } from './work.ts'

export type Service = {
  /** The address it listens on, such as `http://127.0.0.1:4100`. A worker without a port has its socket here. */
  readonly address: string
  readonly publicUrl: string
  /** Where the first account is created; undefined when there is one. */
  readonly setupLink: string | undefined
  /** Waits for requests and runs to end, returns unfinished runs to the queue, and closes everything within 30 s. */
  stop(): Promise<void>
}

export type ServeOptions = {
  /** `server` only handles requests, `worker` only works on runs. Default: both. */
  readonly role?: 'server' | 'worker'
  /** Called at every named point of a run, for tests. */
  readonly reached?: RunDeps['reached']
  /** Holds the leases of runs; default: a new id. For tests. */
  readonly workerId?: string
  /** Stops waiting for the data directory. */
  readonly signal?: AbortSignal
}

const graceMs = 10_000
/** Time for requests and runs to end or return to the queue. Then traces have three seconds, and closing the rest. */
const stopMs = 15_000

/**
 * Starts the service in this process. Waits up to 30 s for a data directory that a command holds. Throws `data_in_use`,
 * `schema_newer` when a newer release migrated the database or the ClickHouse server, and the errors of opening the engines and of listening.
 */
export async function serve(config: Config, options: ServeOptions = {}): Promise<Service> {
  if (options.role === 'worker' && config.database.url === undefined) {
    throw new Failure(
      'config_invalid',
      '`docent worker` needs DATABASE_URL: only one process can use the embedded database.',
    )
  }
  const engines = await openEngines(config, await holdForService(config, options.signal))
  const stopTraces = await openTraces(engines)
  try {
    await refuseNewerStore(config)
    await warnOfEngine(engines)
    await warnOfModel(engines)
    const listening = await startListening(engines, options)
    const stopWork = await startWork(engines, { ...options, graceMs, publicUrl: listening.publicUrl }).catch(
      async (error: unknown) => {
        await listening.stop()
        throw error
      },
    )
    const { address, publicUrl, hasDashboard } = listening
    const { postgres, clock, log } = engines
    const leave = await joinProcesses({ db: postgres.db, config, role: options.role, publicUrl, clock, log })
    const stop = async () => {
      const ended = new AbortController()
      const orderly = Promise.all([listening.stop(), stopWork(), leave()]).finally(() => ended.abort())
      // Anything that takes longer waits for a database that does not respond: closing the engines ends it.
      await Promise.race([orderly, systemClock.sleep(stopMs, ended.signal)])
      await stopTraces()
      await engines.close()
    }
    // The link opens a page of the dashboard.
    const setupLink = hasDashboard ? await createSetupLink(engines.postgres.db, publicUrl) : undefined
    return { address, publicUrl, setupLink, stop }
  } catch (error) {
    await stopTraces()
    await engines.close()
    throw error
  }
}

/** The service starts without an engine for page views, because jobs do not need it. */
async function warnOfEngine({ config, log }: Engines): Promise<void> {
  const advice = await missingEngine(config)
  if (advice !== undefined) log.warn({}, advice)
}

/** The service starts without a key of its model, because the key can be stored while it runs. */
async function warnOfModel(engines: Engines): Promise<void> {
  const { config, log } = engines
  const problem = await explainModel(modelsOf(engines), config.model.id)
  if (problem !== null) log.warn({ model: config.model.id }, `DOCENT_MODEL cannot be used: it ${problem}`)
}

async function holdForService(config: Config, signal: AbortSignal | undefined): Promise<DirectoryLock> {
  const onWait = () => {
    const words = 'another docent process holds the data directory: waiting up to 30 s for it'
    createLog(config.logLevel).warn({ dataDir: config.dataDir }, words)
  }
  const lock = await enterDirectory(config, { onWait, clock: systemClock, signal })
  if (lock === 'served') throw dataInUse(config)
  return lock
}

/** The packages that send traces are loaded only when a collector is configured. */
async function openTraces({ config, log }: Engines): Promise<() => Promise<void>> {
  if (config.traces === undefined) return () => Promise.resolve()
  const { startTraces } = await import('../lib/observability/trace-export.ts')
  return startTraces(config.traces, { version, log })
}

/** Listens on the public address. A worker does so only if `workerPort` is set, and serves health and metrics there. */
async function listenToWorld({ host, port, workerPort }: Config, app: FetchHandler, role: ServeOptions['role']) {
  if (role !== 'worker') return listen(app, { host, port })
  return workerPort === undefined ? undefined : listen(onlyHealth(app), { host, port: workerPort })
}

async function startListening(engines: Engines, { role, signal }: ServeOptions) {
  const { config, log } = engines
  const problem = role === 'worker' ? undefined : unsharedStoreProblem(config)
  if (problem !== undefined) log.warn({}, `${problem}: set CLICKHOUSE_URL before you start a second server`)
  // The app needs the address, so it is made after listening begins: the first requests wait for it.
  const { promise: app, resolve } = Promise.withResolvers<App>()
  const made: { app?: App } = {}
  const waiting: FetchHandler = {
    fetch: async (request, bindings) => (await app).fetch(request, bindings),
    plain: (incoming, outgoing) => made.app?.plain(incoming, outgoing) ?? false,
  }
  const web = await listenToWorld(config, waiting, role)
  const publicUrl = config.publicUrl ?? (role === 'worker' ? undefined : web?.address) ?? configuredAddress(config)
  const dashboard = role === 'worker' ? undefined : await prepareDashboard(log, signal)
  made.app = buildApp(engines, publicUrl, dashboard)
  resolve(made.app)
  const local = await listenLocally(config, await app).catch(async (error: unknown) => {
    await web?.close(0)
    throw error
  })
  const stopSweeping = role === 'worker' ? () => Promise.resolve() : sweepPageViews(engines)
  const watching = new AbortController()
  const watched = keepWatchingDisk(engines.disk, engines.clock, watching.signal)
  const stop = async () => {
    // Open streams end first: their readers reconnect to another server, or to this one after a restart.
    watching.abort()
    await Promise.all([engines.events.close(), web?.close(graceMs), local.close(graceMs), stopSweeping(), watched])
  }
  return { address: web?.address ?? local.address, publicUrl, hasDashboard: dashboard !== undefined, stop }
}

function sweepPageViews({ postgres, pageViews, clock, timeGuard, log, metrics }: Engines): () => Promise<void> {
  const sweeping = new AbortController()
  const openStoreIfThere = () => pageViews.openIfThere()
  const { upkeepTime } = timeGuard
  const { signal } = sweeping
  const swept = Promise.all([
    keepSweepingAnalytics({ db: postgres.db, openStoreIfThere, clock, upkeepTime, log, signal }),
    keepSealed({ db: postgres.db, openStoreIfThere, clock, log, metrics, signal }),
  ])
  return async () => {
    sweeping.abort()
    await swept
  }
}

/** Replaces the socket file that a killed process left: this process holds the lock, so nobody listens on it. */
async function listenLocally(config: Config, app: App): Promise<Listening> {
  await rm(socketPath(config), { force: true })
  return listen(
    { fetch: (request, bindings) => app.fetch(request, { ...bindings, principal: operator }) },
    { socketPath: socketPath(config) },
  )
}
