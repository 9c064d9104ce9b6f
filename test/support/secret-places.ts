// Everything that a service has written, as bytes: its files, the objects of its mirrors, the rows of its tables.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Environment } from '../../src/config/environment.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import { plainGit } from './git-remote.ts'

/** Names and contents of the files below a folder; archives are unpacked. */
export function readFiles(folder: string): readonly Buffer[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return [Buffer.from(entries.map(({ parentPath, name }) => join(parentPath, name)).join('\n')), ...files.map(unpack)]
}

function unpack(file: string): Buffer {
  const bytes = readFileSync(file)
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
}

/** All objects of the bare repositories in a folder, which are compressed in their files, and their refs. */
export function readMirrors(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.git'))
    .flatMap((name) => {
      const directory = join(folder, name)
      const objects = plainGit(directory, ['cat-file', '--batch', '--batch-all-objects'])
      return [objects, plainGit(directory, ['for-each-ref']), plainGit(directory, ['config', '--list'])]
    })
}

/** Every row of every table as text; binary columns are in hexadecimal. No service may run on an embedded database. */
export async function dumpTables(environment: Environment): Promise<readonly string[]> {
  const url = environment['DATABASE_URL']
  const directory = join(environment['DOCENT_DATA_DIR'] ?? '', 'postgres')
  const postgres = await openPostgres(
    url === undefined
      ? { kind: 'embedded', directory }
      : { kind: 'server', url, connections: 1, log: createLog('silent') },
  )
  try {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(postgres.db)
    const dumps: string[] = []
    for (const { name } of rows) {
      const table = sql.id(name)
      const found = await sql<{ row: string }>`select ${table}::text as row from ${table}`.execute(postgres.db)
      dumps.push(`${name}\n${found.rows.map(({ row }) => row).join('\n')}`)
    }
    return dumps
  } finally {
    await postgres.close()
  }
}
