// `docent backup` and `docent restore`: the embedded database and page views as one file. While a service runs on the data directory,
// the service makes the backup; otherwise this process opens the directory under its lock and migrates nothing.

import { randomUUID } from 'node:crypto'
import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Command } from 'commander'
import { type Config, parseConfig } from '../config/config.ts'
import { Failure } from '../lib/failure.ts'
import { foldersOf, type Manifest, unpackBackup } from '../service/backup.ts'
import { openEmbedded } from '../postgres/embedded.ts'
import { thawStore } from '../clickhouse/freeze.ts'
import { openLazily } from '../clickhouse/lazy.ts'
import { storePlace, streamBackup } from '../service/local-operations.ts'
import { holdDirectory, isServed, socketPath } from '../service/data-directory.ts'
import { version } from '../service/version.ts'
import { refuseAnswer } from './api.ts'
import type { CommandContext } from './context.ts'
import { usage } from './exit.ts'
import { askSocket } from './socket.ts'

type Options = { readonly json?: true }

export function addBackupCommands(program: Command, context: CommandContext): void {
  program
    .command('backup <file>')
    .description('write the embedded data to a new .tar.gz, while a service runs or not; mirrors are left out')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: Options) => {
      const config = readConfig(context, 'pg_dump')
      const bytes = await backUp(context, config, resolve(file))
      const size = `${(bytes / 1e6).toFixed(1)} MB`
      context.output.print(options.json ? JSON.stringify({ file: resolve(file), bytes }) : `Wrote ${file}, ${size}.`)
    })
  program
    .command('restore <file>')
    .description('put a backup into an empty data directory')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: Options) => {
      const config = readConfig(context, 'pg_restore')
      const { createdAt, counts } = await restore(config, resolve(file))
      const held = `${counts.projects} projects, ${counts.jobs} jobs, ${counts.keys} keys and ${counts.pageViews} page views`
      const words = `Restored ${held} as of ${createdAt} to ${config.dataDir}. Begin with \`docent serve\`.`
      context.output.print(options.json ? JSON.stringify({ dataDir: config.dataDir, createdAt, counts }) : words)
    })
}

function readConfig({ environment }: CommandContext, instead: string): Config {
  const config = parseConfig(environment)
  if (config.database.url !== undefined) {
    throw usage(`DATABASE_URL is set: use ${instead}. This command is for the embedded database.`)
  }
  if (environment['DOCENT_URL']) throw usage('DOCENT_URL is set, but a backup is of the data on this machine.')
  return config
}

/** Nothing stands under the final name before the whole backup is on the disk. Returns its size. */
async function backUp(context: CommandContext, config: Config, file: string): Promise<number> {
  if (await exists(file)) throw usage(`${file} exists already.`)
  const partial = `${file}.partial-${randomUUID()}`
  try {
    const source = await openSource(config)
    const gzip = createGzip()
    const target = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(source, (chunks) => tellProgress(context, chunks), gzip, target, { signal: context.stop })
    await rename(partial, file)
    await sync(dirname(file))
    return target.bytesWritten
  } finally {
    await rm(partial, { force: true })
  }
}

async function openSource(config: Config): Promise<AsyncIterable<Uint8Array>> {
  if (!(await isServed(config))) return readStopped(config)
  const answer = await askSocket(socketPath(config), new Request('http://docent.local/local/backup'))
  if (answer.statusCode !== 200) await refuseAnswer(answer)
  return answer
}

/** The data of no running service, as they are. */
async function* readStopped(config: Config): AsyncGenerator<Uint8Array> {
  const directory = join(config.dataDir, 'postgres')
  if (!(await exists(join(directory, 'PG_VERSION')))) throw usage(`There is no database in ${config.dataDir}.`)
  const lock = holdDirectory(config)
  try {
    const postgres = await openEmbedded(directory)
    const pageViews = openLazily(storePlace(config))
    try {
      yield* streamBackup({ config, postgres, pageViews, version })
    } finally {
      await pageViews.close()
      await postgres.close()
    }
  } finally {
    lock.release()
  }
}

const tellEvery = 64 * 1024 * 1024

async function* tellProgress(
  { output, json }: CommandContext,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let seen = 0
  for await (const chunk of chunks) {
    const before = Math.floor(seen / tellEvery)
    seen += chunk.length
    if (!json && Math.floor(seen / tellEvery) > before) output.warn(`… ${Math.floor(seen / 1e6)} MB read`)
    yield chunk
  }
}

type Restored = Manifest & { readonly counts: Readonly<Record<'projects' | 'jobs' | 'keys' | 'pageViews', number>> }

/** All is unpacked, checked and opened beside its place, and then put there by a rename. */
async function restore(config: Config, file: string): Promise<Restored> {
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
      // Last: where a restore is killed before it, no service starts on half of the data unnoticed.
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

/** What a killed restore left is no data. */
async function refuseFilled(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(leftover)) await rm(join(dataDir, name), { recursive: true, force: true })
    else if (!name.startsWith('lock.db')) throw new Failure('invalid_input', `${dataDir} is not empty: it has ${name}.`)
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** The name is on the disk, too. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
