// Measures `docent analytics import` of an access log into a running service, compared with a bare line splitter and,
// if installed (`apt-get install goaccess`), GoAccess on the same file. All run in turn; the results are the ratios.
// Run it with `node bench/import.ts --lines 1000000 --rounds 3`.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { createLineWriter } from '../examples/traffic/log-line.ts'
import { generateTraffic } from '../examples/traffic/traffic.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { median } from './engines.ts'

const { values } = parseArgs({
  options: { lines: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '3' } },
})
const lines = Number(values.lines)
const run = promisify(execFile)
const launcher = fileURLToPath(new URL('../bin/docent.cjs', import.meta.url))

const folder = await temporaryFolder('bench-import')
const log = join(folder, 'access.log')
await writeLog()
const size = (await stat(log)).size
console.log(`${lines} lines, ${(size / 1e6).toFixed(0)} MB, ${values.rounds} rounds`)
const environment = {
  PATH: process.env['PATH'],
  DOCENT_DATA_DIR: join(folder, 'data'),
  DOCENT_PORT: '0',
  DOCENT_LOG_LEVEL: 'error',
}
const service = await startService()
const hasGoAccess = await run('goaccess', ['--version']).then(
  () => true,
  () => false,
)
if (!hasGoAccess) console.log('GoAccess is not installed: no figures of it')

const rates: Record<string, number[]> = { 'bare line splitter': [], 'docent analytics import': [], GoAccess: [] }
for (let round = 0; round < Number(values.rounds); round += 1) {
  await measure('bare line splitter', splitLines)
  await measure('docent analytics import', await importer(round))
  if (hasGoAccess) await measure('GoAccess', goAccess)
}
report()
service.kill('SIGTERM')
await once(service, 'exit')
await removeFolder(folder)

async function writeLog(): Promise<void> {
  const until = Date.parse(new Date().toISOString().slice(0, 10))
  const toLine = createLineWriter('combined')
  function* chunks() {
    let text = ''
    for (const request of generateTraffic({ lines, seed: 1, until, days: 30 })) {
      text += `${toLine(request)}\n`
      if (text.length < 65_536) continue
      yield text
      text = ''
    }
    yield text
  }
  await pipeline(Readable.from(chunks()), createWriteStream(log))
}

async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now()
  await work()
  rates[name]?.push(lines / ((performance.now() - start) / 1_000))
}

/** Splits the file into lines and discards them. */
async function splitLines(): Promise<void> {
  let rest = ''
  let seen = 0
  let bytes = 0
  for await (const chunk of createReadStream(log, { encoding: 'latin1', highWaterMark: 262_144 })) {
    const parts = (rest + String(chunk)).split('\n')
    rest = parts.pop() ?? ''
    seen += parts.length
    for (const part of parts) bytes += part.length + 1
  }
  if (seen !== lines || bytes !== size) throw new Error(`${seen} lines of ${bytes} bytes were split`)
}

/** Creates a new project for each round, because a project does not store the same page views twice. */
async function importer(round: number): Promise<() => Promise<unknown>> {
  const options = { env: environment }
  const args = ['--name', `Round ${round}`, '--repository', 'https://example.com/r.git', '--json']
  const { stdout } = await run(process.execPath, [launcher, 'project', 'create', ...args], options)
  const { id } = JSON.parse(stdout) as { readonly id: string }
  const command = ['analytics', 'import', log, '--project', id, '--format', 'combined']
  return () => run(process.execPath, [launcher, ...command], options)
}

function goAccess(): Promise<unknown> {
  const options = ['--log-format=COMBINED', '--no-progress', '--no-global-config', '-o', join(folder, 'report.json')]
  return run('goaccess', [log, ...options], { maxBuffer: 1 << 28 })
}

async function startService(): Promise<ChildProcess> {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, [launcher, 'serve'], { env: environment, stdio: [...stdio] })
  if (child.stdout) await once(child.stdout, 'data')
  return child
}

function report(): void {
  const ours = rates['docent analytics import'] ?? []
  for (const [name, own] of Object.entries(rates)) {
    if (own.length === 0) continue
    const ratio = median(own.map((rate, n) => (ours[n] ?? Number.NaN) / rate))
    console.log(`${name.padEnd(24)} ${median(own).toFixed(0).padStart(9)} lines/s, import / it ${ratio.toFixed(2)}`)
  }
}
