// The processes of a service under faults: one that does everything on its data directory, or, on a PostgreSQL server,
// two servers and two workers. A test kills what works on the run; the cluster starts another in its place.

import type { Environment } from '../../src/config/environment.ts'
import type { RunPoint } from '../../src/jobs/run/context.ts'
import { onServer } from '../support/engine.ts'
import { type CrashingService, startProcess } from './crashing-service.ts'

export interface Cluster {
  /** Where requests go, in turn. */
  readonly addresses: readonly string[]
  /** Of all processes that work on runs, since they were armed. */
  readonly points: readonly RunPoint[]
  /** Whichever process reaches its n-th point first stops there; `undefined`: none does. */
  arm(point: number | undefined): Promise<void>
  /** The processes that did not stop go through. */
  disarmOthers(): Promise<void>
  /** Resolves when one stopped. */
  stopped(): Promise<RunPoint>
  /** Kills every process that stopped and starts others; they stop at their n-th point, if given. */
  replace(stopAtPoint?: number): Promise<void>
  /** The same for one process with SIGTERM; gives the exit code. */
  terminate(): Promise<number | null>
  /** The process that stopped, else the one that reached a point since it was armed. */
  worker(): CrashingService
  /** Of a process that runs. */
  readonly environment: Environment
  close(): Promise<void>
}

/** A dead worker's run is free after this many seconds. */
const leaseSeconds = '1'

export async function startCluster(environment: Environment): Promise<Cluster> {
  return onServer ? startMany(environment) : startOne(environment)
}

async function startOne(environment: Environment): Promise<Cluster> {
  let service = await startProcess(environment)
  const restart = async (stopAtPoint?: number) => {
    // The next claim must meet an armed process: it is armed before it can look for runs.
    service = await startProcess({ ...environment, STOP_AT_POINT: stopAtPoint ? String(stopAtPoint) : '' })
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
    arm: (point) => service.arm(point ?? Number.MAX_SAFE_INTEGER),
    disarmOthers: () => Promise.resolve(),
    stopped: () => service.stopped(),
    replace: async (stopAtPoint) => {
      await service.kill()
      await restart(stopAtPoint)
    },
    terminate: async () => {
      const code = await service.terminate()
      await restart()
      return code
    },
    close: () => service.kill(),
  }
}

async function startMany(environment: Environment): Promise<Cluster> {
  const own = createEnvironments(environment)
  const first = own('server')
  const servers = [await startProcess(first)]
  const publicUrl = { DOCENT_PUBLIC_URL: servers[0]?.address }
  servers.push(await startProcess({ ...own('server'), ...publicUrl }))
  const startWorker = (stopAtPoint?: number) =>
    startProcess({ ...own('worker'), ...publicUrl, STOP_AT_POINT: stopAtPoint ? String(stopAtPoint) : '' })
  const workers = await Promise.all([startWorker(), startWorker()])
  const stopped = new Set<CrashingService>()
  const worker = () => {
    const chosen = [...stopped].at(-1) ?? workers.find((one) => one.points.length > 0) ?? workers[0]
    if (!chosen) throw new Error('there is no worker')
    return chosen
  }
  const armAllExcept = async (spared: ReadonlySet<CrashingService>, point = Number.MAX_SAFE_INTEGER) => {
    for (const one of workers) if (!spared.has(one)) await one.arm(point)
  }
  const startInPlaceOf = async (victim: CrashingService, stopAtPoint?: number) => {
    workers[workers.indexOf(victim)] = await startWorker(stopAtPoint)
    stopped.delete(victim)
  }
  return {
    addresses: servers.map((server) => server.address),
    get points() {
      return workers.flatMap((one) => one.points)
    },
    environment: first,
    worker,
    arm: async (point) => {
      await Promise.all(workers.map((one) => one.arm(point ?? Number.MAX_SAFE_INTEGER)))
    },
    disarmOthers: async () => {
      await armAllExcept(stopped)
    },
    stopped: async () => {
      const { one, point } = await Promise.race(workers.map(async (one) => ({ one, point: await one.stopped() })))
      stopped.add(one)
      return point
    },
    replace: async (stopAtPoint) => {
      const victims = new Set(stopped.size > 0 ? stopped : [worker()])
      await armAllExcept(victims, stopAtPoint)
      await Promise.all([...victims].map((victim) => victim.kill()))
      await Promise.all([...victims].map((victim) => startInPlaceOf(victim, stopAtPoint)))
    },
    terminate: async () => {
      const victim = worker()
      await armAllExcept(new Set([victim]))
      const code = await victim.terminate()
      await startInPlaceOf(victim)
      return code
    },
    close: async () => {
      await Promise.all([...servers, ...workers].map((one) => one.kill()))
    },
  }
}

/** Each process has a data directory of its own. */
function createEnvironments(environment: Environment): (role: string) => Environment {
  let made = 0
  return (role) => {
    made += 1
    const dataDir = `${environment['DOCENT_DATA_DIR']}-${made}`
    return { ...environment, ROLE: role, DOCENT_DATA_DIR: dataDir, DOCENT_LEASE_SECONDS: leaseSeconds }
  }
}
