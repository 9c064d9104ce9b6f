// Backs up the embedded stores: an archive holds a manifest, which names every file with its size and digest, and then
// the files as of one moment. A restore accepts only the files of the manifest, in that order and below one folder, and
// detects a damaged or truncated archive before it replaces anything. The caller interprets the files of page views.
// If the database is a server, which has tools of its own, the archive holds page views only.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { Failure } from '../lib/failure.ts'
import { readTar, type TarEntry, writeTar } from '../lib/tar.ts'
import { appliedMigrations, migrations } from '../postgres/migrate.ts'
import type { Postgres } from '../postgres/types.ts'

const manifestName = 'docent-backup.json'
const maxManifestBytes = 16 * 1024 * 1024
/** A path such as `base/5/1247_fsm`: plain names below the folder, without hidden files. */
const path = z
  .string()
  .regex(/^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_][A-Za-z0-9_.-]*$/)
  .max(80)

const digestText = z.string().regex(/^[0-9a-f]{64}$/)

/** A path of the store. These are too long for an archive, which uses numbers instead. */
const storePath = z
  .string()
  .regex(/^(?:[A-Za-z0-9_%][A-Za-z0-9_.%-]*\/)*[A-Za-z0-9_%][A-Za-z0-9_.%-]*$/)
  .max(1_000)

const storeSchema = z.object({
  schema: z.array(z.string()).readonly(),
  /** The number of page views that a restore must find. */
  rows: z.int().min(0),
  folders: z.array(storePath),
  files: z.array(z.object({ path: storePath, size: z.int().min(0), sha256: digestText })),
})

const manifestSchema = z
  .object({
    format: z.literal(1),
    /** `all`: the database, and the page views if there are any. */
    holds: z.enum(['all', 'page_views']).default('all'),
    version: z.string(),
    createdAt: z.iso.datetime(),
    /** The migrations of the database that ran, in order. */
    schema: z.array(z.string()),
    /** Includes empty folders: the database does not start without them. */
    folders: z.array(path),
    files: z.array(z.object({ path, size: z.int().min(0), sha256: digestText })),
    store: storeSchema.optional(),
  })
  .refine(({ holds, schema, store }) => (holds === 'all' ? schema.length > 0 : store !== undefined))
export type Manifest = z.infer<typeof manifestSchema>
type StoreManifest = z.infer<typeof storeSchema>
/** The files of a part of the backup, and the migrations that ran there. */
type Part = Pick<StoreManifest, 'schema' | 'folders' | 'files'>

type Options = {
  /** A temporary folder on the disk of the database: created for the backup and removed at the end. */
  readonly scratch: string
  readonly version: string
  readonly now: Date
  /** The embedded database. Undefined: the database is a server, and the backup holds page views only. */
  readonly postgres: Postgres | undefined
  /** Copies the files of page views into a folder. Undefined: no page views are stored here. */
  readonly freeze: (into: string) => Promise<Pick<StoreManifest, 'schema' | 'rows'> | undefined>
}

/** The folders of both stores below the temporary folder of a backup or a restore. */
export const foldersOf = (folder: string) => ({ postgres: join(folder, 'postgres'), store: join(folder, 'store') })

/**
 * Yields the bytes of the archive. Yields nothing if the database is a server and there are no page views yet. The database
 * waits only while its files are copied to `scratch`.
 */
export async function* createBackup(options: Options): AsyncGenerator<Uint8Array> {
  const { postgres, version, now } = options
  const folders = foldersOf(options.scratch)
  try {
    await mkdir(options.scratch, { mode: 0o700 })
    // The database first: page views beyond it are harmless, and page views that it knows must not be missing.
    const database = postgres ? await takeSnapshot(postgres, folders.postgres) : noDatabase
    const frozen = await options.freeze(folders.store)
    if (!postgres && !frozen) return
    const store = frozen && { ...frozen, ...(await listFiles(folders.store)) }
    const holds = postgres ? 'all' : 'page_views'
    const described = { format: 1, holds, version, createdAt: now.toISOString(), store }
    yield* writeTar(entries(manifestSchema.parse({ ...described, ...database }), options.scratch), now)
  } finally {
    await rm(options.scratch, { recursive: true, force: true })
  }
}

const noDatabase: Part = { schema: [], folders: [], files: [] }

