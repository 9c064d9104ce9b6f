// Creates, reads, changes and deletes the webhooks of a project. Nothing here sends anything.

import type { Clock } from '../../lib/clock.ts'
import { Failure, invalidInput } from '../../lib/failure.ts'
import { createId } from '../../lib/id.ts'
import type { WebhookRow } from '../../postgres/schema/notifications.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import type { Grant } from '../../projects/grants.ts'
import { type Principal, refuseExcess } from '../../projects/keys.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { newSigningSecret } from '../../secrets/signing-secret.ts'
import { failWaiting } from '../deliveries/queue.ts'
import { type NotificationType, notificationTypes } from '../notification.ts'
import { secretPlace, splitUrl, urlProblem, type Webhook } from './webhook.ts'

export const mostWebhooks = 20

export type WebhooksContext = {
  readonly db: Db
  readonly clock: Pick<Clock, 'now'>
  readonly secrets: Pick<Secrets, 'encrypt'>
  /** `host` or `host:port` that may be private, an IP literal, or plain http. */
  readonly privateHosts: readonly string[]
}

export type NewWebhook = {
  readonly url: string
  readonly events?: readonly NotificationType[] | undefined
  readonly format?: Webhook['format'] | undefined
  readonly enabled?: boolean | undefined
  readonly endsAt?: Date | null | undefined
}
/** A missing field stays as it is, and so does the format. */
export type WebhookChange = Omit<NewWebhook, 'url' | 'format'> & { readonly url?: string | undefined }
export type WebhookPlace = { readonly projectId: string; readonly id: string }

/** `secret`: what signs its requests, if it is a new one. It is shown, and its text is not stored. */
export type SavedWebhook = { readonly row: WebhookRow; readonly secret: string | null }

/** In the order in which they were made. */
export function listWebhooks(db: Db, projectId: string): Promise<readonly WebhookRow[]> {
  const query = db.selectFrom('webhooks').selectAll().where('project_id', '=', projectId)
  return query.orderBy('created_at').orderBy('id').execute()
}

/** Throws `not_found`. */
export async function readWebhook(db: Db, { projectId, id }: WebhookPlace): Promise<WebhookRow> {
  const query = db.selectFrom('webhooks').selectAll().where('id', '=', id).where('project_id', '=', projectId)
  return (await query.executeTakeFirst()) ?? noWebhook()
}

/**
 * Without `endsAt`, it ends with the key that makes it. Throws `forbidden` if it would show more, or for longer, than `by` may
 * see; and `invalid_input`, `too_many_webhooks`, `not_found`.
 */
