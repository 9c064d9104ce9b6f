// Measures the start of a command: CPU time (user and system) beyond that of bare Node, with an empty and with a filled
// compile cache. A tiny server refuses the commands that need a service. Run it with `node bench/start.ts`.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const runs = 10
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const commands = [
  ['--version'],
  ['--help'],
  ['project', 'list'],
  ['job', 'list'],
  ['job', 'show', 'job_1'],
  ['pull', 'list'],
  ['forge', 'check'],
  ['model', 'list'],
  ['analytics', 'summary'],
  ['analytics', 'export'],
]

const folder = await mkdtemp(join(tmpdir(), 'docent-start-'))
const report = join(folder, 'cpu')
const reporting = `data:text/javascript,import { writeFileSync } from 'node:fs'; process.on('exit', () => { const { user, system } = process.cpuUsage(); writeFileSync(process.env.CPU_REPORT, String(user + system)) })`
const server = createServer((_request, response) => response.writeHead(404).end('{}')).listen(0, '127.0.0.1')
await once(server, 'listening')

const environment = {
  PATH: process.env['PATH'],
  CPU_REPORT: report,
  DOCENT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  DOCENT_API_KEY: 'docent_bench',
  DOCENT_PROJECT: 'prj_00000000000000000000',
}

/** Returns the CPU milliseconds of one process. */
async function measure(args: readonly string[], cache: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const env = { ...environment, NODE_COMPILE_CACHE: cache }
  execFile(process.execPath, ['--import', reporting, ...args], { env }, () => resolve())
  await promise
  return Number(await readFile(report, 'utf8')) / 1_000
}

/** Returns the median, which a busy machine changes least. */
async function median(args: readonly string[], cacheOf: (run: number) => string): Promise<number> {
  const all: number[] = []
  for (let run = 0; run < runs; run += 1) all.push(await measure(args, cacheOf(run)))
  return all.toSorted((a, b) => a - b)[runs >> 1] ?? Number.NaN
}

const warm = join(folder, 'warm')
const bare = await median(['-e', '0'], () => warm)
console.log(`bare node: ${bare.toFixed(0)} ms of CPU, median of ${runs} runs; beyond it:`)
for (const [at, command] of commands.entries()) {
  const cold = await median([main, ...command], (run) => join(folder, `cold-${at}-${run}`))
  await measure([main, ...command], warm)
  const filled = await median([main, ...command], () => warm)
  const beyond = (ms: number) => `${(ms - bare).toFixed(0)} ms`.padStart(7)
  console.log(`docent ${command.join(' ').padEnd(18)} empty cache ${beyond(cold)}, filled cache ${beyond(filled)}`)
}
server.close()
await rm(folder, { recursive: true, force: true })
