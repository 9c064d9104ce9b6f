// The ledger: for each commit of the product that automations follow, whether the documentation has it. Each commit of a source has one
// state, however many automations follow the source: the best one that any of them reached.
//
//   documented   a pull request of the automation is open or merged
//   rejected     people closed it
//   set_aside    runs failed with it; people decide
//   waiting      for a run, or in one; also for an answer to a question
//   skipped      it does not concern the docs: by its score, or by the words of a model

import { type RawBuilder, sql } from 'kysely'
import type { JobRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { type JobResponse, toJobResponse } from '../../jobs/response.ts'
import { createCursor, toPage } from '../../requests/cursor.ts'
import type { LedgerState } from './states.ts'

/** `source` null: the repository of the project itself. `score`: from 0 to 1; null: it was not compared with the pages. */
export type LedgerEntry = {
  readonly source: string | null
  readonly commit: string
  readonly subject: string
  readonly author: string
  readonly committedAt: string
  readonly state: LedgerState
  readonly score: number | null
  readonly reason: string | null
  readonly jobId: string | null
  readonly pullRequest: JobResponse['pullRequest']
}

export type Counts = Readonly<Record<LedgerState, number>>

export type Ledger = {
  readonly entries: readonly LedgerEntry[]
  /** They count all entries of the source and the range, whatever their state. */
  readonly counts: Counts
  readonly nextCursor: string | null
}

export type LedgerFilter = {
  /** null: the repository of the project itself. Undefined: all. */
  readonly source?: string | null | undefined
  /** Undefined: all. */
  readonly commits?: readonly string[] | undefined
  readonly state?: LedgerState | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

type Row = Omit<LedgerEntry, 'committedAt' | 'pullRequest'> & { readonly committedAt: Date; readonly first: number }

const cursor = createCursor('l', String.raw`\d{1,18}`)

/** The newest first. Throws `invalid_input` for an invalid cursor. */
export async function readLedger(
  { db, publicUrl }: { readonly db: Db; readonly publicUrl: string },
  projectId: string,
  filter: LedgerFilter,
): Promise<Ledger> {
  const { state, limit } = filter
  const before = filter.cursor === undefined ? null : cursor.read(filter.cursor)
  const { rows } = await sql<Row>`/* ledger.page */ with entries as (${entriesOf(projectId, filter)})
    select * from entries where (${state ?? null}::text is null or state = ${state ?? null})
      and (${before}::bigint is null or first < ${before}::bigint)
    order by first desc limit ${limit + 1}`.execute(db)
  const { page, nextCursor } = toPage(rows, { limit, cursor, keyOf: ({ first }) => String(first) })
  const jobs = await readJobs(
    db,
    page.flatMap(({ jobId }) => jobId ?? []),
  )
  const entries = page.map(({ source, commit, subject, author, committedAt, state: own, score, reason, jobId }) => {
    const job = jobs.get(jobId ?? '')
    const pullRequest = job ? toJobResponse(job, publicUrl).pullRequest : null
    const common = { source, commit, subject, author, committedAt: committedAt.toISOString() }
    return { ...common, state: own, score, reason, jobId, pullRequest }
  })
  return { entries, counts: await countStates(db, projectId, filter), nextCursor }
}

export async function countStates(
  db: Db,
  projectId: string,
  filter: Pick<LedgerFilter, 'commits' | 'source'>,
): Promise<Counts> {
  const { rows } = await sql<{ state: LedgerState; count: number }>`/* ledger.counts */
    with entries as (${entriesOf(projectId, filter)})
    select state, count(*)::int as count from entries group by state`.execute(db)
  const counts = new Map(rows.map(({ state, count }) => [state, count]))
  return {
    documented: counts.get('documented') ?? 0,
    skipped: counts.get('skipped') ?? 0,
    waiting: counts.get('waiting') ?? 0,
    rejected: counts.get('rejected') ?? 0,
    set_aside: counts.get('set_aside') ?? 0,
  }
}

/** The state of a commit `c` in a run `r` with the job `j`. */
export const stateOfCommit = sql<LedgerState>`case when c.state <> 'in_run' then c.state
  when r.settled_at is null or r.has_question or j.pull_state is null then 'waiting'
  when j.pull_state = 'closed' then 'rejected' else 'documented' end`

/** Whether the automation `a` follows this source. null: the repository of the project itself. Undefined: any. */
export function followsSource(source: string | null | undefined): RawBuilder<boolean> {
  const isCode = sql<boolean>`(a.trigger::jsonb) ->> 'type' = 'code'`
  if (source === undefined) return isCode
  return sql`${isCode} and ((a.trigger::jsonb) ->> 'source') is not distinct from ${source}::text`
}

const rank = sql`array_position(array['documented', 'rejected', 'set_aside', 'waiting', 'skipped'], state)`

function entriesOf(
  projectId: string,
  { source, commits }: Pick<LedgerFilter, 'commits' | 'source'>,
): RawBuilder<unknown> {
  const inRange = commits === undefined ? sql`true` : sql`c.commit = any(${commits}::text[])`
  return sql`select distinct on (source, commit) source, commit, subject, author, "committedAt", state, score, reason, "jobId", first
    from (select (a.trigger::jsonb) ->> 'source' as source, c.commit, c.subject, c.author, c.committed_at as "committedAt",
        ${stateOfCommit} as state, c.score, c.reason, r.job_id as "jobId",
        min(c.ordinal) over (partition by (a.trigger::jsonb) ->> 'source', c.commit) as first
      from automations a join automation_commits c on c.automation_id = a.id and c.left_at is null
        left join automation_runs r on r.id = c.run_id left join jobs j on j.id = r.job_id
      where a.project_id = ${projectId} and ${followsSource(source)} and ${inRange}) as every
    order by source, commit, ${rank}, "jobId"`
}

async function readJobs(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, JobRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('jobs').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}
