// A new embedded database: the template is what the engine creates, and a start that was killed is completed by the next.

import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { createBrotliDecompress } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { readTar } from '../lib/tar.ts'
import { removeFolder, temporaryFolder } from '../../test/support/temporary.ts'
import { openEmbedded } from './embedded.ts'
import { isDatabase, templateFile, unpackTemplate } from './template.ts'

/** They hold times and a random id. */
const differing = /^(?:global\/pg_control|pg_wal\/\d{24})$/

async function folderFor(t: TestContext): Promise<string> {
  const folder = await temporaryFolder('template')
  t.after(() => removeFolder(folder))
  return folder
}

async function listEntries(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .map((entry) => `${join(entry.parentPath, entry.name).slice(folder.length + 1)}${entry.isFile() ? '' : '/'}`)
    .toSorted()
}

test('the template is what the engine creates: else run make-template', async (t) => {
  const folder = await folderFor(t)
  const created = join(folder, 'created')
  const engine = new PGlite(created)
  await engine.waitReady
  await engine.close()
  const unpacked = join(folder, 'unpacked')
  await unpackTemplate(unpacked)
  const entries = await listEntries(created)
  assert.deepEqual(await listEntries(unpacked), entries)
  const files = entries.filter((entry) => !entry.endsWith('/') && !differing.test(entry))
  assert.ok(files.length > 900)
  for (const file of files) {
    assert.ok((await readFile(join(created, file))).equals(await readFile(join(unpacked, file))), file)
  }
  // The versions of the control file and of the catalogue, as after it the engine refuses a folder.
  const versionsOf = async (path: string) => (await readFile(join(path, 'global/pg_control'))).subarray(8, 16)
  assert.deepEqual(await versionsOf(unpacked), await versionsOf(created))
})

test('a start that was killed while it unpacked is completed by the next', async (t) => {
  const folder = await folderFor(t)
  for (const kept of [0, 1, 500]) {
    const directory = join(folder, `killed-${kept}`)
    await unpackFirst(`${directory}.new`, kept)
    assert.equal(isDatabase(directory), false)
    assert.equal(await countTables(directory), 0)
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.new')),
      [],
    )
  }
})

test('an empty folder, and one that is no whole database, becomes one', async (t) => {
  const folder = await folderFor(t)
  const empty = join(folder, 'empty')
  await mkdir(empty)
  assert.equal(await countTables(empty), 0)
  const partial = join(folder, 'partial')
  await unpackFirst(partial, 300)
  assert.equal(await countTables(partial), 0)
})

/** Writes what a killed start has written. The last file is cut off. */
async function unpackFirst(into: string, files: number): Promise<void> {
  await mkdir(into)
  const archive = readTar(Readable.from(createReadStream(templateFile).pipe(createBrotliDecompress())))
  let left = files + 1
  for await (const { name, content } of archive) {
    const bytes = await buffer(content)
    if (name === 'folders') for (const one of bytes.toString().split('\n')) await mkdir(join(into, one))
    else if (name !== 'PG_VERSION') await writeFile(join(into, name), left > 1 ? bytes : bytes.subarray(0, 10))
    left -= 1
    if (left === 0) return
  }
}

async function countTables(directory: string): Promise<number> {
  const postgres = await openEmbedded(directory)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_user_tables`.execute(
    postgres.db,
  )
  await postgres.close()
  return rows[0]?.count ?? -1
}
