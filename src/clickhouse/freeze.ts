// Takes a snapshot of an embedded store as files, and makes a store from such files. ClickHouse never changes a part
// after writing it, so a snapshot needs hard links and no copy. Nothing here reads the format of the files.

import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { Failure } from '../lib/failure.ts'
import { textList } from './literal.ts'
import { migrations } from './migrate.ts'
import { type ClickHouse, openClickHouse } from './open.ts'

export type Frozen = {
  /** The migrations that the store has, in order. */
  readonly schema: readonly string[]
  /** The number of page views. */
  readonly rows: number
}

/** The tables with data. `migrations` is not one: migrating the new store fills it. */
const tables = ['page_views', 'paths'] as const

/** Makes a folder for each table in `into`, which is on the same disk, and in that a folder for each part. */
export async function freezeStore(store: ClickHouse, directory: string, into: string): Promise<Frozen> {
  const shadow = join(directory, 'shadow')
  await rm(shadow, { recursive: true, force: true })
  try {
    const sql = '/* migrations.frozen */ SELECT DISTINCT name FROM migrations ORDER BY name'
    const schema = (await store.readWritten<{ name: string }>(sql, {})).map(({ name }) => name)
    const before = await countStored(store)
    let rows = 0
    for (const table of tables) {
      // ClickHouse escapes all other characters in the name of the folder.
      const name = randomUUID().replaceAll('-', '')
      await store.command(`ALTER TABLE ${table} FREEZE WITH NAME '${name}'`)
      const target = join(into, table)
      await mkdir(target, { recursive: true, mode: 0o700 })
      for (const part of await findParts(join(shadow, name))) {
        if (table === 'page_views') rows += await countRows(part.path)
        await rename(part.path, join(target, part.name))
      }
    }
    if (rows === 0 && before > 0) throw new Error('the frozen parts are not where they should be')
    return { schema, rows }
  } finally {
    await rm(shadow, { recursive: true, force: true })
  }
}

type Part = { readonly name: string; readonly path: string }

/** Parts such as `store/7d0/7d05b1cd-…/202611_1_1_0`; a table without rows has no folder. */
async function findParts(frozen: string): Promise<readonly Part[]> {
  let folders: readonly string[] = [join(frozen, 'store')]
  for (const _ of ['prefix', 'table', 'part']) {
    const inner = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))
    folders = folders.flatMap((folder, at) => (inner[at] ?? []).map((name) => join(folder, name)))
  }
  return folders.map((path) => ({ path, name: path.slice(path.lastIndexOf('/') + 1) }))
}

async function countRows(part: string): Promise<number> {
  return Number(await readFile(join(part, 'count.txt'), 'utf8'))
}

/**
 * Makes a store in `directory`, which must not exist, from a snapshot, and moves the files there. Throws `schema_newer`,
 * and `invalid_input` when the number of page views differs.
 */
export async function thawStore(from: string, directory: string, { schema, rows }: Frozen): Promise<void> {
  const unknown = schema.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length > 0) {
    throw new Failure(
      'schema_newer',
      'The page views of the backup come from a later release. Restore the backup with that release.',
    )
  }
  await mkdir(directory, { mode: 0o700 })
  const known = Object.fromEntries(Object.entries(migrations).filter(([name]) => schema.includes(name)))
  const store = await openClickHouse({ kind: 'embedded', directory }, { known })
  try {
    for (const table of tables) await attachParts(store, join(from, table), table)
    const found = await countStored(store)
    if (found !== rows) throw new Failure('invalid_input', `The backup has ${found} page views instead of ${rows}.`)
  } finally {
    await store.close()
  }
}

async function attachParts(store: ClickHouse, from: string, table: string): Promise<void> {
  const [place] = await store.readWritten<{ path: string }>(
    '/* tables.place */ SELECT data_paths[1] AS path FROM system.tables WHERE name = {table:String}',
    { table },
  )
  for (const part of await readdir(from)) {
    await rename(join(from, part), join(place?.path ?? '', 'detached', part))
    await store.command(`ALTER TABLE ${table} ATTACH PART ${textList([part]).slice(1, -1)}`)
  }
}

async function countStored(store: ClickHouse): Promise<number> {
  const [row] = await store.readWritten<{ rows: number }>('SELECT count() AS rows FROM page_views', {})
  return row?.rows ?? 0
}
