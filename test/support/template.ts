// A template for data directories of the embedded PostgreSQL with the current schema: a new database and its
// migrations take two seconds of CPU, opening a copy half a second. The template is cached in node_modules/.cache for all processes and runs,
// under a name that changes with the migrations and the engine.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { openPostgres } from '../../src/postgres/open.ts'
import type { Postgres } from '../../src/postgres/types.ts'
import { temporaryFolder } from './temporary.ts'

const migrations = fileURLToPath(new URL('../../src/postgres/migrations/', import.meta.url))
const engine = fileURLToPath(import.meta.resolve('@electric-sql/pglite'))
const cache = fileURLToPath(new URL('../../node_modules/.cache/docent-test/', import.meta.url))

const shared: { made?: Promise<string> } = {}

/** Copies the template to `directory`, which must not exist. The program `cp` takes a tenth of the time of Node's `cp`. */
export async function copyTemplate(directory: string): Promise<void> {
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 })
  await promisify(execFile)('cp', ['-r', await (shared.made ??= findEmbedded()), directory])
}

function findEmbedded(): Promise<string> {
  // As bin/docent.cjs does: otherwise each process spends seconds of CPU on optimising the database's WebAssembly.
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
  return findTemplate({
    name: 'embedded',
    engine,
    make: async (directory) => (await openPostgres({ kind: 'embedded', directory })).close(),
  })
}

type Template = {
  readonly name: string
  /** A file that changes with the engine. */
  readonly engine: string
  readonly make: (directory: string) => Promise<void>
}

/** Returns the folder with a database of the current schema, which the first call makes. */
export async function findTemplate({ name, engine: engineFile, make }: Template): Promise<string> {
  // A database knows its migrations by their names.
  const names = readdirSync(migrations)
  const texts = [
    ...names,
    ...[...names.map((one) => join(migrations, one)), engineFile].map((path) => readFileSync(path, 'utf8')),
  ]
  const digest = createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16)
  const place = join(cache, `${name}-${digest}`)
  const isThere = await access(place).then(
    () => true,
    () => false,
  )
  if (isThere) return place
  // Several processes may make it at once. The first one wins.
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'new-'))
  await make(join(folder, 'made'))
  await rename(join(folder, 'made'), place).catch(() => access(place))
  await rm(folder, { recursive: true, force: true })
  return place
}

/** Opens a copy of the template. Closing it removes its files. */
export async function openCopy(): Promise<Postgres> {
  const folder = await temporaryFolder('database')
  const directory = join(folder, 'postgres')
  await copyTemplate(directory)
  const postgres = await openPostgres({ kind: 'embedded', directory })
  const close = async () => {
    await postgres.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  return { ...postgres, close }
}
