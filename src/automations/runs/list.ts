// Reads the runs of automations: pages of one automation, and the last one of each.

import { sql } from 'kysely'
import { type JobResponse, toJobResponse } from '../../jobs/response.ts'
import type { AutomationRow, AutomationRunRow } from '../../postgres/schema/automations.ts'
import type { Db } from '../../postgres/types.ts'
import { createCursor, noCursor, toPage } from '../../requests/cursor.ts'
import type { JobsContext } from '../../jobs/context.ts'
import { readGiven } from './pages/given-pages.ts'
import { type AutomationRun, toRun } from './run.ts'
import { readStates } from './states.ts'

export type RunPage = { readonly runs: readonly AutomationRun[]; readonly nextCursor: string | null }
export type RunFilter = { readonly limit: number; readonly cursor?: string | undefined }
type ReadContext = Pick<JobsContext, 'db' | 'publicUrl'>

const cursor = createCursor('a', 'aru_[a-z0-9]{20}')

/** Newest first. Throws `invalid_input` for an invalid cursor. */
export async function listRuns(context: ReadContext, automationId: string, filter: RunFilter): Promise<RunPage> {
  let query = context.db.selectFrom('automation_runs').selectAll().where('automation_id', '=', automationId)
  if (filter.cursor !== undefined) {
    const last = await query.where('id', '=', cursor.read(filter.cursor)).executeTakeFirst()
    query = query.where('ordinal', '<', last?.ordinal ?? noCursor())
  }
  const rows = await query
    .orderBy('ordinal', 'desc')
    .limit(filter.limit + 1)
    .execute()
  const { page, nextCursor } = toPage(rows, { limit: filter.limit, cursor, keyOf: ({ id }) => id })
  return { runs: await toRuns(context, page), nextCursor }
}

/** By the ids of automations; those that never ran are not there. */
export async function lastRuns(
  context: ReadContext,
  automations: readonly Pick<AutomationRow, 'id'>[],
): Promise<ReadonlyMap<string, AutomationRun>> {
  if (automations.length === 0) return new Map()
  const ids = automations.map(({ id }) => id)
  const { rows } = await sql<AutomationRunRow>`/* automations.last_runs */ select last.*
    from unnest(array[${sql.join(ids)}]::text[]) as wanted (id), lateral (select * from automation_runs
      where automation_id = wanted.id order by ordinal desc limit 1) as last`.execute(context.db)
  const runs = await toRuns(context, rows)
  return new Map(rows.map(({ automation_id: id }, at) => [id, runs[at]] as const).filter(isThere))
}

function isThere(entry: readonly [string, AutomationRun | undefined]): entry is readonly [string, AutomationRun] {
  return entry[1] !== undefined
}

export async function toRuns(
  { db, publicUrl }: ReadContext,
  rows: readonly AutomationRunRow[],
): Promise<readonly AutomationRun[]> {
  const ids = rows.map(({ id }) => id)
  const [states, given] = [await readStates(db, ids), await readGiven(db, ids)]
  const jobs = await readJobs(db, [...new Set([...states.values()].map(({ jobId }) => jobId))], publicUrl)
  return rows.map((row) => {
    const state = states.get(row.id)
    const job = state && jobs.get(state.jobId)
    return toRun(row, job && { job, state }, given.get(row.id)?.length ?? 0)
  })
}

async function readJobs(db: Db, ids: readonly string[], publicUrl: string): Promise<ReadonlyMap<string, JobResponse>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('jobs').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toJobResponse(row, publicUrl)]))
}
