// Starts and stops a service for the benchmarks that measure one from outside.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../src/config/environment.ts'

export type Started = { readonly child: ChildProcess; readonly address: string; readonly seconds: number }

const ownLauncher = fileURLToPath(new URL('../bin/docent.cjs', import.meta.url))

/** `seconds`: until its first line, which says that it is ready. Throws when it ends before. */
export async function startService(env: Environment, launcher = ownLauncher): Promise<Started> {
  const begin = performance.now()
  const child = spawn(execPath, [launcher, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${launcher} ended before it was ready.`)
  })
  ended.catch(() => undefined)
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer]
  const address = /http:\S+/.exec(line.toString())?.[0] ?? ''
  return { child, address, seconds: (performance.now() - begin) / 1_000 }
}

export async function stopService({ child }: Started): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}
