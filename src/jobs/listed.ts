// Jobs as lists show them: the job, its project, the start of what was asked, and how long its runs took. One statement
// for a whole page, however many jobs there are.

import { sql } from 'kysely'
import type { JobRow } from '../postgres/schema.ts'
import type { Db } from '../postgres/types.ts'
import type { JobsContext } from './context.ts'
import { cut } from './events/events.ts'
import type { JobResult } from './job.ts'
import { type JobResponse, toJobResponse } from './response.ts'

/** The texts of its result are cut to `listedResultUnits`. */
export type ListedJob = JobResponse & {
  readonly projectId: string
  /** The start of the first message, at most `promptUnits` UTF-16 code units. */
  readonly prompt: string
  /** The time in the runs of the job so far; null before the first one started. */
  readonly seconds: number | null
}

const promptUnits = 200
const listedResultUnits = 500
/** As JSON, a code unit takes at most six characters. */
const storedCharacters = promptUnits * 6 + 2

export async function toListedJobs(
  { db, clock, publicUrl }: JobsContext,
  rows: readonly JobRow[],
): Promise<readonly ListedJob[]> {
  if (rows.length === 0) return []
  const found = await readParts(
    db,
    rows.map(({ id }) => id),
    clock.now(),
  )
  return rows.map((row) => {
    const job = toJobResponse(row, publicUrl)
    const { start, seconds } = found.get(row.id) ?? { start: null, seconds: null }
    return {
      ...job,
      result: job.result && shorten(job.result),
      projectId: row.project_id,
      prompt: start === null ? '' : cut(startOfJson(start), promptUnits),
      seconds: seconds === null ? null : Math.round(seconds),
    }
  })
}

function shorten({ text, reply, ...result }: JobResult): JobResult {
  const short = (words: string) => cut(words, listedResultUnits)
  return { ...result, text: short(text), reply: reply === null ? null : short(reply) }
}

type Parts = { readonly id: string; readonly start: string | null; readonly seconds: number | null }

/**
 * Looks up each job in the indexes. As `job_id in (…)`, the planner reads whole tables with all their dead versions, for
 * thousands of jobs, because a hundred look-ups seem to be more.
 */
async function readParts(db: Db, ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Parts>> {
  const { rows } = await sql<Parts>`/* jobs.listed */ select wanted.id,
    (select left(prompt, ${storedCharacters}) from messages where job_id = wanted.id order by ordinal limit 1) as start,
    (select sum(greatest(0, extract(epoch from coalesce(ended_at, ${now}::timestamptz) - started_at)))::float8
      from runs where job_id = wanted.id and started_at is not null) as seconds
    from unnest(array[${sql.join(ids)}]::text[]) as wanted (id)`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The text of a JSON string that may be cut anywhere, also inside an escape. */
export function startOfJson(text: string): string {
  const [, whole = ''] = /^"((?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*)/.exec(text) ?? []
  return JSON.parse(`"${whole}"`) as string
}
