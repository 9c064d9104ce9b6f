// Opens archives of releases: unpacks them, asks a service for the recorded figures, and lets it count the windows again.

import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { holds, unpackArchive } from '../support/data-directory.ts'
import { serverSettings } from '../support/engine.ts'
import { countAgain, type Recorded } from './figures.ts'

/** The versions of which there is an archive. */
export const versions = globSync(fileURLToPath(new URL('*.tar.zst', import.meta.url))).map((path) =>
  basename(path, '.tar.zst'),
)

export type Archive = {
  readonly dataDir: string
  /** A dump of the same database, in SQL. */
  readonly dump: string
  readonly recorded: Recorded
}

export async function openArchive(version: string, folder: string): Promise<Archive> {
  const into = join(folder, version)
  await mkdir(into)
  await unpackArchive(fileURLToPath(new URL(`${version}.tar.zst`, import.meta.url)), into)
  const recorded = JSON.parse(await readFile(join(into, 'expected.json'), 'utf8')) as Recorded
  return { dataDir: join(into, 'data'), dump: join(into, 'postgres.sql'), recorded }
}

/** The settings under which an archive is made and opened. The clock is that of its end, at any date. */
export function settingsFor(madeAt: string): Readonly<Record<string, string>> {
  const { DOCENT_SECRET_KEY } = serverSettings('')
  return { DOCENT_SECRET_KEY, TEST_CLOCK: madeAt }
}

/** All that was recorded, from a service on the data. */
export async function assertRecorded(address: string, { key, figures, windows }: Recorded): Promise<void> {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const response = await fetch(`${address}${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
    const text = await response.text()
    assert.equal(response.status, 200, `${method} ${path}: ${text}`)
    return JSON.parse(text) as T
  }
  for (const [path, then] of Object.entries(figures)) assert.deepEqual(holds(await call('GET', path), then), then, path)
  const projectIds = [...new Set(windows.map(({ projectId }) => projectId))]
  const now = await countAgain(call, projectIds)
  // A service that runs for a minute seals an open window itself.
  const results = now.map((one, at) => ({ ...one, result: windows[at]?.result === 'new' ? 'new' : one.result }))
  assert.deepEqual(results, windows)
  assert.ok(now.every(({ result }) => result === 'equal' || result === 'new'))
}
