// Creates, reads, changes and deletes the automations of a project. Nothing here starts a job.

import type { JobsContext } from '../jobs/context.ts'
import { refuseModel } from '../jobs/options/model.ts'
import { refuseContext } from '../jobs/sources/choose.ts'
import { Failure, type FailureDetail, invalidFields } from '../lib/failure.ts'
import { createId } from '../lib/id.ts'
import type { ProjectRow } from '../postgres/schema.ts'
import type { AutomationRow } from '../postgres/schema/automations.ts'
import type { Db, Trx } from '../postgres/types.ts'
import type { Grant } from '../projects/grants.ts'
import { type Principal, refuseExcess } from '../projects/keys.ts'
import { globProblem, noTimeZone, toTimeZone } from '../projects/settings.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { newSigningSecret } from '../secrets/signing-secret.ts'
import {
  applyChange,
  type AutomationChange,
  type Beginning,
  type FollowingTrigger,
  isFollowing,
  newColumns,
  type NewAutomation,
  secretPlace,
  type Trigger,
  toAutomation,
  triggerOf,
} from './automation.ts'
import { lockRow } from './lock-row.ts'
import { notifyOfPause } from './notify.ts'
import { refuseMerging } from './outsiders.ts'
import { placeAutomation } from './positions/store.ts'
import { complete, refuseForKind } from './ready/complete.ts'
import { firstSource, refuseLacking } from './ready/lacks.ts'
import { planNext } from './schedule/plan.ts'
import { scheduleProblem } from './schedule/schedule.ts'

export const mostAutomations = 100

export type AutomationsContext = JobsContext & { readonly secrets: Pick<Secrets, 'decrypt' | 'encrypt'> }

/** `secret`: of its events, if it is a new one. It is shown, and its text is not stored. */
export type SavedAutomation = { readonly row: AutomationRow; readonly secret: string | null }

/** By name. */
export function listAutomations(db: Db, projectId: string): Promise<readonly AutomationRow[]> {
  return db.selectFrom('automations').selectAll().where('project_id', '=', projectId).orderBy('name').execute()
}

/** Throws `not_found`. */
export async function readAutomation(db: Db, projectId: string, id: string): Promise<AutomationRow> {
  const query = db.selectFrom('automations').selectAll().where('id', '=', id).where('project_id', '=', projectId)
  return (await query.executeTakeFirst()) ?? noAutomation()
}

/**
 * Without `endsAt`, it ends with the key that makes it. Throws `forbidden` if it would start jobs that `by` could not, or for
 * longer; and `invalid_input`, `automation_exists`, `too_many_automations`, `not_found`.
 */
export async function createAutomation(
  context: AutomationsContext,
  by: Principal,
  projectId: string,
  wanted: NewAutomation & Beginning,
): Promise<SavedAutomation> {
  const given = complete(wanted, await firstSource(context.db, projectId))
  const columns = newColumns({ ...given, endsAt: given.endsAt === undefined ? by.expiresAt : given.endsAt })
  refuseExcess(by, grantOf(projectId, columns.ends_at))
  return await context.db.transaction().execute(async (trx) => {
    const project = await lockForAutomations(trx, projectId)
    const names = await namesOf(trx, projectId)
    if (names.length >= mostAutomations) {
      throw new Failure('too_many_automations', `A project has at most ${mostAutomations} automations.`)
    }
    await refuseWrong(trx, context, project, given)
    await refuseMerging(trx, { ...columns, project_id: projectId })
    await refuseLacking(trx, project, { ...given, trigger: wanted.trigger, modelId: context.modelId })
    if (names.includes(given.name)) throw taken(given.name)
    const now = context.clock.now()
    const id = createId('aut')
    const secret = given.trigger.type === 'event' ? newSigningSecret(context.secrets, secretPlace(id)) : undefined
    const row = { ...columns, id, project_id: projectId, created_at: now, updated_at: now }
    const added = await trx
      .insertInto('automations')
      .values({ ...row, ...planNext(row, project.time_zone, now), event_secret: secret?.encrypted ?? null })
      .returningAll()
      .executeTakeFirstOrThrow()
    await placeAutomation(trx, { automation: added, before: undefined, since: given.since })
    return { row: added, secret: secret?.text ?? null }
  })
}

