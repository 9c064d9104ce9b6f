// Loads the stored turns of a run, and gives the agent's loop the store to write them through.

import { refuseForMessage } from '../../agent/ends/refuse-finish.ts'
import type { TurnStore } from '../../agent/loop.ts'
import type { FailedAttempt, ModelMessage, ModelResponse } from '../../agent/model/types.ts'
import type { ToolsRan } from '../../agent/run-tools.ts'
import type { Finish } from '../../agent/tool.ts'
import { checksNotice, commentNotice, type EventData, kindOf } from '../../agent/notices/notices.ts'
import { type Turn, userMessage } from '../../agent/transcript.ts'
import type { Edit } from '../../git/types.ts'
import { sql } from 'kysely'
import { mapStrings } from '../../lib/outbound/map-strings.ts'
import type { JobRow, RunRow, TurnRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { saveEdits } from '../edits/stored-edits.ts'
import { type LeasedRun, patiently, writeAsRun, writePatiently } from '../queue/lease.ts'
import { noteProgress } from '../queue/runs.ts'
import { findCoAuthors } from './co-authors.ts'
import { addEvents, reach, type RunDeps } from './context.ts'
import { addPagesRead } from '../pages-read.ts'
import { changeJob, countWaitingMessages, lockJob, updateJob } from '../store.ts'
import type { JobEvent } from '../events/events.ts'
import { resultsEvent, turnEvent } from '../events/turn-events.ts'

export async function loadTurns(db: Db, runId: string): Promise<readonly Turn[]> {
  const rows = await db.selectFrom('turns').selectAll().where('run_id', '=', runId).orderBy('number').execute()
  return rows.map(toTurn)
}

export type TurnWork = {
  /** Called when a turn has taken its messages, in the same transaction; the job is locked. */
  readonly opened?: (trx: Trx, job: JobRow) => Promise<void>
  /** Returns the edits since the last call. */
  readonly takeEdits: () => readonly Edit[]
  /** Returns the size of all edits. */
  readonly measure: () => { readonly files: number; readonly bytes: number }
}

type Turned = LeasedRun & { readonly deps: Pick<RunDeps, 'reached' | 'metrics' | 'redactor'> }

export function createTurnStore(context: Turned, { opened, takeEdits, measure }: TurnWork): TurnStore {
  const runId = context.run.id
  const { redact } = context.deps.redactor
  return {
    open: async (number, notices) => {
      const input = await writeAsRun(context, async (trx, run, job) => {
        const messages = [...notices, ...(await takeMessages(trx, run, number))]
        const row = { run_id: runId, number, input: JSON.stringify(messages), created_at: new Date() }
        await trx.insertInto('turns').values(row).execute()
        await opened?.(trx, job)
        if (messages.some((message) => kindOf(message) === 'digest')) await addEvents(trx, run, summarized(number))
        return messages
      })
      await reach(context, 'turn opened')
      return input
    },
    saveAttempt: (number, attempt) => saveAttempt(context, number, attempt),
    saveResponse: async (number, response, isShortened = false) => {
      await reach(context, 'model responded')
      // Responses cost money. An earlier try may have stored this one before it lost its connection: it counts once.
      await writePatiently(context, async (trx, run, job) => {
        const stored = await trx
          .updateTable('turns')
          .set({ answer: JSON.stringify(response) })
          .where('run_id', '=', runId)
          .where('number', '=', number)
          .where('answer', 'is', null)
          .executeTakeFirst()
        if (stored.numUpdatedRows === 0n) return
        await noteProgress(trx, run)
        const counted = { turns: job.turns + 1, ...addUsage(job, response.usage) }
        const turn = turnEvent(number, response, { ...job, ...counted })
        const events = mapStrings([...(isShortened ? [shortened(number)] : []), turn], redact)
        await changeJob(trx, { jobId: job.id, runId }, counted, events)
        await countUsage(trx, run, { ...response.usage, turns: 1 })
      })
      context.deps.metrics.turn({ model: response.model, ...response.usage })
      await reach(context, 'response stored')
    },
    saveResults: (number, ran) => saveResults(context, number, ran, { takeEdits, measure }),
    saveFinish: async (finish) => {
      await reach(context, 'budget used up')
      await writeAsRun(context, (trx, run) => saveFinish(trx, run, finish))
      await reach(context, 'finish stored')
    },
  }
}

/**
 * Adds the usage of an attempt to its turn and its job, once. Not by `writeAsRun`: what was spent counts, even if the run
 * was cancelled meanwhile. The lock of the job keeps the order.
 */
async function saveAttempt(context: Turned, number: number, attempt: FailedAttempt): Promise<void> {
  const { id: runId, job_id: jobId } = context.run
  await reach(context, 'attempt failed')
  await patiently(context, () =>
    context.db.transaction().execute(async (trx) => {
      const job = await lockJob(trx, jobId)
      const turn = trx.selectFrom('turns').select('failed_attempts').where('run_id', '=', runId)
      const row = await turn.where('number', '=', number).executeTakeFirstOrThrow()
      const saved = parseAttempts(row.failed_attempts)
      if (saved.some(({ id }) => id === attempt.id)) return
      const set = { failed_attempts: JSON.stringify([...saved, attempt]) }
      await trx.updateTable('turns').set(set).where('run_id', '=', runId).where('number', '=', number).execute()
      await updateJob(trx, jobId, addUsage(job, attempt.usage))
      const run = await trx.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirstOrThrow()
      await countUsage(trx, run, { ...attempt.usage, turns: 0 })
    }),
  )
  context.deps.metrics.failedAttempt({ model: attempt.model, ...attempt.usage })
  await reach(context, 'attempt stored')
}

type Used = ModelResponse['usage']

type Counted = Pick<JobRow, 'input_tokens' | 'cached_input_tokens' | 'output_tokens' | 'cost_usd'>

async function countUsage(trx: Trx, run: RunRow, { turns, ...used }: Used & { readonly turns: number }): Promise<void> {
  const set = { ...addUsage(run, used), turns: run.turns + turns }
  await trx.updateTable('runs').set(set).where('id', '=', run.id).execute()
}

function addUsage(job: Counted, { inputTokens, cachedInputTokens, outputTokens, costUsd }: Used) {
  return {
    input_tokens: addTokens(job.input_tokens, inputTokens),
    cached_input_tokens: addTokens(job.cached_input_tokens, cachedInputTokens),
    output_tokens: addTokens(job.output_tokens, outputTokens),
    cost_usd: addCost(job.cost_usd, costUsd),
  }
}

function parseAttempts(stored: string | null): readonly FailedAttempt[] {
  return stored === null ? [] : (JSON.parse(stored) as readonly FailedAttempt[])
}

/** Without the finish, if a message waits. */
async function saveResults(
  context: Turned,
  number: number,
  ran: ToolsRan,
  { takeEdits, measure }: Pick<TurnWork, 'takeEdits' | 'measure'>,
): Promise<ToolsRan> {
  const runId = context.run.id
  await reach(context, 'tools ran')
  const saved = await writeAsRun(context, async (trx, run, job) => {
    // A message and a finish both lock the job: one of them comes first.
    const waits = ran.finish !== undefined && (await countWaitingMessages(trx, run.job_id, 'joining')) > 0
    const { results, finish } = waits ? refuseForMessage(ran) : ran
    const set = { results: JSON.stringify(results) }
    await trx.updateTable('turns').set(set).where('run_id', '=', runId).where('number', '=', number).execute()
    await saveEdits(trx, runId, number, takeEdits())
    if (finish) await saveFinish(trx, run, finish)
    const { redact } = context.deps.redactor
    const event = mapStrings(resultsEvent(number, results, measure()), redact)
    const pages = mapStrings(
      results.flatMap(({ facts }) => facts?.fetched ?? []),
      redact,
    )
    if (pages.length === 0) await addEvents(trx, run, event)
    else {
      const change = { pages_read: addPagesRead(job.pages_read, run.number, pages) }
      await changeJob(trx, { jobId: job.id, runId }, change, [event])
    }
    return { results, finish }
  })
  await reach(context, 'results stored')
  return saved
}

export async function saveFinish(trx: Trx, run: RunRow, finish: Finish): Promise<void> {
  const set = { finish: JSON.stringify(finish), co_authors: await findCoAuthors(trx, run) }
  await trx.updateTable('runs').set(set).where('id', '=', run.id).execute()
}

function summarized(turn: number): JobEvent {
  return { type: 'context', turn, change: 'summarized' }
}

function shortened(turn: number): JobEvent {
  return { type: 'context', turn, change: 'shortened' }
}

/** Adds counts, limited to a number that is stored and shown exactly. */
function addTokens(sum: number, tokens: number): number {
  return Math.min(sum + tokens, Number.MAX_SAFE_INTEGER)
}

/** Adds costs; one unknown cost makes the sum unknown. */
function addCost(sum: number | null, cost: number | null): number | null {
  return sum === null || cost === null ? null : sum + cost
}

/**
 * Assigns the waiting messages of its job to the run, in the order in which they arrived. Equal ones, which a person repeats
 * when runs fail, are one message: the last. The first turn also takes what the run was prepared for,
 * but not the comment of somebody who may not push any more (`lost-writers.ts`).
 */
export async function takeMessages(trx: Trx, run: RunRow, turn = 1): Promise<readonly ModelMessage[]> {
  const { rows } = await sql<{ prompt: string; data: string | null; ordinal: number }>`/* messages.take */
    update messages set run_id = ${run.id}
    where job_id = ${run.job_id} and ((run_id is null and contribution is null) or (run_id = ${run.id} and ${turn === 1}))
      and not exists (select 1 from mentions where message_id = messages.id and mentions.state = 'refused')
    returning prompt, data, ordinal`.execute(trx)
  const inOrder = rows.toSorted((a, b) => a.ordinal - b.ordinal)
  const last = new Map(inOrder.map((row) => [row.prompt, row]))
  return [...last.values()]
    .toSorted((a, b) => a.ordinal - b.ordinal)
    .flatMap(({ prompt, data }) => {
      const around = data === null ? undefined : (JSON.parse(data) as EventData)
      return [userMessage(JSON.parse(prompt) as string), ...noticesAbout(around)]
    })
}

/** The payload of an event comes before the messages. */
function noticesAbout(data: EventData | undefined): readonly ModelMessage[] {
  if (data?.about === 'comment') return [commentNotice(data)]
  return data?.about === 'checks' ? [checksNotice(data)] : []
}

export function toTurn(row: TurnRow): Turn {
  return {
    number: row.number,
    input: JSON.parse(row.input) as Turn['input'],
    failed: parseAttempts(row.failed_attempts),
    response: row.answer === null ? undefined : (JSON.parse(row.answer) as Turn['response']),
    results: row.results === null ? undefined : (JSON.parse(row.results) as Turn['results']),
  }
}
