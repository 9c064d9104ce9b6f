// Runs the test files that the patterns name: node test/run.ts 'src/**/*.test.ts' 'test/e2e/*.test.ts'. Each pattern is a
// group; with `--even`, all files make groups that take as long as each other by the recorded durations, in the order of
// their paths. Each group has a process, and as many run at the same time as there are cores, or TEST_PROCESSES; the output
// of each is printed when it ends, failures last. In a process every file is a suite: Node's own runner would run the
// `before` hooks of all files first. TEST_RECORD=1 writes the durations of `--even` again.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { describe } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The longest that one file may take. */
const timeout = 600_000

const insideGroup = 'TEST_GROUP'

/** Milliseconds by file. */
const recorded = fileURLToPath(new URL('./durations.json', import.meta.url))
const evenGroups = 8

const processes = Number(process.env['TEST_PROCESSES']) || availableParallelism()

async function main(args: readonly string[]): Promise<void> {
  const patterns = args.filter((arg) => !arg.startsWith('--'))
  const isInside = process.env[insideGroup] !== undefined
  if (patterns.length === 0) throw new Error('Name the test files: node test/run.ts PATTERN…')
  if (!isInside) buildDashboard()
  if (args.includes('--even')) return runEach(evenly(filesOf(patterns)), process.env['TEST_RECORD'] !== undefined)
  if (patterns.length > 1 && !isInside)
    return runEach(
      patterns.map((pattern) => ({ name: pattern, patterns: [pattern] })),
      false,
    )
  await import('./support/moved-clock.ts')
  await import('./support/leaks.ts')
  await import('./support/at-end.ts')
  for (const file of filesOf(patterns)) {
    describe(file, { timeout }, async () => {
      await import(pathToFileURL(resolve(file)).href)
    })
  }
}

function filesOf(patterns: readonly string[]): string[] {
  return patterns
    .flatMap((pattern) => {
      const files = globSync(pattern)
      if (files.length === 0) throw new Error(`There is no test file at ${pattern}.`)
      return files
    })
    .toSorted()
}

/** A file without a duration counts as the median. */
function evenly(files: readonly string[]): Group[] {
  const durations = JSON.parse(readFileSync(recorded, 'utf8')) as Readonly<Record<string, number>>
  const known = Object.values(durations).toSorted((a, b) => a - b)
  const costs = files.map((file) => durations[file] ?? known[Math.floor(known.length / 2)] ?? 1)
  const total = costs.reduce((sum, cost) => sum + cost, 0)
  let end = 0
  const groups = Map.groupBy(files, (_, at) => {
    const cost = costs[at] ?? 0
    end += cost
    return Math.floor(((end - cost / 2) / total) * evenGroups)
  })
  return [...groups.values()].map((patterns) => ({ name: `${patterns[0]} … ${patterns.at(-1)}`, patterns }))
}

/** Once, before many processes start the service at the same time. Costs 0.2 s when the build is fresh. */
function buildDashboard(): void {
  const script = fileURLToPath(new URL('../dashboard/build/build.ts', import.meta.url))
  execFileSync(process.execPath, [script], { stdio: 'inherit' })
}

type Group = { readonly name: string; readonly patterns: readonly string[] }

/** Prints what failed last. */
async function runEach(groups: readonly Group[], isRecorded: boolean): Promise<void> {
  const waiting = [...groups]
  const failed: Ended[] = []
  const durations: Record<string, number> = {}
  const work = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const ended = await runOne(group)
      const suites = String(ended.output).matchAll(/^[✔✖] (\S+\.test\.tsx?) \((\d+)[\d.]*ms\)$/gm)
      for (const [, file = '', time] of suites) durations[file] = Number(time)
      if (ended.code === 0) print(ended)
      else failed.push(ended)
    }
  }
  await Promise.all(Array.from({ length: processes }, work))
  failed.forEach(print)
  console.log(`\n${groups.length - failed.length} of ${groups.length} groups of tests passed.`)
  if (failed.length > 0) process.exitCode = 1
  const sorted = Object.entries(durations).toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (isRecorded) writeFileSync(recorded, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}

type Ended = { readonly name: string; readonly code: number | null; readonly output: Buffer }

async function runOne({ name, patterns }: Group): Promise<Ended> {
  console.log(`… ${name}`)
  const options = [...process.execArgv, fileURLToPath(import.meta.url), ...patterns]
  const env = { ...process.env, [insideGroup]: 'true' }
  const child = spawn(process.execPath, options, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { name, code, output: Buffer.concat(output) }
}

function print({ name, code, output }: Ended): void {
  console.log(`\n${code === 0 ? '✔' : '✖'} ${name}`)
  process.stdout.write(output)
}

await main(process.argv.slice(2))
