// Starts, arms, stops, continues and kills one process of the service.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../src/config/environment.ts'
import type { RunPoint } from '../../src/jobs/run/context.ts'
import { createId } from '../../src/lib/id.ts'
import { bundledService } from './bundle.ts'

export type ToService = { readonly stopAtPoint: number } | { readonly resume: true }
export type FromService =
  | { readonly kind: 'ready'; readonly address: string }
  | { readonly kind: 'armed' }
  | { readonly kind: 'reached'; readonly point: RunPoint }
  | { readonly kind: 'stopped'; readonly point: RunPoint }

export interface CrashingService {
  readonly address: string
  /** Holds the leases of its runs. */
  readonly workerId: string
  /** All points reached since it was armed. */
  readonly points: readonly RunPoint[]
  /** Every run that it claims from now on stops at its n-th point and waits; default: no run stops. */
  arm(point?: number): Promise<void>
  /** Lets the runs that stopped continue. */
  resume(): void
  kill(): Promise<void>
  terminate(): Promise<number | null>
  /** SIGSTOP and SIGCONT: the process knows nothing of the time between. */
  freeze(): void
  thaw(): void
}

export type Stop = { readonly point: RunPoint; readonly process: CrashingService }

/** The stops of one or more processes, in order. */
export class Stops {
  #stops: Stop[] = []
  #takers: ((stop: Stop) => void)[] = []

  add(stop: Stop): void {
    const take = this.#takers.shift()
    if (take) take(stop)
    else this.#stops.push(stop)
  }

  /** Gives each stop once. */
  next(): Promise<Stop> {
    const stop = this.#stops.shift()
    return stop ? Promise.resolve(stop) : new Promise((resolve) => void this.#takers.push(resolve))
  }

  /** It is dead. */
  forget(process: CrashingService): void {
    this.#stops = this.#stops.filter((stop) => stop.process !== process)
  }
}

/** The cache of compiled code, as in `bin/docent.cjs`. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/docent', import.meta.url))

/** Resolves when the service listens; rejects when it ended before. */
export async function startProcess(environment: Environment, stops = new Stops()): Promise<CrashingService> {
  const workerId = createId('wrk')
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cache, WORKER_ID: workerId, ...environment }
  const child = fork(await bundledService(), { env, execArgv: ['--liftoff-only'] })
  const points: RunPoint[] = []
  const ready = Promise.withResolvers<string>()
  let armed = Promise.withResolvers<void>()
  child.once('exit', (code, signal) => ready.reject(new Error(`the service ended: ${code ?? signal}`)))
  child.on('message', (message: FromService) => {
    if (message.kind === 'ready') ready.resolve(message.address)
    if (message.kind === 'reached') points.push(message.point)
    if (message.kind === 'stopped') stops.add({ point: message.point, process: service })
    if (message.kind === 'armed') {
      points.length = 0
      armed.resolve()
    }
  })
  const service = {
    address: '',
    workerId,
    points,
    arm: (point = Number.MAX_SAFE_INTEGER) => {
      armed = Promise.withResolvers<void>()
      child.send({ stopAtPoint: point } satisfies ToService)
      return armed.promise
    },
    resume: () => void child.send({ resume: true } satisfies ToService),
    kill: () => end(child, 'SIGKILL').then(() => undefined),
    terminate: () => end(child, 'SIGTERM'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  }
  service.address = await ready.promise
  return service
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
  return child.exitCode
}
