// Starts a run of an automation: adds its row and sends its message in one transaction, so a slot has one job or is still due,
// wherever the process dies. An automation has one run at a time, and at most one that waits for it.
//
//   nothing is open ─────────────► begins
//   a run is open ───────────────► waits, and begins when that one has ended
//   one waits already ───────────► skipped: the one that waits does its work, too
//   it follows a branch ─────────► waits, until the commits are judged
//
//   begins: a cap of the day is reached ──► capped
//           the job is refused ───────────► failed    the model or a source that it names is gone
//           `one`, and an open one has room ► a message to the job of that pull request
//           otherwise ────────────────────► its job

import { addJob, type AddedJob, type AddJobContext } from '../../jobs/create.ts'
import { addFollowUp } from '../../jobs/message.ts'
import { refuseSettings } from '../../jobs/options/settings.ts'
import { Failure } from '../../lib/failure.ts'
import { createId } from '../../lib/id.ts'
import type { AutomationRow, AutomationRunRow } from '../../postgres/schema/automations.ts'
import type { Trx } from '../../postgres/types.ts'
import { isFollowing, toAutomation, triggerOf } from '../automation.ts'
import type { BoundedPayload } from '../events/payload.ts'
import type { LockedForAutomations } from '../automations.ts'
import { notifyOfFailure } from '../notify.ts'
import { readyKindOf } from '../ready/kinds.ts'
import { readingsOf } from '../ready/options.ts'
import { promptOf } from '../ready/prompt.ts'
import { findReachedCap } from './caps.ts'
import type { GivenCommits } from './commit-range.ts'
import { joinPayloads, readPayloads } from './joined.ts'
import { findOpenJob } from './open-job.ts'
import { findOpen } from './open.ts'

/** `slot`: of a schedule. `eventId`: as the sender gave it. `name`: of a person or key. `personId`: the person, signed in. */
export type StartedBy =
  | { readonly trigger: 'schedule'; readonly slot: Date }
  | {
      readonly trigger: 'event'
      readonly eventId: string | null
      readonly name: string | null
      readonly data: BoundedPayload
    }
  | { readonly trigger: 'person'; readonly name: string; readonly personId: string | undefined }
  | { readonly trigger: 'docs' | 'code' }

export type Start = {
  readonly automation: AutomationRow
  readonly project: LockedForAutomations
  readonly by: StartedBy
  readonly now: Date
}

/** The caller holds the locks of the project and of the automation, in this order. */
export async function startRun(trx: Trx, context: AddJobContext, start: Start): Promise<AutomationRunRow> {
  const { automation, by, now } = start
  const open = await findOpen(trx, automation, now)
  const waiting = open.find(({ job_id: jobId }) => jobId === null)
  if (waiting) {
    if (by.trigger === 'event') await addPayload(trx, waiting, by.data)
    const reason = `The run ${waiting.id} was waiting already, and does its work, too.`
    return await addRun(trx, start, { ended_as: 'skipped', reason })
  }
  const row = await addRun(trx, start, {})
  const waits = open.length > 0 || isFollowing(triggerOf(automation))
  return waits ? row : await beginRun(trx, context, { ...start, row })
}

