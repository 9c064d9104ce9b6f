// A front: what a ClickHouse server is to a client, over chDB in a process of its own (a process has one directory of
// chDB open at most). All test files of a process share one, each service with a database of its own.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Socket } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const shared: { front?: Promise<string>; databases: number } = { databases: 0 }

/** The address of a new database, as `CLICKHOUSE_URL` has it. */
export async function frontDatabase(): Promise<string> {
  const address = await (shared.front ??= startFront())
  shared.databases += 1
  const name = `test_${shared.databases}`
  const made = await fetch(address, { method: 'POST', body: `CREATE DATABASE ${name}` })
  if (!made.ok) throw new Error(await made.text())
  return `${address}/${name}`
}

/** It ends with this process, whose end closes its standard input, and keeps nobody from ending. */
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
