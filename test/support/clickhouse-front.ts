// A front: a process that serves chDB like a ClickHouse server. It is a separate process because a process can open only
// one chDB directory. All test files of a process share one front, and each service has its own database.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Socket } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const shared: { front?: Promise<string>; databases: number } = { databases: 0 }

/** Creates a database and returns its address for `CLICKHOUSE_URL`. */
export async function frontDatabase(): Promise<string> {
  const address = await (shared.front ??= startFront())
  shared.databases += 1
  const name = `test_${shared.databases}`
  const made = await fetch(address, { method: 'POST', body: `CREATE DATABASE ${name}` })
  if (!made.ok) throw new Error(await made.text())
  return `${address}/${name}`
}

/** The front ends with this process, because that closes its standard input. It does not keep this process alive. */
async function startFront(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-test-front-'))
  const script = fileURLToPath(new URL('clickhouse-front-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  process.once('exit', () => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const lines = createInterface(child.stdout)
  const first = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => undefined)])
  if (first === undefined) throw new Error('the front ended before it listened')
  lines.close()
  child.unref()
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as Socket).unref()
  return `http://127.0.0.1:${String(first[0])}`
}
