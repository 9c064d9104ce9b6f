// The processes of a service under faults: one that does everything on its data directory, or, on a PostgreSQL server,
// two servers and two workers. A test kills what works on the run; the cluster starts another in its place.

import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Environment } from '../../src/config/environment.ts'
import { freeLostRuns } from '../../src/jobs/queue/claims.ts'
import { runsChannel } from '../../src/jobs/queue/runs.ts'
import type { RunPoint } from '../../src/jobs/run/context.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { notify } from '../../src/postgres/notify.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import type { Db } from '../../src/postgres/types.ts'
import { DatabaseAway } from '../../src/postgres/unavailable.ts'
import { engine } from '../support/engine.ts'
import { type CrashingService, startProcess, type Stop, Stops } from './crashing-service.ts'

type Replacing = {
  /** Default: the process whose stop was taken last, else one that reached a point since it was armed. */
  readonly victim?: CrashingService
  /** Where the runs stop that are claimed from now on; default: nowhere. */
  readonly stopAtPoint?: number
}

export interface Cluster {
  /** Where requests go, in turn. */
  readonly addresses: readonly string[]
  /** The points that processes reached since they were armed. */
  readonly points: readonly RunPoint[]
  /** Every run that is claimed from now on stops at its n-th point; default: no run stops. */
  arm(point?: number): Promise<void>
  /** The next stop; each is given once. */
  stopped(): Promise<Stop>
  /** Kills a process, lets the leases of its runs end, and starts another. */
  replace(how?: Replacing): Promise<void>
  /** The same with SIGTERM, which hands the runs back; gives the exit code. */
  terminate(how?: Replacing): Promise<number | null>
  /** As if the process had not renewed its leases for their time: its runs are free. */
  endLeases(holder: CrashingService): Promise<void>
  /** The default victim. */
  worker(): CrashingService
  /** The environment of a running process. */
  readonly environment: Environment
  close(): Promise<void>
}

/** Longer than a busy machine keeps a process from renewing: no lease ends unless a test ends it. */
const leaseSeconds = '60'
const leaseOf = (environment: Environment) => environment['DOCENT_LEASE_SECONDS'] ?? leaseSeconds

export async function startCluster(environment: Environment): Promise<Cluster> {
  return engine === 'cluster' ? startMany(environment) : startOne(environment)
}

/** The next process frees the runs of the one before when it starts. */
async function startOne(environment: Environment): Promise<Cluster> {
  const stops = new Stops()
  const start = (stopAtPoint?: number) => startProcess({ ...environment, ...stopAt(stopAtPoint) }, stops)
  let service = await start()
  const end = async <T>(ending: Promise<T>, { stopAtPoint }: Replacing): Promise<T> => {
    const result = await ending
    stops.forget(service)
    service = await start(stopAtPoint)
    return result
  }
  return {
    get addresses() {
      return [service.address]
    },
    get points() {
      return service.points
    },
    environment,
    worker: () => service,
    arm: (point) => service.arm(point),
    stopped: () => stops.next(),
    replace: (how = {}) => end(service.kill(), how),
    terminate: (how = {}) => end(service.terminate(), how),
    endLeases: () => Promise.resolve(),
    close: () => service.kill(),
  }
}

async function startMany(environment: Environment): Promise<Cluster> {
  const own = createEnvironments(environment)
  const first = own('server')
  const servers = [await startProcess(first)]
  const publicUrl = { DOCENT_PUBLIC_URL: servers[0]?.address }
  servers.push(await startProcess({ ...own('server'), ...publicUrl }))
  const stops = new Stops()
  const start = (stopAtPoint?: number) =>
    startProcess({ ...own('worker'), ...publicUrl, ...stopAt(stopAtPoint) }, stops)
  const workers = await Promise.all([start(), start()])
  const url = environment['DATABASE_URL'] ?? ''
  const database = await openPostgres({ kind: 'server', url, connections: 1, log: createLog('silent') })
  const freeRunsOf = (holder: CrashingService) => endLeases(database.db, holder, Number(leaseOf(environment)))
  let lastStopped: CrashingService | undefined
  const worker = () => {
    const chosen = lastStopped ?? workers.find((one) => one.points.length > 0) ?? workers[0]
    if (!chosen) throw new Error('there is no worker')
    return chosen
  }
  /** The others are armed first: they may claim its runs as soon as it is gone. */
  const end = async <T>(ending: (victim: CrashingService) => Promise<T>, how: Replacing): Promise<T> => {
    const { victim = worker(), stopAtPoint } = how
    await Promise.all(workers.filter((one) => one !== victim).map((one) => one.arm(stopAtPoint)))
    const result = await ending(victim)
    stops.forget(victim)
    if (lastStopped === victim) lastStopped = undefined
    await freeRunsOf(victim)
    workers[workers.indexOf(victim)] = await start(stopAtPoint)
    return result
  }
  return {
    addresses: servers.map((server) => server.address),
    get points() {
      return workers.flatMap((one) => one.points)
    },
    environment: first,
    worker,
    arm: async (point) => {
      await Promise.all(workers.map((one) => one.arm(point)))
    },
    stopped: async () => {
      const stop = await stops.next()
      lastStopped = stop.process
      return stop
    },
    replace: (how = {}) => end((victim) => victim.kill(), how),
    terminate: (how = {}) => end((victim) => victim.terminate(), how),
    endLeases: freeRunsOf,
    close: async () => {
      await Promise.all([...servers, ...workers].map((one) => one.kill()))
      await database.close()
    },
  }
}

function stopAt(point: number | undefined): Environment {
  return { STOP_AT_POINT: point ? String(point) : '' }
}

/** Each process has a data directory of its own. */
function createEnvironments(environment: Environment): (role: string) => Environment {
  let made = 0
  return (role) => {
    made += 1
    const dataDir = `${environment['DOCENT_DATA_DIR']}-${made}`
    return { ...environment, ROLE: role, DOCENT_DATA_DIR: dataDir, DOCENT_LEASE_SECONDS: leaseOf(environment) }
  }
}

/** Ends leases as a sweep does when their time is over, and wakes the workers. */
async function endLeases(db: Db, { workerId }: CrashingService, seconds: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await db
        .updateTable('runs')
        .set({ lease_until: sql<Date>`lease_until - make_interval(secs => ${seconds})` })
        .where('owner', '=', workerId)
        .where('state', '=', 'running')
        .execute()
      await freeLostRuns(db)
      return await notify(db, runsChannel)
    } catch (error) {
      if (!(error instanceof DatabaseAway) || tries > 100) throw error
      await delay(200)
    }
  }
}
