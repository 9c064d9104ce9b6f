// A disk that is full, as a small file system of its own. Needs the right to mount one; skipped without it.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createDiskWatch } from '../../src/lib/observability/disk-watch.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

test('a full disk refuses writes, keeps the data, and recovers with new space', async (t) => {
  const folder = await temporaryFolder('full')
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]).status === 0
  try {
    if (!mounted) return t.skip('no right to mount a file system')
    await fillAndFree(folder)
  } finally {
    if (mounted) spawnSync('umount', [folder])
    await removeFolder(folder)
  }
})

async function fillAndFree(folder: string): Promise<void> {
  const postgres = await openPostgres({ kind: 'embedded', directory: join(folder, 'postgres') })
  const { db } = postgres
  const add = (id: string, bytes: number) =>
    db
      .insertInto('projects')
      .values({
        id,
        name: randomText(bytes),
        repository: 'x',
        branch: null,
        created_at: new Date(),
        updated_at: new Date(),
      })
      .execute()
  const lines: string[] = []
  const note = (_: object, words: string) => void lines.push(words)
  const disk = createDiskWatch({
    folder,
    log: { error: note, info: note } as Parameters<typeof createDiskWatch>[0]['log'],
  })
  await add('before', 10)
  await assert.rejects(writeFile(join(folder, 'fill'), Buffer.alloc(128e6)))
  await assert.rejects(add('during', 4e6), { code: 'unavailable' })
  assert.deepEqual(await db.selectFrom('projects').select('id').execute(), [{ id: 'before' }])
  assert.equal((await disk.look()).state, 'nearly_full')
  await rm(join(folder, 'fill'))
  assert.equal((await disk.look()).state, 'enough')
  assert.equal(lines.length, 2)
  await add('after', 4e6)
  assert.equal((await db.selectFrom('projects').select('id').execute()).length, 2)
  await postgres.close()
  assert.ok((await readdir(folder)).includes('postgres'))
}

/** That no compression makes small. */
function randomText(bytes: number): string {
  return Array.from({ length: Math.ceil(bytes / 10) }, () => Math.random().toString(36).slice(2, 12)).join('')
}
