// Starts, arms, stops, continues and kills one process of the service.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../src/config/environment.ts'
import type { RunPoint } from '../../src/jobs/run/context.ts'

export type ToService = { readonly stopAtPoint: number } | { readonly resume: true }
export type FromService =
  | { readonly kind: 'ready'; readonly address: string }
  | { readonly kind: 'armed' }
  | { readonly kind: 'reached'; readonly point: RunPoint }
  | { readonly kind: 'stopped'; readonly point: RunPoint }

export interface CrashingService {
  readonly address: string
  /** All points reached since it was armed. */
  readonly points: readonly RunPoint[]
  /** The n-th point from now on is where it stops and waits; runs that stopped before go on waiting. */
  arm(point: number): Promise<void>
  /** Lets the run go on from where it stopped. */
  resume(): void
  /** Resolves when it stopped at the point that it was armed for last. */
  stopped(): Promise<RunPoint>
  kill(): Promise<void>
  terminate(): Promise<number | null>
  /** SIGSTOP and SIGCONT: the process knows nothing of the time between. */
  freeze(): void
  thaw(): void
}

const script = fileURLToPath(new URL('service-process.ts', import.meta.url))
/** Of compiled code, as `main.ts` has it. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/docent', import.meta.url))

/** Resolves when the service listens; rejects when it ended before. */
export async function startProcess(environment: Environment): Promise<CrashingService> {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cache, ...environment }
  const child = fork(script, { env, execArgv: ['--liftoff-only'] })
  const points: RunPoint[] = []
  const ready = Promise.withResolvers<string>()
  let stopped = Promise.withResolvers<RunPoint>()
  let armed = Promise.withResolvers<void>()
  child.on('message', (message: FromService) => {
    if (message.kind === 'ready') ready.resolve(message.address)
    if (message.kind === 'armed') armed.resolve()
    if (message.kind === 'reached') points.push(message.point)
    if (message.kind === 'stopped') stopped.resolve(message.point)
  })
  child.once('exit', (code, signal) => ready.reject(new Error(`the service ended: ${code ?? signal}`)))
  const address = await ready.promise
  return {
    address,
    points,
    arm: (point) => {
      points.length = 0
      armed = Promise.withResolvers<void>()
      stopped = Promise.withResolvers<RunPoint>()
      child.send({ stopAtPoint: point } satisfies ToService)
      return armed.promise
    },
    resume: () => child.send({ resume: true } satisfies ToService),
    stopped: () => stopped.promise,
    kill: () => end(child, 'SIGKILL').then(() => undefined),
    terminate: () => end(child, 'SIGTERM'),
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
  return child.exitCode
}
