// Runs the test files that the patterns name: node test/run.ts 'src/**/*.test.ts' 'test/e2e/*.test.ts'. Each pattern is a
// group; with `--even`, all files make groups that take as long as each other by their recorded durations, and `--record`
// records them again. Each group has a process, and as many run at the same time as there are cores, or TEST_PROCESSES; the
// output of each is printed when it ends, failures last. In a process every file is a suite: Node's own runner would run the
// `before` hooks of all files first.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type Durations, toGroups, updateDurations } from './groups.ts'
import { loadRunner } from './support/light-runner.ts'

/** The longest that one file may take, in milliseconds: ten minutes, or TEST_MINUTES. */
const timeout = (Number(process.env['TEST_MINUTES']) || 10) * 60_000

const insideGroup = 'TEST_GROUP'

const processes = Number(process.env['TEST_PROCESSES']) || availableParallelism()

/** Milliseconds by file. */
const recorded = fileURLToPath(new URL('durations.json', import.meta.url))
/**
 * Each loads the modules of its files and starts its own databases, so more take more CPU. Fewer grow to a gigabyte of memory, and
 * starting git from such a process takes up to five times as long.
 */
const evenGroups = 24

async function main(): Promise<void> {
  const { values, positionals: patterns } = parseArgs({
    allowPositionals: true,
    options: { even: { type: 'boolean' }, record: { type: 'boolean' } },
  })
  if (patterns.length === 0) throw new Error('Name the test files: node test/run.ts PATTERN…')
  if (process.env[insideGroup] !== undefined) return runFiles(patterns)
  buildDashboard()
  const files = patterns.map((pattern) => find(pattern))
  if (values.even) return runEven(files.flat(), values.record === true)
  if (patterns.length === 1) return runFiles(files.flat())
  await runEach(files.map((some, at) => ({ name: patterns[at] ?? '', files: some })))
}

function find(pattern: string): string[] {
  const files = globSync(pattern).toSorted()
  if (files.length === 0) throw new Error(`There is no test file at ${pattern}.`)
  return files
}

async function runFiles(files: readonly string[]): Promise<void> {
  const { describe } = await loadRunner()
  await import('./support/moved-clock.ts')
  await import('./support/leaks.ts')
  await import('./support/at-end.ts')
  for (const file of files) {
    describe(file, { timeout }, async () => {
      await import(pathToFileURL(resolve(file)).href)
    })
  }
}

/** Records only a run that passed: a test that fails ends too early. */
async function runEven(files: readonly string[], isRecorded: boolean): Promise<void> {
  const before = JSON.parse(readFileSync(recorded, 'utf8')) as Durations
  const groups = toGroups(files, before, evenGroups)
  const measured = await runEach(groups.map((some) => ({ name: `${some[0]} … ${some.at(-1)}`, files: some })))
  if (!isRecorded || process.exitCode === 1) return
  writeFileSync(recorded, `${JSON.stringify(updateDurations(before, measured), null, 2)}\n`)
}

/** Once, before many processes start the service at the same time. Costs 0.2 s when the build is fresh. */
function buildDashboard(): void {
  const script = fileURLToPath(new URL('../dashboard/build/build.ts', import.meta.url))
  execFileSync(process.execPath, [script], { stdio: 'inherit' })
}

type Group = { readonly name: string; readonly files: readonly string[] }

/** Prints what failed last. Returns how many milliseconds each file took. */
async function runEach(groups: readonly Group[]): Promise<ReadonlyMap<string, number>> {
  const waiting = [...groups]
  const failed: Ended[] = []
  const measured = new Map<string, number>()
  const work = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const ended = await runOne(group)
      for (const [, file = '', ms] of ended.output.matchAll(/^✔ (\S+\.test\.ts) \((.+)ms\)$/gm))
        measured.set(file, Number(ms))
      if (ended.code === 0) print(ended)
      else failed.push(ended)
    }
  }
  await Promise.all(Array.from({ length: processes }, work))
  failed.forEach(print)
  console.log(`\n${groups.length - failed.length} of ${groups.length} groups of tests passed.`)
  if (failed.length > 0) process.exitCode = 1
  return measured
}

type Ended = { readonly name: string; readonly code: number | null; readonly output: string }

async function runOne({ name, files }: Group): Promise<Ended> {
  console.log(`… ${name}`)
  const options = [...process.execArgv, fileURLToPath(import.meta.url), ...files]
  const env = { ...process.env, [insideGroup]: 'true' }
  const child = spawn(process.execPath, options, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { name, code, output: String(Buffer.concat(output)) }
}

function print({ name, code, output }: Ended): void {
  console.log(`\n${code === 0 ? '✔' : '✖'} ${name}`)
  process.stdout.write(output)
}

await main()
