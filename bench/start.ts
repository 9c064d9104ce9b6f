// Measures the start of a command: CPU time (user and system) beyond that of bare Node, with an empty and with a filled
// compile cache. A tiny server refuses the commands that need a service. Run it with `node bench/start.ts`.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bare, launcher, openStartMeter } from '../test/support/cpu-time.ts'

const runs = Number(process.argv[2] ?? 10)
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
const meter = await openStartMeter(folder)
const filledCache = () => join(folder, 'filled')
const { median: node } = await meter.measure(bare, runs, filledCache)
console.log(`bare node: ${node.toFixed(0)} ms of CPU, median of ${runs} runs; beyond it:`)
for (const [at, command] of commands.entries()) {
  const { median: empty } = await meter.measure([launcher, ...command], runs, (run) =>
    join(folder, `empty-${at}-${run}`),
  )
  await meter.measure([launcher, ...command], 1, filledCache)
  const { median: filled } = await meter.measure([launcher, ...command], runs, filledCache)
  const beyond = (ms: number) => `${(ms - node).toFixed(0)} ms`.padStart(7)
  console.log(`docent ${command.join(' ').padEnd(18)} empty cache ${beyond(empty)}, filled cache ${beyond(filled)}`)
}
meter.close()
await rm(folder, { recursive: true, force: true })