/**
 * Another trigger, a pause, a resumption and another end plan the next run again, from now on. Another source, branch or paths, and
 * `since`, begin again on the branch. The trigger `event` brings a secret, and another one deletes it. Everybody with the right may pause; otherwise throws like `createAutomation`.
 */
export async function updateAutomation(
  context: AutomationsContext,
  by: Principal,
  { projectId, id }: AutomationPlace,
  change: AutomationChange & Beginning,
): Promise<SavedAutomation> {
  return await context.db.transaction().execute(async (trx) => {
    const project = await lockForAutomations(trx, projectId)
    const before = await lockAutomation(trx, projectId, id)
    const after = applyChange(before, change)
    refuseForKind(toAutomation(after), change)
    if (!isPause(change)) refuseExcess(by, grantOf(projectId, after.ends_at))
    await refuseWrong(trx, context, project, change)
    if (!isPause(change)) await refuseMerging(trx, after)
    if (after.name !== before.name && (await namesOf(trx, projectId)).includes(after.name)) throw taken(after.name)
    const now = context.clock.now()
    const isPlanned =
      after.trigger === before.trigger &&
      after.enabled === before.enabled &&
      after.ends_at?.getTime() === before.ends_at?.getTime()
    const { id: _, project_id: __, created_at: ___, ...columns } = after
    const isEvent = triggerOf(after).type === 'event'
    const secret =
      isEvent && before.event_secret === null ? newSigningSecret(context.secrets, secretPlace(id)) : undefined
    const row = await trx
      .updateTable('automations')
      .set({
        ...columns,
        ...(isPlanned ? {} : planNext(after, project.time_zone, now)),
        ...(after.enabled && !before.enabled ? { paused_because: null, resumed_at: now } : {}),
        event_secret: isEvent ? (secret?.encrypted ?? before.event_secret) : null,
        updated_at: now,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await placeAutomation(trx, { automation: row, before: triggerOf(before), since: change.since })
    if (before.enabled && !row.enabled) await notifyOfPause(trx, row)
    return { row, secret: secret?.text ?? null }
  })
}

/**
 * Replaces the secret of its events: the old one signs nothing from then on. Throws `invalid_input` for another trigger, and
 * otherwise like `createAutomation`.
 */
export async function rotateEventSecret(
  { db, clock, secrets }: AutomationsContext,
  by: Principal,
  { projectId, id }: AutomationPlace,
): Promise<SavedAutomation> {
  return await db.transaction().execute(async (trx) => {
    await lockForAutomations(trx, projectId)
    const before = await lockAutomation(trx, projectId, id)
    refuseExcess(by, grantOf(projectId, before.ends_at))
    const { type } = triggerOf(before)
    if (type !== 'event') {
      throw new Failure('invalid_input', `Only the trigger \`event\` has a secret; this automation has \`${type}\`.`)
    }
    const { text, encrypted } = newSigningSecret(secrets, secretPlace(id))
    const row = await trx
      .updateTable('automations')
      .set({ event_secret: encrypted, updated_at: clock.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return { row, secret: text }
  })
}

type AutomationPlace = { readonly projectId: string; readonly id: string }

/** With its runs. Their jobs and pull requests stay. Throws `not_found`. */
export async function deleteAutomation(db: Db, projectId: string, id: string): Promise<void> {
  const query = db.deleteFrom('automations').where('id', '=', id).where('project_id', '=', projectId)
  if (!(await query.returning('id').executeTakeFirst())) noAutomation()
}

export type LockedForAutomations = Pick<ProjectRow, 'id' | 'model' | 'models' | 'time_zone' | 'automation_caps'>

/**
 * Locks the project until the transaction ends: what starts, and the names and the number of automations, are counted by one
 * transaction after the other. Jobs that others create do not wait. Lock it before an automation. Throws `not_found`.
 */
export async function lockForAutomations(trx: Trx, projectId: string): Promise<LockedForAutomations> {
  const row = await trx
    .selectFrom('projects')
    .select(['id', 'model', 'models', 'time_zone', 'automation_caps'])
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row) return row
  throw new Failure('not_found', 'There is no such project.')
}

/** Throws `not_found`. */
export async function lockAutomation(trx: Trx, projectId: string, id: string): Promise<AutomationRow> {
  const row = await lockRow(trx, id)
  return row?.project_id === projectId ? row : noAutomation()
}

/** An automation starts jobs in its project, from everywhere, until it ends. */
function grantOf(projectId: string, endsAt: Date | null): Grant {
  return { scope: 'write', projectIds: [projectId], expiresAt: endsAt, allowedAddresses: null }
}

function isPause(change: AutomationChange): boolean {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return given.every(([name, value]) => name === 'enabled' && value === false)
}

async function namesOf(trx: Trx, projectId: string): Promise<readonly string[]> {
  const rows = await trx.selectFrom('automations').select('name').where('project_id', '=', projectId).execute()
  return rows.map(({ name }) => name)
}

/** Throws `invalid_input`. */
async function refuseWrong(
  trx: Trx,
  { modelId }: JobsContext,
  project: LockedForAutomations,
  { trigger, scope, model, sources }: AutomationChange,
): Promise<void> {
  const details: FailureDetail[] = trigger === undefined ? [] : [...triggerDetails(trigger)]
  for (const [at, glob] of (scope ?? []).entries()) {
    const message = globProblem(glob)
    if (message !== null) details.push({ pointer: `#/scope/${at}`, message })
  }
  if (details.length > 0) throw invalidFields(details)
  if (typeof model === 'string') refuseModel(model, project, modelId)
  if (sources) await refuseContext(trx, project.id, sources, 'sources')
  if (trigger?.type === 'code' && trigger.source !== null) await refuseSource(trx, project.id, trigger.source)
}

async function refuseSource(trx: Trx, projectId: string, name: string): Promise<void> {
  const known = await trx.selectFrom('sources').select('name').where('project_id', '=', projectId).execute()
  if (known.some((source) => source.name === name)) return
  const has = known.length === 0 ? 'which has no source' : `which has ${known.map((source) => source.name).join(', ')}`
  throw invalidFields([
    { pointer: '#/trigger/source', message: `must be a source of the project, ${has}; null is its own repository` },
  ])
}

function triggerDetails(trigger: Trigger): readonly FailureDetail[] {
  if (isFollowing(trigger)) return followDetails(trigger)
  if (trigger.type !== 'schedule') return []
  const cron = scheduleProblem(trigger.cron)
  const isZone = trigger.timeZone === null || toTimeZone(trigger.timeZone) !== undefined
  return [
    ...(cron === null ? [] : [{ pointer: '#/trigger/cron', message: cron }]),
    ...(isZone ? [] : [{ pointer: '#/trigger/timeZone', message: noTimeZone }]),
  ]
}

function followDetails(trigger: FollowingTrigger): readonly FailureDetail[] {
  const paths = trigger.paths.flatMap((glob, at) => {
    const problem = globProblem(glob)
    return problem === null ? [] : [{ pointer: `#/trigger/paths/${at}`, message: problem }]
  })
  const when = trigger.type === 'docs' || trigger.when === 'merge' ? null : scheduleProblem(trigger.when)
  return when === null ? paths : [...paths, { pointer: '#/trigger/when', message: `${when}; or \`merge\`` }]
}

function taken(name: string): Failure {
  return new Failure('automation_exists', `The project has an automation \`${name}\` already.`)
}

function noAutomation(): never {
  throw new Failure('not_found', 'There is no such automation in this project.')
}
