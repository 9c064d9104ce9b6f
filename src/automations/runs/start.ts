// Starts a run of an automation: adds its row and creates its job in one transaction, so a slot has one job or is still due,
// wherever the process dies.
//
//   another job of it is active ──► skipped
//   a cap of the day is reached ──► capped
//   the job is refused ───────────► failed    the model or a source that it names is gone
//   otherwise ────────────────────► its job

import { addJob, type AddJobContext } from '../../jobs/create.ts'
import { Failure } from '../../lib/failure.ts'
import { createId } from '../../lib/id.ts'
import type { AutomationRow, AutomationRunRow } from '../../postgres/schema/automations.ts'
import type { Trx } from '../../postgres/types.ts'
import { toAutomation } from '../automation.ts'
import type { BoundedPayload } from '../events/payload.ts'
import type { LockedForAutomations } from '../automations.ts'
import { findReachedCap } from './caps.ts'

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

export type Start = {
  readonly automation: AutomationRow
  readonly project: LockedForAutomations
  readonly by: StartedBy
  readonly now: Date
}

/** The caller holds the locks of the project and of the automation, in this order. */
export async function startRun(trx: Trx, context: AddJobContext, start: Start): Promise<AutomationRunRow> {
  const { automation, by, now } = start
  const id = createId('aru')
  const ended = await beginJob(trx, context, { ...start, id })
  return await trx
    .insertInto('automation_runs')
    .values({
      id,
      automation_id: automation.id,
      trigger: by.trigger,
      slot: by.trigger === 'schedule' ? by.slot : null,
      event_id: by.trigger === 'event' ? by.eventId : null,
      started_by: by.trigger === 'schedule' ? null : by.name,
      ...ended,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

type Begun = Pick<AutomationRunRow, 'job_id' | 'message_id' | 'ended_as' | 'reason'>

async function beginJob(trx: Trx, context: AddJobContext, start: Start & { readonly id: string }): Promise<Begun> {
  const { automation, project, now } = start
  const active = await findActiveJob(trx, automation.id)
  if (active !== undefined) return without('skipped', `Its job ${active} is still active.`)
  const reached = await findReachedCap(trx, automation, project, now)
  if (reached !== undefined) return without('capped', reached)
  try {
    const { row, messageId } = await addJob(trx, context, toJob(start))
    return { job_id: row.id, message_id: messageId, ended_as: null, reason: null }
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid_input') return without('failed', error.message)
    throw error
  }
}

function without(ended: NonNullable<Begun['ended_as']>, reason: string): Begun {
  return { job_id: null, message_id: null, ended_as: ended, reason }
}

function toJob({ automation: row, by, id }: Start & { readonly id: string }) {
  const { name, instructions, sources, scope, model, budgets, update } = toAutomation(row)
  const limited = Object.entries(budgets).filter(([, limit]) => limit !== null)
  return {
    projectId: row.project_id,
    prompt: instructions,
    data: by.trigger === 'event' ? by.data : undefined,
    personId: by.trigger === 'person' ? by.personId : undefined,
    model: model ?? undefined,
    draft: update === 'draft' ? true : undefined,
    context: sources ?? undefined,
    limits: { budget: Object.fromEntries(limited), scope },
    origin: { kind: 'automation', name, link: null, automationId: row.id, runId: id },
  } as const
}

async function findActiveJob(trx: Trx, automationId: string): Promise<string | undefined> {
  const found = await trx
    .selectFrom('automation_runs')
    .innerJoin('jobs', 'jobs.id', 'automation_runs.job_id')
    .select('jobs.id')
    .where('automation_id', '=', automationId)
    .where('jobs.status', '=', 'active')
    .executeTakeFirst()
  return found?.id
}
