// Restores a backup into an empty data directory. Unpacks and checks it in a folder beside its place, then moves it
// there by a rename.

import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { thawStore } from '../../clickhouse/freeze.ts'
import type { Config } from '../../config/config.ts'
import { Failure } from '../../lib/failure.ts'
import { openEmbedded } from '../../postgres/embedded.ts'
import { keyFileName } from '../../secrets/key-file.ts'
import { foldersOf, type Manifest, unpackBackup } from '../../service/backup.ts'
import { holdDirectory } from '../../service/data-directory.ts'
import { usage } from '../exit.ts'
import { syncFolder } from '../../lib/folder.ts'
import { exists } from './files.ts'

type DatabaseCounts = Readonly<Record<'projects' | 'jobs' | 'keys', number>>
type Restored = Manifest & {
  readonly counts: Partial<DatabaseCounts> & { readonly pageViews: number }
  /** Undefined: the backup holds page views only. */
  readonly database: DatabaseCounts | undefined
}

export async function restore(config: Config, file: string): Promise<Restored> {
  if (!(await exists(file))) throw usage(`There is no file ${file}.`)
  const lock = holdDirectory(config)
  try {
    await refuseFilled(config)
    const work = join(config.dataDir, `${leftover}${randomUUID()}`)
    await mkdir(work, { mode: 0o700 })
    try {
      const manifest = await unpackBackup(unzip(file), work, (found) => refuseOther(found, config))
      const unpacked = foldersOf(work)
      const database = manifest.holds === 'all' ? await countRows(unpacked.postgres) : undefined
      const counts = { ...database, pageViews: manifest.store?.rows ?? 0 }
      if (manifest.store) {
        const thawed = join(work, 'clickhouse')
        await thawStore(unpacked.store, thawed, manifest.store)
        await rename(thawed, join(config.dataDir, 'clickhouse'))
      }
      // Last: when a restore is killed before this, no service starts on half of the data.
      if (database) await rename(unpacked.postgres, join(config.dataDir, 'postgres'))
      await syncFolder(config.dataDir)
      return { ...manifest, counts, database }
    } finally {
      await rm(work, { recursive: true, force: true })
    }
  } finally {
    lock.release()
  }
}

function unzip(file: string): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip()
  const reading = createReadStream(file)
  reading.on('error', (error) => gunzip.destroy(error))
  return Readable.from(reading.pipe(gunzip))
}

const leftover = '.restoring-'

/** The backup and the settings must mean the same kind of database; otherwise, page views would have no projects. */
function refuseOther({ holds }: Manifest, { database }: Config): void {
  if (holds === 'page_views' && database.url === undefined) {
    throw usage('The backup holds page views only: set DATABASE_URL to the PostgreSQL database that they belong to.')
  }
  if (holds === 'all' && database.url !== undefined) {
    throw usage('The backup holds an embedded database: restore it without DATABASE_URL.')
  }
}

/**
 * Removes what a killed restore left. The key of the backup may be in its place already, and with a database server only
 * page views are in the way.
 */
async function refuseFilled({ dataDir, database }: Config): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const isExpected = name.startsWith('lock.db') || name === keyFileName
    const isInTheWay = database.url === undefined ? !isExpected : name === 'clickhouse'
    if (name.startsWith(leftover)) await rm(join(dataDir, name), { recursive: true, force: true })
    else if (isInTheWay) throw new Failure('invalid_input', `${dataDir} is not empty: it has ${name}.`)
  }
}

async function countRows(directory: string): Promise<DatabaseCounts> {
  const postgres = await openEmbedded(directory)
  const { db } = postgres
  try {
    const count = async (table: 'projects' | 'jobs' | 'keys') => {
      const row = await db.selectFrom(table).select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      return row.count
    }
    return { projects: await count('projects'), jobs: await count('jobs'), keys: await count('keys') }
  } finally {
    await postgres.close()
  }
}