export async function createWebhook(
  { db, clock, secrets, privateHosts }: WebhooksContext,
  by: Principal,
  projectId: string,
  given: NewWebhook,
): Promise<SavedWebhook> {
  const endsAt = given.endsAt === undefined ? by.expiresAt : given.endsAt
  refuseExcess(by, grantOf(projectId, endsAt))
  refuseUrl(given.url, privateHosts)
  const format = given.format ?? 'standard'
  const id = createId('whk')
  const now = clock.now()
  return await db.transaction().execute(async (trx) => {
    await lockProject(trx, projectId)
    const all = await trx.selectFrom('webhooks').select('id').where('project_id', '=', projectId).execute()
    if (all.length >= mostWebhooks) {
      throw new Failure('too_many_webhooks', `A project has at most ${mostWebhooks} webhooks.`)
    }
    const made = format === 'slack' ? hidePath(secrets, id, given.url) : withSecret(secrets, id, given.url)
    const row = await trx
      .insertInto('webhooks')
      .values({
        id,
        project_id: projectId,
        format,
        ...made.columns,
        events: [...new Set(given.events ?? notificationTypes)],
        enabled: given.enabled ?? true,
        ends_at: endsAt,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { row, secret: made.text }
  })
}

/**
 * Waiting deliveries go to a new address. Turning it off ends them; turning it on again forgets why it was disabled. Everybody with
 * the right may turn it off; otherwise throws like `createWebhook`.
 */
export async function updateWebhook(
  { db, clock, secrets, privateHosts }: WebhooksContext,
  by: Principal,
  { projectId, id }: WebhookPlace,
  { url, events, enabled, endsAt }: WebhookChange,
): Promise<WebhookRow> {
  if (url !== undefined) refuseUrl(url, privateHosts)
  return await db.transaction().execute(async (trx) => {
    const before = await lockWebhook(trx, { projectId, id })
    const end = endsAt === undefined ? before.ends_at : endsAt
    const isOnlyOff = enabled === false && url === undefined && events === undefined && endsAt === undefined
    if (!isOnlyOff) refuseExcess(by, grantOf(projectId, end))
    if (enabled === false) await failWaiting(trx, id, 'the webhook was turned off')
    const address = url === undefined ? {} : before.format === 'slack' ? hidePath(secrets, id, url).columns : { url }
    return await trx
      .updateTable('webhooks')
      .set({
        ...address,
        ...(events === undefined ? {} : { events: [...new Set(events)] }),
        ...(enabled === undefined ? {} : { enabled, disabled_because: null }),
        ends_at: end,
        updated_at: clock.now(),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** Replaces what signs its requests. Throws `invalid_input` for the format `slack`, and otherwise like `createWebhook`. */
export async function rotateWebhookSecret(
  { db, clock, secrets }: WebhooksContext,
  by: Principal,
  { projectId, id }: WebhookPlace,
): Promise<SavedWebhook> {
  return await db.transaction().execute(async (trx) => {
    const before = await lockWebhook(trx, { projectId, id })
    refuseExcess(by, grantOf(projectId, before.ends_at))
    if (before.format === 'slack') {
      throw new Failure('invalid_input', 'Requests to Slack are not signed. If others know the address, replace it.')
    }
    const { text, encrypted } = newSigningSecret(secrets, secretPlace(id))
    const set = { secret: encrypted, updated_at: clock.now() }
    const row = await trx.updateTable('webhooks').set(set).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
    return { row, secret: text }
  })
}

/** Also deletes the list of its deliveries. Throws `not_found`. */
export async function deleteWebhook(db: Db, { projectId, id }: WebhookPlace): Promise<void> {
  const query = db.deleteFrom('webhooks').where('id', '=', id).where('project_id', '=', projectId)
  if ((await query.executeTakeFirst()).numDeletedRows === 0n) noWebhook()
}

/** Throws `not_found`. */
export async function lockWebhook(trx: Trx, { projectId, id }: WebhookPlace): Promise<WebhookRow> {
  const query = trx.selectFrom('webhooks').selectAll().where('id', '=', id).where('project_id', '=', projectId)
  return (await query.forNoKeyUpdate().executeTakeFirst()) ?? noWebhook()
}

/** So that two requests together cannot exceed the number of webhooks. */
async function lockProject(trx: Trx, projectId: string): Promise<void> {
  const query = trx.selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate()
  if (!(await query.executeTakeFirst())) throw new Failure('not_found', 'There is no such project.')
}

function grantOf(projectId: string, endsAt: Date | null): Grant {
  return { scope: 'read', projectIds: [projectId], expiresAt: endsAt, allowedAddresses: null }
}

function refuseUrl(url: string, privateHosts: readonly string[]): void {
  const problem = urlProblem(url, privateHosts)
  if (problem !== null) throw invalidInput('#/url', problem)
}

type Made = { readonly columns: Pick<WebhookRow, 'url' | 'secret'>; readonly text: string | null }

function withSecret(secrets: WebhooksContext['secrets'], id: string, url: string): Made {
  const { text, encrypted } = newSigningSecret(secrets, secretPlace(id))
  return { columns: { url: new URL(url).href, secret: encrypted }, text }
}

function hidePath(secrets: WebhooksContext['secrets'], id: string, url: string): Made {
  const { owner, purpose } = secretPlace(id)
  const { origin, path } = splitUrl(url)
  return { columns: { url: origin, secret: secrets.encrypt(owner, purpose, path) }, text: null }
}

function noWebhook(): never {
  throw new Failure('not_found', 'There is no such webhook in this project.')
}
