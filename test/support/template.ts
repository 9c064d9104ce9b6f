// A data directory of the embedded PostgreSQL with the schema of today, to be copied: making one costs four seconds of CPU,
// copying and opening it less than one.

import { rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../../src/postgres/open.ts'
import type { Postgres } from '../../src/postgres/types.ts'

const shared: { made?: Promise<string>; copies: number } = { copies: 0 }

/** Puts a copy at `directory`, which must not exist. */
export async function copyTemplate(directory: string): Promise<void> {
  await cp(join(await (shared.made ??= makeTemplate()), 'postgres'), directory, { recursive: true })
}

/** A folder that is removed, with the copies in it, when the process ends. */
async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  await (await openPostgres({ kind: 'embedded', directory: join(folder, 'postgres') })).close()
  return folder
}

/** A database of its own, whose files are removed when it is closed. */
export async function openCopy(): Promise<Postgres> {
  const copy = `copy-${(shared.copies += 1)}`
  const directory = join(await (shared.made ??= makeTemplate()), copy)
  await copyTemplate(directory)
  const postgres = await openPostgres({ kind: 'embedded', directory })
  const close = async () => {
    await postgres.close()
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
  return { ...postgres, close }
}
