// Stores records of imports: the position of each, so that an interrupted import can continue, and the group of its
// salts. Importing the same file again finds the unfinished record.

import { sql } from 'kysely'
import { Failure } from '../../lib/failure.ts'
import { createId } from '../../lib/id.ts'
import type { Db } from '../../postgres/types.ts'
import { keepAutomatedDays } from '../automated-days.ts'
import type { AutomatedDay } from './address/part-use.ts'
import type { Schema } from '../../postgres/schema.ts'
import type { Selectable } from 'kysely'

export type Import = {
  readonly id: string
  /** Imports of one group share their visitors: logs of one site that are read together, or after a stop. */
  readonly group: string
  /** The name of the file, for people. */
  readonly name: string
  readonly format: string
  /** Everything before this offset of the decompressed file is stored. */
  readonly position: number
  readonly accepted: number
  readonly rejected: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly finishedAt: string | null
}

export type NewImport = Pick<Import, 'name' | 'format'> & {
  /** Stays the same when the file grows. */
  readonly fingerprint: string
  /**
   * The group of another open import. By default, that of any open import of the project: after a stop, the next command
   * may begin with another log. Without one, an import has a group of its own.
   */
  readonly group?: string | undefined
}

type Place = { readonly projectId: string; readonly importId: string }

/** Returns the unfinished import of this file, or a new one. */
export async function openImport(db: Db, projectId: string, given: NewImport): Promise<Import> {
  const { name, format, fingerprint } = given
  const id = createId('imp')
  const openGroup = sql`(select group_id from imports
    where project_id = ${projectId} and finished_at is null
    order by group_id = ${given.group ?? ''} desc, created_at, id limit 1)`
  const { rows } = await sql<Selectable<Schema['imports']>>`/* imports.open */
    insert into imports (id, group_id, project_id, name, fingerprint, format, created_at, updated_at)
    values (${id}, coalesce(${openGroup}, ${id}), ${projectId}, ${name}, ${fingerprint}, ${format}, now(), now())
    on conflict (project_id, fingerprint) where finished_at is null do update set updated_at = now()
    returning *`.execute(db)
  return toImport(rows[0])
}

/** Throws `not_found` if the import is unknown or finished. */
export async function findOpenImport(db: Db, { projectId, importId }: Place): Promise<Import> {
  const row = await db
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', importId)
    .where('project_id', '=', projectId)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return toImport(row)
}

type Progress = { readonly position: number | undefined; readonly accepted: number; readonly rejected: number }

/** The position only grows: batches may finish in another order than they were sent. */
export async function recordProgress(db: Db, { projectId, importId }: Place, progress: Progress): Promise<void> {
  await sql`/* imports.progress */ update imports set updated_at = now(),
    position = greatest(position, ${progress.position ?? 0}::bigint),
    accepted = accepted + ${progress.accepted}::bigint, rejected = rejected + ${progress.rejected}::bigint
    where id = ${importId} and project_id = ${projectId} and finished_at is null`.execute(db)
}

/**
 * Finishing the last import of a group destroys its salts, so its visitors match no later ones. `automated`: what it found,
 * each day once. Throws `not_found`.
 */
export function finishImport(
  db: Db,
  { projectId, importId }: Place,
  automated: readonly AutomatedDay[] = [],
): Promise<Import> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('imports')
      .set({ finished_at: sql`now()`, updated_at: sql`now()` })
      .where('id', '=', importId)
      .where('project_id', '=', projectId)
      .where('finished_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    const finished = toImport(row)
    await keepAutomatedDays(trx, projectId, automated)
    await dropSalts(trx)
    return finished
  })
}

/**
 * Finishes imports without progress since `before`, and returns their number. Also destroys leftover salts: when the
 * last two imports of a group finish at the same moment, each sees the other one open.
 */
export function finishIdleImports(db: Db, before: Date): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const finished = await trx
      .updateTable('imports')
      .set({ finished_at: sql`now()` })
      .where('finished_at', 'is', null)
      .where('updated_at', '<', before)
      .returning('id')
      .execute()
    await dropSalts(trx)
    return finished.length
  })
}

/** Destroys the salts of groups without an open import. Salts are only made under a lock on an open import. */
async function dropSalts(trx: Db): Promise<void> {
  await sql`/* imports.drop_salts */ delete from salts where import_id <> '' and not exists (
    select 1 from imports where group_id = salts.import_id and finished_at is null)`.execute(trx)
}

function toImport(row: Selectable<Schema['imports']> | undefined): Import {
  if (!row) throw new Failure('not_found', 'There is no such import in this project, or it is finished.')
  return {
    id: row.id,
    group: row.group_id,
    name: row.name,
    format: row.format,
    position: row.position,
    accepted: row.accepted,
    rejected: row.rejected,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  }
}
