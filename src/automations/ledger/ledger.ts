// The ledger: for each commit of the product that automations follow, whether the documentation has it. Each commit of a source has one
// state, however many automations follow the source: the best one that any of them reached.
//
//   documented   a pull request of the automation is open or merged
//   rejected     people closed it, or archived the job instead of answering its question
//   set_aside    runs failed with it, or nobody answered the question of one; people decide
//   waiting      for a run, or in one; also for an answer to a question
//   skipped      it does not concern the docs: by its score, or by the words of a model

import { type RawBuilder, sql } from 'kysely'
import type { JobRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { type JobResponse, toJobResponse } from '../../jobs/response.ts'
import { createCursor, toPage } from '../../requests/cursor.ts'
import { type LedgerState, ledgerStates } from './states.ts'

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

type Row = Omit<LedgerEntry, 'committedAt' | 'pullRequest'> & { readonly committedAt: Date; readonly ordinal: number }

/** The seconds of the commit and the order of its row. */
const cursor = createCursor('l', String.raw`-?\d{1,12}\.\d{1,18}`)

/** The newest first. Throws `invalid_input` for an invalid cursor. */
export async function readLedger(
  { db, publicUrl }: { readonly db: Db; readonly publicUrl: string },
  projectId: string,
  filter: LedgerFilter,
): Promise<Ledger> {
  const { state, limit } = filter
  const isOf = await entriesOf(db, projectId, filter)
  const { rows } = await sql<Row>`/* ledger.page */ with page as (select * from ledger_commits l
      where ${isOf} and ${state === undefined ? sql`true` : sql`l.state = ${state}`} and ${isAfter(filter.cursor)}
      order by l.committed_at desc, l.ordinal desc limit ${limit + 1})
    select (a.trigger::jsonb) ->> 'source' as source, c.commit, c.subject, c.author, c.committed_at as "committedAt", page.state, c.score,
      c.reason, r.job_id as "jobId", page.ordinal
    from page join automations a on a.id = page.automation_id
      join automation_commits c on c.automation_id = page.automation_id and c.commit = page.commit
      left join automation_runs r on r.id = c.run_id
    order by page.committed_at desc, page.ordinal desc`.execute(db)
  const { page, nextCursor } = toPage(rows, { limit, cursor, keyOf })
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

function keyOf({ committedAt, ordinal }: Row): string {
  return `${Math.floor(committedAt.getTime() / 1_000)}.${ordinal}`
}

function isAfter(given: string | undefined): RawBuilder<boolean> {
  if (given === undefined) return sql`true`
  const [seconds, ordinal] = cursor.read(given).split('.')
  return sql`(l.committed_at, l.ordinal) < (to_timestamp(${seconds}::float8), ${ordinal}::bigint)`
}

/** Reads an index alone. */
export async function countStates(
  db: Db,
  projectId: string,
  filter: Pick<LedgerFilter, 'commits' | 'source'>,
): Promise<Counts> {
  const { rows } = await sql<{ state: LedgerState; count: number }>`/* ledger.counts */
    select state, count(*)::int as count from ledger_commits l
    where ${await entriesOf(db, projectId, filter)} group by state`.execute(db)
  const counted = new Map(rows.map(({ state, count }) => [state, count]))
  return Object.fromEntries(ledgerStates.map((state) => [state, counted.get(state) ?? 0])) as Counts
}

/** The state of a commit `c` in a run `r` with the job `j`. */
export const stateOfCommit = sql<LedgerState>`ledger_state(c.state, r.settled_at, r.has_question, j.pull_state)`

/** Whether the automation `a` follows this source. null: the repository of the project itself. Undefined: any. */
export function followsSource(source: string | null | undefined): RawBuilder<boolean> {
  const isCode = sql<boolean>`(a.trigger::jsonb) ->> 'type' = 'code'`
  if (source === undefined) return isCode
  return sql`${isCode} and ((a.trigger::jsonb) ->> 'source') is not distinct from ${source}::text`
}

/** A condition on the row `l` of `ledger_commits`. */
export async function entriesOf(
  db: Db,
  projectId: string,
  { source, commits }: Pick<LedgerFilter, 'commits' | 'source'>,
): Promise<RawBuilder<boolean>> {
  const inRange = commits === undefined ? sql`true` : sql`l.commit = any(${commits}::text[])`
  if (source === undefined) return sql`l.project_id = ${projectId} and ${inRange}`
  const { rows } = await sql<{ id: string }>`/* ledger.repositories */ select distinct p.repository_id as id
    from automations a join automation_positions p on p.automation_id = a.id
    where a.project_id = ${projectId} and ${followsSource(source)}`.execute(db)
  const [first, ...others] = rows.map(({ id }) => id)
  if (others.length === 0) return sql`l.repository_id = ${first ?? ''} and ${inRange}`
  // A source was deleted and added again, and not every automation has seen it yet.
  return sql`l.repository_id in (${sql.join(rows.map(({ id }) => id))}) and ${inRange}`
}

async function readJobs(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, JobRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('jobs').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}
