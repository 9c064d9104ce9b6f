// Numbers and stores the events of a job. An event is written in the transaction of its change, under the lock of its
// job. So the numbers follow the order of the commits, without gaps, and no reader sees event 5 before event 4.

import { sql, type UpdateObject } from 'kysely'
import type { Budget } from '../../agent/budget/budget.ts'
import { notified } from '../../postgres/notify.ts'
import type { EventRow, Schema } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { type JobResult, type Outcome, type Phase, readResult } from '../job.ts'
import type { UsageResponse } from '../response.ts'
import { startOf } from '../../lib/plain-text.ts'

export type JobError = { readonly code: string; readonly message: string }

/** The longest texts in an event, in UTF-16 code units. A longer text is cut and ends with `cutMark`. */
export const eventLimits = { text: 16_000, prompt: 2_000, input: 300, summary: 300, items: 64, message: 2_000 } as const
const cutMark = '… [cut]'

export type JobEvent =
  | { readonly type: 'message'; readonly messageId: string; readonly prompt: string }
  | {
      readonly type: 'run_started'
      readonly number: number
      readonly model: string
      /** `costUsd`: null when there is no limit. */
      readonly budget: Pick<Budget, 'turns' | 'tokens' | 'seconds'> & { readonly costUsd: number | null }
    }
  | { readonly type: 'phase'; readonly phase: Phase }
  /** How far a check is that the run waits for; at most one a second. */
  | { readonly type: 'progress'; readonly phase: 'checking'; readonly done: number; readonly total: number }
  | {
      readonly type: 'turn'
      readonly number: number
      readonly text: string
      readonly calls: readonly { readonly name: string; readonly input: string }[]
      readonly usage: Pick<UsageResponse, 'inputTokens' | 'cachedInputTokens' | 'outputTokens'>
      readonly total: UsageResponse
    }
  | {
      readonly type: 'results'
      readonly turn: number
      readonly results: readonly { readonly tool: string; readonly isError: boolean; readonly summary: string }[]
      readonly changed: { readonly files: number; readonly bytes: number }
    }
  /** The model reads less of earlier work from this turn on: a summary of earlier runs, or older turns in a shorter form. */
  | { readonly type: 'context'; readonly turn: number; readonly change: 'summarized' | 'shortened' }
  | {
      readonly type: 'run_retried'
      readonly code: string
      readonly message: string
      readonly waitSeconds: number
    }
  /** Something that a person should know, although the run succeeds. */
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'run_ended'; readonly error: JobError | null }
  | {
      readonly type: 'job_ended'
      readonly status: 'completed' | 'failed'
      readonly outcome: Outcome | null
      readonly result: JobResult | null
      readonly prLink: string | null
      readonly error: JobError | null
    }
  | { readonly type: 'archived' }

/** An event in the API. */
export type EventResponse = JobEvent & {
  /** 1, 2, … within the job. */
  readonly id: number
  readonly createdAt: string
  /** null for an event outside of any run. */
  readonly runId: string | null
}

/** Notifications on this channel carry the id of the job. */
export const eventsChannel = 'docent_events'

export type Place = { readonly jobId: string; readonly runId: string | null }

/**
 * Adds events. The caller holds the lock of the job's row, which keeps the numbers in order. `change` changes that row in
 * the same statement; `changeJob` passes it.
 */
export async function appendEvents(
  trx: Trx,
  { jobId, runId }: Place,
  events: readonly JobEvent[],
  change: UpdateObject<Schema, 'jobs'> = {},
): Promise<void> {
  const types = events.map(({ type }) => type)
  const data = events.map((event) => JSON.stringify({ ...event, type: undefined }))
  const numbered = trx
    .updateTable('jobs')
    .set({ ...change, last_event: sql`last_event + ${events.length}::integer` })
    .where('id', '=', jobId)
    .returning('last_event')
  await sql`/* events.append */
    with numbered as (${numbered})
    insert into events (job_id, sequence, run_id, type, data, created_at)
    select ${jobId}, last_event - ${events.length}::integer + place, ${runId}, type, data, ${new Date()}
    from numbered, unnest(${types}::text[], ${data}::text[]) with ordinality as given (type, data, place)
    returning ${notified(eventsChannel, jobId)}`.execute(trx)
}

export type EventRange = { readonly jobId: string; readonly after: number; readonly limit: number }

/** Returns the stored events after `after`, in order. `publicUrl` has no trailing slash. */
export async function readEvents(
  db: Db,
  { jobId, after, limit }: EventRange,
  publicUrl: string,
): Promise<readonly EventResponse[]> {
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()
  return rows.map((row) => toEventResponse(row, publicUrl))
}

/** Whether the event ends the job: only a new message or archiving adds an event after it. */
export function endsJob(event: JobEvent): boolean {
  return event.type === 'job_ended' || event.type === 'archived'
}

/** Shortens text to at most `limit` code units, never inside a character. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : startOf(text, limit - cutMark.length) + cutMark
}

const notCounted = { cachedInputTokens: 0 }

/** Earlier releases did not count what a provider read from its cache. */
function complete(event: JobEvent): JobEvent {
  if (event.type !== 'turn') return event
  return { ...event, usage: { ...notCounted, ...event.usage }, total: { ...notCounted, ...event.total } }
}

function toEventResponse(row: EventRow, publicUrl: string): EventResponse {
  const event = complete({ type: row.type, ...(JSON.parse(row.data) as object) } as JobEvent)
  const own = { id: row.sequence, createdAt: row.created_at.toISOString(), runId: row.run_id }
  // A link that Docent serves is stored as a path, because the public address may change.
  if (event.type !== 'job_ended') return { ...own, ...event }
  const prLink = event.prLink?.startsWith('/') ? publicUrl + event.prLink : event.prLink
  // Earlier releases stored no result.
  return { ...own, ...event, result: event.result ? readResult(event.result) : null, prLink }
}
