// Runs the test files that the patterns name: node test/run.ts 'src/**/*.test.ts' 'test/e2e/*.test.ts'. Each pattern has
// a process, and as many run at the same time as there are cores, or TEST_PROCESSES; the output of each is printed when it
// ends, failures last. In a process every file is a suite: Node's own runner would run the `before` hooks of all files
// first.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { describe } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The longest that one file may take. */
const timeout = 600_000

const insideGroup = 'TEST_GROUP'

const processes = Number(process.env['TEST_PROCESSES']) || availableParallelism()

async function main(patterns: readonly string[]): Promise<void> {
  const [pattern, ...others] = patterns
  if (pattern === undefined) throw new Error('Name the test files: node test/run.ts PATTERN…')
  if (process.env[insideGroup] === undefined) buildDashboard()
  if (others.length > 0) return runEach(patterns)
  await import('./support/moved-clock.ts')
  await import('./support/leaks.ts')
  await import('./support/at-end.ts')
  const files = globSync(pattern).toSorted()
  if (files.length === 0) throw new Error(`There is no test file at ${pattern}.`)
  for (const file of files) {
    describe(file, { timeout }, async () => {
      await import(pathToFileURL(resolve(file)).href)
    })
  }
}

/** Once, before many processes start the service at the same time. Costs 0.2 s when the build is fresh. */
function buildDashboard(): void {
  const script = fileURLToPath(new URL('../dashboard/build/build.ts', import.meta.url))
  execFileSync(process.execPath, [script], { stdio: 'inherit' })
}

/** Prints what failed last. */
async function runEach(patterns: readonly string[]): Promise<void> {
  const waiting = [...patterns]
  const failed: Ended[] = []
  const work = async () => {
    for (let pattern = waiting.shift(); pattern !== undefined; pattern = waiting.shift()) {
      const ended = await runOne(pattern)
      if (ended.code === 0) print(ended)
      else failed.push(ended)
    }
  }
  await Promise.all(Array.from({ length: processes }, work))
  failed.forEach(print)
  console.log(`\n${patterns.length - failed.length} of ${patterns.length} groups of tests passed.`)
  if (failed.length > 0) process.exitCode = 1
}

type Ended = { readonly pattern: string; readonly code: number | null; readonly output: Buffer }

async function runOne(pattern: string): Promise<Ended> {
  console.log(`… ${pattern}`)
  const options = [...process.execArgv, fileURLToPath(import.meta.url), pattern]
  const env = { ...process.env, [insideGroup]: 'true' }
  const child = spawn(process.execPath, options, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { pattern, code, output: Buffer.concat(output) }
}

function print({ pattern, code, output }: Ended): void {
  console.log(`\n${code === 0 ? '✔' : '✖'} ${pattern}`)
  process.stdout.write(output)
}

await main(process.argv.slice(2))
