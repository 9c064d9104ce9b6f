// Jobs as lists show them: the job, its project, the start of what was asked, and how long its runs took. Two statements
// for a whole page, however many jobs there are.

import { sql } from 'kysely'
import type { JobRow } from '../postgres/schema.ts'
import type { JobsContext } from './context.ts'
import { cut } from './events/events.ts'
import { type JobResponse, toJobResponse } from './response.ts'

/** The text of its result is cut to `listedResultUnits`. */
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
  const ids = rows.map(({ id }) => id)
  const firsts = await db
    .selectFrom('messages')
    .distinctOn('job_id')
    .select(['job_id', sql<string>`left(prompt, ${storedCharacters})`.as('start')])
    .where('job_id', 'in', ids)
    .orderBy('job_id')
    .orderBy('ordinal')
    .execute()
  const runs = await db
    .selectFrom('runs')
    .select(['job_id', 'started_at', 'ended_at'])
    .where('job_id', 'in', ids)
    .where('started_at', 'is not', null)
    .execute()
  const prompts = new Map(firsts.map(({ job_id: id, start }) => [id, startOfJson(start)]))
  const milliseconds = new Map<string, number>()
  for (const { job_id: id, started_at: start, ended_at: end } of runs) {
    const took = (end ?? clock.now()).getTime() - (start?.getTime() ?? 0)
    milliseconds.set(id, (milliseconds.get(id) ?? 0) + Math.max(0, took))
  }
  return rows.map((row) => {
    const job = toJobResponse(row, publicUrl)
    const spent = milliseconds.get(row.id)
    return {
      ...job,
      result: job.result && { ...job.result, text: cut(job.result.text, listedResultUnits) },
      projectId: row.project_id,
      prompt: cut(prompts.get(row.id) ?? '', promptUnits),
      seconds: spent === undefined ? null : Math.round(spent / 1_000),
    }
  })
}

/** The text of a JSON string that may be cut anywhere, also inside an escape. */
export function startOfJson(text: string): string {
  const [, whole = ''] = /^"((?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*)/.exec(text) ?? []
  return JSON.parse(`"${whole}"`) as string
}