async function takeSnapshot(postgres: Postgres, into: string): Promise<Part> {
  if (!postgres.snapshot) throw new Error('a server has no files to copy')
  const schema = await appliedMigrations(postgres.db)
  await postgres.snapshot(into)
  return { schema, ...(await listFiles(into)) }
}

async function listFiles(folder: string): Promise<Omit<Part, 'schema'>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const named = found
    .map((entry) => ({ path: join(entry.parentPath, entry.name).slice(folder.length + 1), isFile: entry.isFile() }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const files = []
  for (const { path } of named.filter((one) => one.isFile)) {
    const { size } = await stat(join(folder, path))
    files.push({ path, size, sha256: await digest(createReadStream(join(folder, path))) })
  }
  return { folders: named.filter((one) => !one.isFile).map((one) => one.path), files }
}

/** Lists the files in the order of the archive. */
function placesOf(manifest: Manifest, folder: string) {
  const { postgres, store } = foldersOf(folder)
  const ofPostgres = manifest.files.map((file) => ({ ...file, name: `postgres/${file.path}`, folder: postgres }))
  const ofStore = (manifest.store?.files ?? []).map((file, at) => ({ ...file, name: `store/${at}`, folder: store }))
  return [...ofPostgres, ...ofStore].map((file) => ({ ...file, place: join(file.folder, file.path) }))
}

async function* entries(manifest: Manifest, folder: string): AsyncGenerator<TarEntry> {
  const text = Buffer.from(JSON.stringify(manifest))
  yield { name: manifestName, size: text.length, content: once(text) }
  for (const { name, size, place } of placesOf(manifest, folder)) {
    yield { name, size, content: createReadStream(place) }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function digest(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * Writes the files below `into`, an empty folder. Throws `invalid_input` for an incomplete or damaged backup,
 * `schema_newer`, and what `admit` throws before any file is written. The caller removes the files that were written
 * before an error.
 */
export async function unpackBackup(
  source: AsyncIterable<Uint8Array>,
  into: string,
  admit: (manifest: Manifest) => void,
): Promise<Manifest> {
  const archive = readTar(source)
  const manifest = await readManifest(archive)
  admit(manifest)
  const folders = foldersOf(into)
  await makeFolders(folders.postgres, manifest.folders)
  if (manifest.store) await makeFolders(folders.store, manifest.store.folders)
  for (const { name, path, place, size, sha256 } of placesOf(manifest, into)) {
    const entry = await next(archive)
    if (entry?.name !== name || entry.size !== size) throw damaged(`${path} is missing`)
    if ((await write(place, entry.content)) !== sha256) throw damaged(`${path} is damaged`)
  }
  if (await next(archive)) throw damaged('it holds more files than its manifest lists')
  return manifest
}

async function makeFolders(folder: string, inner: readonly string[]): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  for (const name of inner) await mkdir(join(folder, name), { mode: 0o700 })
}

async function readManifest(archive: AsyncGenerator<TarEntry>): Promise<Manifest> {
  const entry = await next(archive)
  if (entry?.name !== manifestName || entry.size > maxManifestBytes) throw damaged('it is not a backup of Docent')
  const text = (await buffer(entry.content).catch(rethrow)).toString('utf8')
  const { success, data } = manifestSchema.safeParse(parseJson(text))
  if (!success) throw damaged('this release does not know the format of its manifest')
  const unknown = data.schema.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length === 0) return data
  throw new Failure(
    'schema_newer',
    `Release ${data.version} made the backup: restore it with that release or a later one.`,
  )
}

async function next(archive: AsyncGenerator<TarEntry>): Promise<TarEntry | undefined> {
  const result = await archive.next().catch(rethrow)
  return result.done ? undefined : result.value
}

/** Writes a file and flushes it to the disk. Returns the digest of its content. */
async function write(path: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  const file = await open(path, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    for await (const chunk of content) {
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
    return hash.digest('hex')
  } catch (error) {
    return rethrow(error)
  } finally {
    await file.close()
  }
}

/** Rethrows errors of the disk as they are, and any other error as a damaged archive. */
function rethrow(error: unknown): never {
  if (error instanceof Error && 'syscall' in error) throw error
  throw damaged(error instanceof Error ? error.message : 'it cannot be read', error)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function damaged(why: string, cause?: unknown): Failure {
  return new Failure('invalid_input', `The backup cannot be restored: ${why}.`, { cause })
}
