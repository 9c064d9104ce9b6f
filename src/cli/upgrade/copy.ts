// The place of a copy of the data: a folder of its own, with room for it, and another database.

import { copyFile, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { lockDirectory } from '../../lib/directory-lock.ts'
import { readDiskSpace } from '../../lib/disk-space.ts'
import { Failure } from '../../lib/failure.ts'
import { createLog } from '../../lib/observability/log.ts'
import { identifyServer } from '../../postgres/inspect.ts'
import { keyFileName } from '../../secrets/key-file.ts'
import { exists } from '../backup/files.ts'
import { usage } from '../exit.ts'

const prefix = '.rehearsal-'

/** A folder, and how to remove it. */
export type CopyPlace = { readonly folder: string; remove(): Promise<void> }

/**
 * Makes the folder. Removes those of rehearsals that were killed. Throws a usage failure if there is no room, and `data_in_use` while
 * another rehearsal is under way.
 */
export async function makePlace({ dataDir }: Config, work = dataDir): Promise<CopyPlace> {
  const parent = resolve(work)
  if (!(await exists(parent))) throw usage(`There is no folder ${parent}.`)
  for (const name of await readdir(parent)) if (name.startsWith(prefix)) await removeLeft(join(parent, name))
  const sizes = await Promise.all(['postgres', 'clickhouse'].map((name) => sizeOf(join(dataDir, name))))
  // The backup, what it unpacks to, and what opening that writes.
  const needed = 3 * sizes.reduce((sum, size) => sum + size, 0)
  const { freeBytes } = await readDiskSpace(parent)
  if (freeBytes < needed) {
    const [wants, has] = [needed, freeBytes].map((bytes) => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`)
    throw usage(`The copy needs ${wants} in ${parent}, which has ${has} free: choose another folder with --work.`)
  }
  const folder = await mkdtemp(join(parent, prefix))
  const lock = lockDirectory(folder)
  const remove = async () => {
    lock?.release()
    await rm(folder, { recursive: true, force: true })
  }
  return { folder, remove }
}

async function removeLeft(folder: string): Promise<void> {
  const lock = lockDirectory(folder)
  if (!lock) throw new Failure('data_in_use', `Another rehearsal is under way in ${folder}.`)
  lock.release()
  await rm(folder, { recursive: true, force: true })
}

async function sizeOf(folder: string): Promise<number> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  // A file of a running service may be gone.
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/**
 * The configuration of the copy, with the key of its secrets. `url`: of the copy of the database, if that is a server. Throws a usage
 * failure if it is the database of the service.
 */
export async function placeCopy(config: Config, place: string, url: string | undefined): Promise<Config> {
  const dataDir = join(place, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  const keyFile = join(config.dataDir, keyFileName)
  if (await exists(keyFile)) await copyFile(keyFile, join(dataDir, keyFileName))
  if (url === undefined) return { ...config, dataDir }
  const copy = { ...config, dataDir, database: { ...config.database, url } }
  if ((await identifyServer(serverPlace(config))) === (await identifyServer(serverPlace(copy)))) {
    throw usage('--database names the database of the service: restore a dump into another one.')
  }
  return copy
}

function serverPlace({ database: { url = '' } }: Config) {
  return { kind: 'server', url, connections: 1, log: createLog('silent') } as const
}
