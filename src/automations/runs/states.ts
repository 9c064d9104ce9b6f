// How runs of automations are getting on. A run is a message to a job: it is queued until a run of that job takes it, and has
// the state of that run from then on.
//
//   message waits ──► queued           its job has failed or was cancelled meanwhile ──► failed
//   taken ──────────► running ──► pull_request, no_changes, needs_input, failed
//
// People may continue a run that failed or asked: their messages bring the job another run, which has its edits. So as long as no
// later run of an automation came between, the first of these runs that ended well counts, and otherwise the last. A run that ended before
// it took a message is that of the first one which waited for it.

import { sql } from 'kysely'
import { readContribution } from '../../jobs/appends/contribution.ts'
import { toUsage, type UsageResponse } from '../../jobs/response.ts'
import { titleOfResult } from '../../jobs/run/ends/result.ts'
import type { JobRow, RunRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'

/** `said`: a line of the agent about it; null: it said nothing. `runId`: the run of the job that it is. */
type Ended = { readonly runId: string | null; readonly endedAt: Date | null; readonly said: string | null }

type Progress = { readonly kind: 'queued' | 'running' } | EndedAs
type EndedAs =
  | (Ended & { readonly kind: 'pull_request' | 'no_changes' | 'needs_input' })
  | (Ended & { readonly kind: 'failed'; readonly code: string; readonly message: string })

/**
 * `jobId`: the job that has its message now. `usage`: of the runs of the job that are this one. `because`: why it began a pull request
 * although another one was open; null: it did not.
 */
type OfRun = { readonly jobId: string; readonly usage: UsageResponse; readonly because: string | null }

export type RunEnd = EndedAs & OfRun
export type RunState = Progress & OfRun

export function hasEnded(state: RunState): state is RunEnd {
  return state.kind !== 'queued' && state.kind !== 'running'
}

/** The number of the run that has not taken a message yet. */
const mostNumber = 2_147_483_647

/** By the ids of runs. Those that sent no message are not there: they ended as their rows say. */
export async function readStates(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, RunState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Found>`/* automations.run_states */
    select own.id, m.job_id as "jobId", m.contribution, j.status, j.error_code as "jobError", j.error_message as "jobMessage", j.updated_at as "updatedAt",
      r.id as "runId", r.state, coalesce(r.outcome, j.outcome) as outcome, r.error_code as error, r.finish,
      r.ended_at as "endedAt", case when r.error_code is null then null else (
        select data from events where job_id = m.job_id and run_id = r.id and type = 'run_ended'
        order by sequence desc limit 1) end as "failedWith",
      coalesce(r.input_tokens, 0)::float8 as input_tokens, coalesce(r.cached_input_tokens, 0)::float8 as cached_input_tokens,
      coalesce(r.output_tokens, 0)::float8 as output_tokens, coalesce(r.turns, 0)::int as turns,
      case when r.id is null then 0 else r.cost_usd end as cost_usd
    from automation_runs own
      join messages m on m.id = coalesce(own.message_id,
        (select id from messages where job_id = own.job_id order by ordinal limit 1))
      join jobs j on j.id = m.job_id
      left join runs taken on taken.id = m.run_id
      left join lateral (
        with sent as (
          select messages.id, ordinal, coalesce(number, ${mostNumber}) as number
          from messages left join runs on runs.id = run_id where messages.job_id = m.job_id)
        select id, state, outcome, error_code, finish, ended_at, well, number, sum(input_tokens) over () as input_tokens,
          sum(cached_input_tokens) over () as cached_input_tokens, sum(output_tokens) over () as output_tokens,
          sum(turns) over () as turns,
          case when bool_or(cost_usd is null) over () then null else sum(cost_usd) over () end as cost_usd
        from (
          select *, state = 'ended' and error_code is null and outcome is distinct from 'needs_input' as well
          from runs where job_id = m.job_id and number >= taken.number) own_runs
        where number < coalesce((
          select min(later.number) from automation_runs other join sent on sent.id = other.message_id
            join runs later on later.job_id = m.job_id and later.number > taken.number and later.number <= sent.number
          where other.ordinal > own.ordinal and (later.number = sent.number or later.state <> 'ended' or not exists (
            select from sent earlier where earlier.ordinal > m.ordinal and earlier.ordinal < sent.ordinal
              and earlier.number >= later.number))), ${mostNumber})
        order by well desc, case when well then number else -number end
        limit 1) r on true
    where own.id in (${sql.join(ids)})`.execute(db)
  return new Map(
    rows.map((row) => {
      const because = readContribution(row)?.because ?? null
      return [row.id, { ...toProgress(row), jobId: row.jobId, usage: toUsage(row), because }]
    }),
  )
}

type Found = Parameters<typeof toUsage>[0] & {
  readonly id: string
  readonly jobId: string
  readonly contribution: string | null
  readonly status: JobRow['status']
  readonly jobError: string | null
  readonly jobMessage: string | null
  readonly updatedAt: Date
  /** null with all that follows: no run has taken the message. */
  readonly runId: string | null
  readonly state: RunRow['state'] | null
  readonly outcome: RunRow['outcome']
  readonly error: string | null
  readonly finish: string | null
  readonly endedAt: Date | null
  /** JSON: the event of the end. */
  readonly failedWith: string | null
}

function toProgress(found: Found): Progress {
  const { status, runId, state, outcome, error, finish, endedAt, failedWith } = found
  if (runId === null) {
    if (status === 'active') return { kind: 'queued' }
    const why = { code: found.jobError ?? 'internal', message: found.jobMessage ?? 'The job ended before it began.' }
    return { kind: 'failed', runId, endedAt: found.updatedAt, said: null, ...why }
  }
  if (state === 'waiting') return { kind: 'queued' }
  if (state === 'running') return { kind: 'running' }
  if (error !== null) return { kind: 'failed', runId, endedAt, said: null, code: error, message: messageIn(failedWith) }
  const said = finish === null ? null : titleOfResult(finish)
  return { kind: outcome === 'partial' ? 'pull_request' : (outcome ?? 'no_changes'), runId, endedAt, said }
}

function messageIn(event: string | null): string {
  const { error } = JSON.parse(event ?? '{}') as { readonly error?: { readonly message: string } | null }
  return error?.message ?? ''
}
