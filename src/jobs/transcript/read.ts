// Reads the transcript of a job a page at a time: at most `limit` turns and about a megabyte of text, but always one turn.
// The sizes are read first, so that a page never loads more than it returns. Contents of edits are never loaded: the
// database hashes them.

import { sql } from 'kysely'
import type { ModelResponse } from '../../agent/model/types.ts'
import type { StoredResult, Turn } from '../../agent/transcript.ts'
import { invalidInput } from '../../lib/failure.ts'
import type { Redactor } from '../../lib/outbound/redactor.ts'
import type { JobRow, RunRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { createCursor } from '../../requests/cursor.ts'
import { policyOf } from '../policy/judge-edits.ts'
import { getJob } from '../store.ts'
import { type FileDigest, toTranscriptTurn, type TranscriptRun, type TranscriptTurn } from './response.ts'

export type TranscriptPage = {
  /** Those that the turns on this page belong to. */
  readonly runs: readonly TranscriptRun[]
  readonly turns: readonly TranscriptTurn[]
  readonly nextCursor: string | null
  /** When the turns of the runs before then were erased; null: never. */
  readonly erasedAt: string | null
}

export type TranscriptFilter = {
  readonly projectId: string
  readonly jobId: string
  readonly limit: number
  readonly cursor?: string | undefined
  /** Only the turns of this run. */
  readonly runId?: string | undefined
  /** Only this turn of the run. */
  readonly turn?: number | undefined
}

type Context = { readonly db: Db; readonly redactor: Pick<Redactor, 'redact'> }

/** Bytes of stored text on a page. */
export const pageBytes = 1_000_000

const cursor = createCursor('t', String.raw`\d{1,9}\.\d{1,9}`)

/** A place between two turns. */
type Place = { readonly run: number; readonly turn: number }

/** In order of runs and turns. Throws `not_found`, and `invalid_input` for an invalid cursor, or a turn without its run. */
export async function pageTranscript({ db, redactor }: Context, filter: TranscriptFilter): Promise<TranscriptPage> {
  const job = await getJob(db, filter.projectId, filter.jobId)
  const after = filter.cursor === undefined ? { run: 0, turn: 0 } : toPlace(cursor.read(filter.cursor))
  if (filter.turn !== undefined && filter.runId === undefined) throw invalidInput('#/query/turn', 'needs `runId`')
  const sizes = await readSizes(db, after, filter)
  const fitting = countFitting(sizes, filter.limit)
  const last = sizes[fitting - 1]
  const isMore = last !== undefined && fitting < sizes.length
  return {
    ...(last ? await readBetween({ db, redactor }, job, { first: sizes[0] ?? last, last }) : { runs: [], turns: [] }),
    nextCursor: isMore ? cursor.write(`${last.run}.${last.turn}`) : null,
    erasedAt: job.transcript_erased_at?.toISOString() ?? null,
  }
}

function toPlace(text: string): Place {
  const [run = 0, turn = 0] = text.split('.').map(Number)
  return { run, turn }
}

type Size = Place & { readonly bytes: number }

/** One more than the limit. They are neighbours in the transcript. */
async function readSizes(db: Db, after: Place, filter: TranscriptFilter): Promise<readonly Size[]> {
  const { jobId, limit, runId = null, turn = null } = filter
  const { rows } = await sql<Size>`/* transcript.sizes */
    select runs.number as run, turns.number as turn, octet_length(turns.input) + coalesce(octet_length(turns.answer), 0)
      + coalesce(octet_length(turns.results), 0) as bytes
    from turns join runs on runs.id = turns.run_id
    where runs.job_id = ${jobId} and (runs.number, turns.number) > (${after.run}::int, ${after.turn}::int)
      and (${runId}::text is null or runs.id = ${runId}) and (${turn}::int is null or turns.number = ${turn})
    order by runs.number, turns.number limit ${limit + 1}`.execute(db)
  return rows
}

function countFitting(sizes: readonly Size[], limit: number): number {
  let bytes = 0
  const full = sizes.findIndex((size, index) => (bytes += size.bytes) > pageBytes && index > 0)
  return Math.min(full === -1 ? sizes.length : full, limit)
}

/** Both are in it. */
type Range = { readonly first: Place; readonly last: Place }

async function readBetween({ db, redactor }: Context, job: JobRow, range: Range) {
  const [runs, turns, edits] = await Promise.all([
    db
      .selectFrom('runs')
      .selectAll()
      .where('job_id', '=', job.id)
      .where('number', '>=', range.first.run)
      .where('number', '<=', range.last.run)
      .orderBy('number')
      .execute(),
    readTurns(db, job.id, range),
    readEdits(db, job.id, range),
  ])
  const shown = new Set(turns.map(({ run_id: runId }) => runId))
  const editsOf = (runId: string, turn: number) =>
    edits.flatMap((one) =>
      one.run_id === runId && one.turn === turn ? [{ path: one.path, mode: one.mode, sha256: one.sha256 }] : [],
    )
  return {
    runs: runs.filter(({ id }) => shown.has(id)).map((run) => toTranscriptRun(run, editsOf(run.id, 0))),
    turns: turns.map((row) => {
      const turn = { ...toTurn(row), runId: row.run_id, run: row.run, createdAt: row.created_at }
      return toTranscriptTurn({ ...turn, edits: editsOf(row.run_id, row.number) }, redactor.redact)
    }),
  }
}

type TurnOfRun = {
  readonly run: number
  readonly run_id: string
  readonly number: number
  readonly input: string
  readonly answer: string | null
  readonly results: string | null
  readonly created_at: Date
}

async function readTurns(db: Db, jobId: string, { first, last }: Range): Promise<readonly TurnOfRun[]> {
  const { rows } = await sql<TurnOfRun>`/* transcript.turns */
    select runs.number as run, turns.* from turns join runs on runs.id = turns.run_id
    where runs.job_id = ${jobId} and (runs.number, turns.number) >= (${first.run}::int, ${first.turn}::int)
      and (runs.number, turns.number) <= (${last.run}::int, ${last.turn}::int)
    order by runs.number, turns.number`.execute(db)
  return rows
}

type EditOfRun = FileDigest & { readonly run_id: string; readonly turn: number }

/** With the carried edits (turn 0) of the runs on the page. */
async function readEdits(db: Db, jobId: string, { first, last }: Range): Promise<readonly EditOfRun[]> {
  const { rows } = await sql<EditOfRun>`/* transcript.edits */
    select edits.run_id, edits.turn, edits.path, edits.mode, encode(sha256(edits.content), 'hex') as sha256
    from edits join runs on runs.id = edits.run_id
    where runs.job_id = ${jobId} and runs.number between ${first.run}::int and ${last.run}::int
      and (edits.turn = 0 or (runs.number, edits.turn) >= (${first.run}::int, ${first.turn}::int))
      and (runs.number, edits.turn) <= (${last.run}::int, ${last.turn}::int)
    order by runs.number, edits.turn, edits.path`.execute(db)
  return rows
}

function toTurn(row: TurnOfRun): Turn {
  return {
    number: row.number,
    input: JSON.parse(row.input) as Turn['input'],
    response: row.answer === null ? undefined : (JSON.parse(row.answer) as ModelResponse),
    results: row.results === null ? undefined : (JSON.parse(row.results) as readonly StoredResult[]),
  }
}

function toTranscriptRun(run: RunRow, carried: readonly FileDigest[]): TranscriptRun {
  const { path_policy: stored } = run
  const policy = stored === null ? null : policyOf({ path_policy: stored })
  return {
    id: run.id,
    number: run.number,
    createdAt: run.created_at.toISOString(),
    baseCommit: run.base_commit,
    startCommit: run.start_commit,
    commit: run.commit_id,
    branch: run.branch,
    pathPolicy: policy && { allow: policy.allow, deny: policy.deny, unprotect: policy.unprotect, scope: policy.scope },
    carried,
  }
}
