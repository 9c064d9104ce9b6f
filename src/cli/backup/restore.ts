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
import { exists, sync } from './files.ts'

type Restored = Manifest & { readonly counts: Readonly<Record<'projects' | 'jobs' | 'keys' | 'pageViews', number>> }

export async function restore(config: Config, file: string): Promise<Restored> {
  if (!(await exists(file))) throw usage(`There is no file ${file}.`)
  const lock = holdDirectory(config)
  try {
    await refuseFilled(config.dataDir)
    const work = join(config.dataDir, `${leftover}${randomUUID()}`)
    await mkdir(work, { mode: 0o700 })
    try {
      const manifest = await unpackBackup(unzip(file), work)
      const unpacked = foldersOf(work)
      const counts = { ...(await countRows(unpacked.postgres)), pageViews: manifest.store?.rows ?? 0 }
      if (manifest.store) {
        const thawed = join(work, 'clickhouse')
        await thawStore(unpacked.store, thawed, manifest.store)
        await rename(thawed, join(config.dataDir, 'clickhouse'))
      }
      // Last: when a restore is killed before this, no service starts on half of the data.
      await rename(unpacked.postgres, join(config.dataDir, 'postgres'))
      await sync(config.dataDir)
      return { ...manifest, counts }
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

/** Removes what a killed restore left. The key of the backup may be in its place already. */
async function refuseFilled(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(leftover)) await rm(join(dataDir, name), { recursive: true, force: true })
    else if (!name.startsWith('lock.db') && name !== keyFileName)
      throw new Failure('invalid_input', `${dataDir} is not empty: it has ${name}.`)
  }
}

async function countRows(directory: string): Promise<Omit<Restored['counts'], 'pageViews'>> {
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
