// Memory of the processes of a service: resident memory at rest after the start, the most until then, and after a hundred jobs on
// the example site, embedded and on PostgreSQL. Linux only: it reads /proc.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../src/config/environment.ts'
import { createRepository } from '../test/support/repository.ts'
import { createClient } from '../test/support/service.ts'
import { serverSettings } from '../test/support/engine.ts'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'

const jobs = 100
const launcher = fileURLToPath(new URL('../bin/docent.cjs', import.meta.url))
const site = fileURLToPath(new URL('../examples/docs', import.meta.url))

type Started = { readonly name: string; readonly child: ChildProcess; readonly line: string }

const postgres = await startPostgresServer()
await measure('first start', {}, [['serve', 'serve']])
await measure('later start', {}, [['serve', 'serve']], true)
const url = await postgres.createDatabase()
await measure('PostgreSQL', serverSettings(url), [
  ['server', 'serve --no-worker'],
  ['worker', 'worker'],
])
await postgres.close()

type Commands = readonly (readonly [name: string, command: string])[]

async function measure(engine: string, settings: Environment, commands: Commands, isLater = false): Promise<void> {
  const folder = await temporaryFolder('memory')
  const repository = createRepository(folder, site)
  const environment = (name: string): Environment => ({
    PATH: process.env['PATH'],
    DOCENT_DATA_DIR: join(folder, name),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true',
    DOCENT_CREATES_PER_HOUR: '10000',
    ...settings,
  })
  const started: Started[] = []
  if (isLater) for (const [name, command] of commands) await stop(await start(name, command, environment(name)))
  for (const [name, command] of commands) started.push(await start(name, command, environment(name)))
  await delay(5_000)
  const atRest = await Promise.all(started.map((one) => megabytes(one, 'VmRSS')))
  const most = await Promise.all(started.map((one) => megabytes(one, 'VmHWM')))
  const address = /http:\S+/.exec(started[0]?.line ?? '')?.[0] ?? ''
  const client = await createClient(environment(commands[0]?.[0] ?? ''), [address], repository)
  for (let n = 0; n < jobs; n += 1) {
    const job = await client.create(`Rename "Acme CLI" to "Acme ${n}"`)
    const ended = await client.ended(job.id)
    if (ended.status !== 'completed') throw new Error(JSON.stringify(ended.error))
  }
  await delay(5_000)
  const after = await Promise.all(started.map((one) => megabytes(one, 'VmRSS')))
  for (const [n, { name }] of started.entries()) {
    const words = `at most ${most[n]} MB, at rest ${atRest[n]} MB, after ${jobs} jobs ${after[n]} MB`
    console.log(`${engine.padEnd(12)} ${name.padEnd(8)} ${words}`)
  }
  for (const one of started) await stop(one)
  await removeFolder(folder)
}

async function start(name: string, command: string, env: Environment): Promise<Started> {
  const child = spawn(process.execPath, [launcher, ...command.split(' ')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { name, child, line: line.toString() }
}

async function stop({ child }: Started): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function megabytes({ child }: Started, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024)
}