/** Adds a run that waits, or one that has ended. */
export async function addRun(
  trx: Trx,
  { automation, by, now }: Omit<Start, 'project'>,
  ended: Partial<Pick<AutomationRunRow, 'ended_as' | 'reason' | 'usage'>>,
): Promise<AutomationRunRow> {
  return await trx
    .insertInto('automation_runs')
    .values({
      id: createId('aru'),
      automation_id: automation.id,
      trigger: by.trigger,
      slot: by.trigger === 'schedule' ? by.slot : null,
      event_id: by.trigger === 'event' ? by.eventId : null,
      started_by: 'name' in by ? by.name : null,
      person_id: by.trigger === 'person' ? (by.personId ?? null) : null,
      data: by.trigger === 'event' ? JSON.stringify([by.data]) : null,
      settled_at: ended.ended_as === undefined ? null : now,
      ...ended,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export type Begin = Omit<Start, 'by'> & {
  /** It waits. */
  readonly row: AutomationRunRow
  /** The commits of the branch that the automation follows. */
  readonly given?: GivenCommits | undefined
}

/** Begins a run that waits. The caller holds the locks of the project and of the automation. */
export async function beginRun(trx: Trx, context: AddJobContext, begin: Begin): Promise<AutomationRunRow> {
  const { automation, row, now, given } = begin
  const begun = await beginJob(trx, context, begin)
  const begunRow = await trx
    .updateTable('automation_runs')
    .set({
      ...begun,
      ...(given ? { ranges: JSON.stringify(given.ranges), generation: given.generation } : {}),
      settled_at: begun.ended_as === null ? null : now,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (begun.ended_as === 'failed') await notifyOfFailure(trx, automation)
  return begunRow
}

/** The reason of a run that waited. */
export const isPaused = 'The automation was paused before the run began.'

async function addPayload(trx: Trx, { id, data }: AutomationRunRow, payload: BoundedPayload): Promise<void> {
  const all = JSON.stringify([...readPayloads(data), payload])
  await trx.updateTable('automation_runs').set({ data: all }).where('id', '=', id).execute()
}

type Begun = Pick<AutomationRunRow, 'job_id' | 'message_id' | 'ended_as' | 'reason'>

async function beginJob(trx: Trx, context: AddJobContext, begin: Begin): Promise<Begun> {
  const { automation, project, now } = begin
  const reached = await findReachedCap(trx, automation, project, now)
  if (reached !== undefined) return without('capped', reached)
  try {
    const { jobId, messageId } = await addJobOrMessage(trx, context, begin)
    return { job_id: jobId, message_id: messageId, ended_as: null, reason: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'invalid_input') return without('failed', error.message)
    if (error.code === 'too_many_messages') return without('skipped', error.message)
    throw error
  }
}

type Added = { readonly jobId: string; readonly messageId: string }

/** Throws `invalid_input` and `too_many_messages` before it has written anything. */
async function addJobOrMessage(trx: Trx, context: AddJobContext, begin: Begin): Promise<Added> {
  const { automation, project, row, given, now } = begin
  const job = toJob(context, begin)
  if (automation.grouping === 'each') return toAdded(await addJob(trx, context, job))
  const { job: open, because } = await findOpenJob(trx, automation, now)
  const contribution = { runId: row.id, by: sayBy(row), ranges: given?.ranges ?? [], because }
  if (!open) return toAdded(await addJob(trx, context, { ...job, contribution }))
  await refuseSettings(trx, context, { project, projectId: project.id, settings: job })
  const { projectId, prompt, data, reads, personId, at } = job
  const message = { projectId, jobId: open.id, prompt, data, reads, personId, at, contribution, settings: job }
  return { jobId: open.id, messageId: (await addFollowUp(trx, message)).messageId }
}

function toAdded({ row, messageId }: AddedJob): Added {
  return { jobId: row.id, messageId }
}

function sayBy({ trigger, slot, event_id: eventId, started_by: name }: AutomationRunRow): string {
  if (trigger === 'schedule') return slot === null ? 'schedule' : `schedule, ${slot.toISOString().slice(0, 16)}Z`
  if (trigger === 'event') return eventId === null ? 'event' : `event ${eventId}`
  return name ?? trigger
}

function without(ended: NonNullable<Begun['ended_as']>, reason: string): Begun {
  return { job_id: null, message_id: null, ended_as: ended, reason }
}

/** Throws `invalid_input` if its model cannot do what its kind asks for. */
function toJob({ modelId }: AddJobContext, { automation: of, project, row, given, now }: Begin) {
  const automation = toAutomation(of)
  const { name, kind, options, sources, scope, model, budgets, update } = automation
  const limited = Object.entries(budgets).filter(([, limit]) => limit !== null)
  const needed = given?.source === undefined || sources?.includes(given.source) ? sources : addTo(sources, given.source)
  return {
    projectId: of.project_id,
    prompt: promptOf(automation, model ?? project.model ?? modelId, given?.words),
    at: now,
    data: given === undefined ? joinPayloads(readPayloads(row.data)) : given.data,
    personId: row.person_id ?? undefined,
    model: model ?? undefined,
    // One that is to be merged is a draft only if a reviewer must know something first.
    draft: update === 'pull_request' ? undefined : update === 'draft',
    context: needed ?? undefined,
    reads: readingsOf(kind, options),
    limits: { budget: Object.fromEntries(limited), scope, redirects: readyKindOf(kind)?.redirects },
    origin: { kind: 'automation', name, link: null, automationId: automation.id, runId: row.id },
  } as const
}

/** null: all of the project. */
function addTo(sources: readonly string[] | null, source: string): readonly string[] | null {
  return sources === null ? null : [...sources, source]
}
