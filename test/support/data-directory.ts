// Data directories that earlier revisions wrote, kept as archives, and services that open them. The service is a process
// of its own, since a process opens one embedded store of page views.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createZstdDecompress } from 'node:zlib'
import type { Environment } from '../../src/config/environment.ts'

export type Row = Readonly<Record<string, unknown>>

const launcher = fileURLToPath(new URL('../../bin/docent.cjs', import.meta.url))
const movedClock = fileURLToPath(new URL('moved-clock.ts', import.meta.url))

/** Unpacks `data.tar.zst` of a fixture to `data` in `folder`. Returns the data directory. */
export async function unpackData(fixture: string, folder: string): Promise<string> {
  const dataDir = join(folder, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  await unpackArchive(join(fixture, 'data.tar.zst'), dataDir)
  return dataDir
}

/** Unpacks a `.tar.zst` into a folder. */
export async function unpackArchive(archive: string, into: string): Promise<void> {
  // Not through a pipe: tar stops reading at the end of the archive, before the last of its padding is written.
  const plain = `${into}.tar`
  await pipeline(createReadStream(archive), createZstdDecompress(), createWriteStream(plain))
  const tar = spawn('tar', ['--extract', '--file', plain, '--directory', into], { stdio: 'inherit' })
  assert.deepEqual(await once(tar, 'exit'), [0, null])
  await rm(plain)
}

export type DataService = {
  readonly address: string
  readonly setupLink: string | null
  stop(): Promise<void>
}

/** Starts a service on a data directory. `cwd`: where it runs. */
export async function serveData(dataDir: string, cwd: string, settings: Environment = {}): Promise<DataService> {
  const env = {
    PATH: process.env['PATH'],
    DOCENT_DATA_DIR: dataDir,
    DOCENT_PORT: '0',
    DOCENT_PUBLIC_URL: 'https://docent.example.com',
    DOCENT_LOG_LEVEL: 'error',
    DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true',
    // The jobs get older with every day on which this test runs.
    DOCENT_ARCHIVE_AFTER_DAYS: '36500',
    ...settings,
  }
  const child = spawn(process.execPath, ['--import', movedClock, launcher, 'serve', '--json'], {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  const ready = once(createInterface(child.stdout), 'line')
  const [line] = (await Promise.race([ready, exit.then(() => assert.fail('the service ended'))])) as [string]
  const stop = async () => {
    child.kill('SIGTERM')
    assert.deepEqual(await exit, [0, null])
  }
  const { address, setupLink } = JSON.parse(line) as Omit<DataService, 'stop'>
  return { address, setupLink, stop }
}

/** Fields may have been added since, also inside of fields; those of then have the values of then. */
export function assertHolds(now: readonly Row[], then: readonly Row[]): void {
  assert.deepEqual(holds(now, then), then)
}

/** The value of now without fields that were added since. */
export function holds(now: unknown, then: unknown): unknown {
  if (Array.isArray(now) && Array.isArray(then)) return now.map((one, at) => holds(one, then[at]))
  if (!isRow(now) || !isRow(then)) return now
  return Object.fromEntries(Object.keys(then).map((name) => [name, holds(now[name], then[name])]))
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
