// Stores what was imported from other tools: a row for each file, which is the same when the file is imported again, and the
// daily sums of files that have no page views. Page views of a file have the id of its row as their rule (collect.ts).

import { sql } from 'kysely'
import { Failure } from '../../lib/failure.ts'
import { createId } from '../../lib/id.ts'
import type { Db } from '../../postgres/types.ts'
import { normalisePath } from '../collect/path.ts'
import type { Tool } from '../import/tools.ts'
import { createSums, type DailySum, mostSums, type SumSource, sumSources, tooManySums } from './daily-sums.ts'

export const historySources = ['plausible', 'ga4', 'goatcounter', 'umami'] as const

export type History = {
  readonly id: string
  readonly source: SumSource | Tool
  /** The name of the file, for people. */
  readonly name: string
  /** Stored sums: one for each day and page. 0: the file has page views. */
  readonly sums: number
  /** The stored page views that came from the file. */
  readonly pageViews: number
  /** null: nothing of it is stored. */
  readonly firstDay: string | null
  readonly lastDay: string | null
  /** False: the import did not reach the end of the file. The same command again continues it. */
  readonly isComplete: boolean
  readonly createdAt: string
}

export type NewHistory = {
  readonly projectId: string
  readonly source: SumSource | Tool
  readonly name: string
  readonly fingerprint: string
}

export type MoreSums = {
  readonly sums: readonly DailySum[]
  /** These are the last ones of the file. */
  readonly isComplete: boolean
}

/** The most that a project may have. */
export const mostHistories = 200

/** Returns the id of the history of this file, which it creates if it is new. Throws `not_found` and `invalid_input`. */
export async function openHistory(trx: Db, { projectId, source, name, fingerprint }: NewHistory): Promise<string> {
  // One at a time, so that the number of histories has a bound.
  const project = await trx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!project) throw new Failure('not_found', 'There is no such project.')
  const found = await trx
    .selectFrom('histories')
    .select('id')
    .where('project_id', '=', projectId)
    .where('source', '=', source)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  if (found) return found.id
  const { rows } = await sql<{ count: number }>`/* histories.count */ select count(*) as count from histories
    where project_id = ${projectId}`.execute(trx)
  if ((rows[0]?.count ?? 0) >= mostHistories) {
    const message = `The project has ${mostHistories} files of other tools: delete one of them first.`
    throw new Failure('invalid_input', message)
  }
  const id = createId('his')
  await trx
    .insertInto('histories')
    .values({ id, project_id: projectId, source, name, fingerprint, first_day: null, last_day: null })
    .execute()
  return id
}

/** Stores sums of a file. The same sums again change nothing. Returns the id of the history. Throws as `openHistory` does. */
export function createHistory(db: Db, given: NewHistory & MoreSums): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const id = await openHistory(trx, given)
    await keepSums(trx, id, given)
    return id
  })
}

/** Stores more sums of a file. Throws `not_found` and `invalid_input`. */
export function addSums(db: Db, { projectId, id }: Place, more: MoreSums): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('histories')
      .select('id')
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .where('source', 'in', [...sumSources])
      .forUpdate()
      .executeTakeFirst()
    if (!found) throw noHistory()
    await keepSums(trx, id, more)
  })
}

export function noHistory(): Failure {
  return new Failure('not_found', 'Nothing with this id was imported from another tool.')
}

async function keepSums(trx: Db, id: string, { sums: given, isComplete }: MoreSums): Promise<void> {
  const sums = mergeSums(given)
  const added = await insertSums(trx, id, sums)
  const days = sums.map(({ date }) => date).toSorted()
  const { rows } = await sql<{ sums: number }>`/* histories.grow */ update histories set
    sums = sums + ${added}::bigint,
    first_day = least(first_day, ${days[0] ?? null}::date), last_day = greatest(last_day, ${days.at(-1) ?? null}::date),
    is_complete = is_complete or ${isComplete}
    where id = ${id} returning sums`.execute(trx)
  if ((rows[0]?.sums ?? 0) <= mostSums) return
  throw new Failure('invalid_input', tooManySums)
}

/** By normalised paths, so that each day and page is there once. */
function mergeSums(sums: readonly DailySum[]): readonly DailySum[] {
  const merged = createSums()
  for (const sum of sums) {
    const path = sum.path === null ? null : normalisePath(sum.path)
    if (path !== undefined) merged.add({ ...sum, path })
  }
  return merged.sums()
}

/** Returns how many are new. */
async function insertSums(trx: Db, id: string, sums: readonly DailySum[]): Promise<number> {
  const column = (of: keyof DailySum) => sums.map((sum) => (sum[of] === null ? null : String(sum[of])))
  const paths = sums.map(({ path }) => path ?? '')
  const { rows } = await sql<{ added: number }>`/* history_sums.keep */ with kept as (
    insert into history_sums (history_id, path, day, visitors, page_views)
    select ${id}, path, day::date, visitors::bigint, page_views::bigint
    from unnest(${paths}::text[], ${column('date')}::text[], ${column('visitors')}::text[], ${column('pageViews')}::text[])
      as given (path, day, visitors, page_views)
    on conflict (history_id, path, day) do update set visitors = excluded.visitors, page_views = excluded.page_views
    returning xmax = 0 as is_new)
    select count(*) filter (where is_new) as added from kept`.execute(trx)
  return rows[0]?.added ?? 0
}

/** The history that the page views of an import belong to. Undefined: it was deleted. */
export async function findHistoryOfImport(db: Db, importId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`/* histories.of_import */ select histories.id from imports
    join histories on histories.project_id = imports.project_id and histories.source = imports.format
      and histories.fingerprint = imports.fingerprint
    where imports.id = ${importId}`.execute(db)
  return rows[0]?.id
}

type Row = Omit<History, 'createdAt' | 'pageViews'> & { readonly createdAt: Date }

/** The newest first, as PostgreSQL has them: without the page views. */
export async function readHistories(db: Db, projectId: string, id?: string): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`/* histories.list */ select id, source, name, sums,
    first_day::text as "firstDay", last_day::text as "lastDay", created_at as "createdAt",
    case when source in ('goatcounter', 'umami') then not exists (select 1 from imports
      where imports.project_id = histories.project_id and imports.format = histories.source
        and imports.fingerprint = histories.fingerprint and imports.finished_at is null)
      else is_complete end as "isComplete"
    from histories where project_id = ${projectId} and (${id ?? null}::text is null or id = ${id ?? null})
    order by created_at desc, id`.execute(db)
  return rows
}

/** Finishes its import, so that no page views of it arrive any more. */
export async function endImportOfHistory(db: Db, { projectId, id }: Place): Promise<void> {
  await sql`/* histories.end_import */ update imports set finished_at = now(), updated_at = now() from histories
    where histories.id = ${id} and histories.project_id = ${projectId} and imports.project_id = histories.project_id
      and imports.format = histories.source and imports.fingerprint = histories.fingerprint
      and imports.finished_at is null`.execute(db)
}

export type Place = { readonly projectId: string; readonly id: string }

/** With its sums. */
export async function deleteHistoryRow(db: Db, { projectId, id }: Place): Promise<void> {
  await db.deleteFrom('histories').where('project_id', '=', projectId).where('id', '=', id).execute()
}
