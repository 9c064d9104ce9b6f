// Measures questions about one day, 30 days and a year over HTTP, at a service in a process of its own: alone, from the first
// of 500 page views of today that arrive each second on, and again while they arrive. Ten million page views are stored
// before. Run it with `node bench/tail.ts --folder FOLDER --millions 10 --rounds 300`; a folder that is full is not filled
// again, and never changes: the service has a copy.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openSocketApi } from '../src/cli/api/api.ts'
import { parseConfig } from '../src/config/config.ts'
import type { Environment } from '../src/config/environment.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { days, rangeOf } from './uniques/times.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    millions: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '300' },
    rate: { type: 'string', default: '500' },
  },
})
const batchSize = 50
const lengths = [1, 30, days]
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const folder = await temporaryFolder('bench-tail')
const filled = values.folder ?? join(folder, 'filled')
const fill = [here('large.ts'), '--folder', filled, '--millions', values.millions, '--fill']
if (!existsSync(join(filled, 'filled.txt'))) spawnSync(process.execPath, fill, { stdio: 'inherit' })
const projectId = (await readFile(join(filled, 'filled.txt'), 'utf8')).trim()
await cp(join(filled, 'data'), join(folder, 'data'), { recursive: true })
const environment: Environment = {
  PATH: process.env['PATH'],
  DOCENT_DATA_DIR: join(folder, 'data'),
  DOCENT_PORT: '0',
  DOCENT_LOG_LEVEL: 'error',
  DOCENT_EXPORTS_PER_HOUR: '100000000',
}
const options = [here('../bin/docent.cjs'), 'serve']
const service = spawn(process.execPath, options, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  await measure()
} finally {
  service.kill('SIGTERM')
  if (service.exitCode === null) await once(service, 'exit')
  await removeFolder(folder)
}

async function measure(): Promise<void> {
  const [line] = (await once(service.stdout, 'data')) as [Buffer]
  const address = /http:\S+/.exec(line.toString())?.[0] ?? ''
  const operator = openSocketApi(parseConfig(environment))
  const wanted = { name: 'bench', scope: 'write', projectIds: [projectId] }
  const { key } = JSON.parse((await operator.send('POST', '/v1/keys', wanted)).body) as { key: string }
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const url = `${address}/v1/analytics/${projectId}`
  await ask(url, headers, rangeOf(days, 0))
  for (let pass = 0; pass < 2; pass += 1) await measureAll(url, headers)
  print('alone', await measureAll(url, headers))
  const state = { isOver: false, sent: 0 }
  const sending = send(`${url}/page-views`, headers, state)
  while (state.sent === 0) await delay(1)
  print('from the first page view of today on', await measureAll(url, headers))
  print('while page views of today arrive', await measureAll(url, headers))
  state.isOver = true
  await sending
  console.log(`${state.sent} page views were sent`)
}

type Headers = Readonly<Record<string, string>>

/** The sorted times of the questions of each length, in milliseconds. */
async function measureAll(url: string, headers: Headers): Promise<readonly (readonly number[])[]> {
  const all: number[][] = []
  for (const length of lengths) {
    const times: number[] = []
    for (let round = 0; round < Number(values.rounds); round += 1) {
      const begin = performance.now()
      await ask(url, headers, rangeOf(length, round))
      times.push(performance.now() - begin)
    }
    all.push(times.toSorted((a, b) => a - b))
  }
  return all
}

function print(name: string, all: readonly (readonly number[])[]): void {
  for (const [at, times] of all.entries()) {
    const of = (share: number) => (times[Math.ceil(share * times.length) - 1] ?? Number.NaN).toFixed(1).padStart(6)
    const range = `${lengths[at]} days`.padStart(8)
    console.log(`${name.padEnd(36)} ${range}  p50 ${of(0.5)} ms  p99 ${of(0.99)} ms  at most ${of(1)} ms`)
  }
}

async function ask(url: string, headers: Headers, [from, to]: readonly [string, string]): Promise<void> {
  const answer = await fetch(`${url}/visitors?dateFrom=${from}&dateTo=${to}`, { headers })
  if (answer.status !== 200) throw new Error(await answer.text())
  await answer.arrayBuffer()
}

async function send(url: string, headers: Headers, state: { isOver: boolean; sent: number }) {
  const began = performance.now()
  for (let batch = 0; !state.isOver; batch += 1) {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(makeBatch(batch)) })
    if (answer.status !== 202) throw new Error(await answer.text())
    await answer.arrayBuffer()
    state.sent += batchSize
    await delay(Math.max(0, began + (state.sent / Number(values.rate)) * 1_000 - performance.now()))
  }
}

function makeBatch(batch: number) {
  return Array.from({ length: batchSize }, (_, at) => ({
    timestamp: Date.now(),
    path: `/guides/page-${(batch * 7 + at) % 1_000}`,
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/${120 + (at % 20)}.0.0.0 Safari/537.36`,
    address: `10.${batch % 256}.${at}.1`,
  }))
}
