// The deliveries to a webhook: pages of them, and sending one again.

import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { createId } from '../../lib/id.ts'
import { notify } from '../../postgres/notify.ts'
import type { DeliveryRow, WebhookRow } from '../../postgres/schema/notifications.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { createCursor, noCursor, toPage } from '../../requests/cursor.ts'
import { deliveriesChannel } from '../add.ts'
import { type NotificationData, type SentType, testType } from '../notification.ts'
import { lockWebhook, type WebhookPlace } from './webhooks.ts'

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const

export type Delivery = {
  readonly id: string
  /** `webhook-id` of its requests: the same at each attempt. */
  readonly eventId: string
  readonly type: SentType
  readonly status: (typeof deliveryStates)[number]
  /** Since it was added, or since it was asked for again. */
  readonly attempts: number
  /** The last attempt, with the fields below; null: there was no attempt yet. */
  readonly attemptedAt: string | null
  /** The status of the response; null: there was no response. */
  readonly responseCode: number | null
  /** The first characters of the response, without secrets; null: it was empty. */
  readonly excerpt: string | null
  /** Why the last attempt did not succeed. */
  readonly error: string | null
  readonly milliseconds: number | null
  /** null: there is no next attempt. */
  readonly nextAttemptAt: string | null
  readonly createdAt: string
}

export type DeliveryPage = { readonly deliveries: readonly Delivery[]; readonly nextCursor: string | null }
export type DeliveryFilter = {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly status?: Delivery['status'] | undefined
}

const cursor = createCursor('d', 'dlv_[a-z0-9]{20}')

/** Newest first. Throws `invalid_input` for an invalid cursor. */
export async function listDeliveries(db: Db, webhookId: string, filter: DeliveryFilter): Promise<DeliveryPage> {
  let query = withType(db).where('webhook_id', '=', webhookId)
  if (filter.status !== undefined) query = query.where('state', '=', filter.status)
  if (filter.cursor !== undefined) {
    const id = cursor.read(filter.cursor)
    const last = db.selectFrom('deliveries').select('ordinal').where('webhook_id', '=', webhookId).where('id', '=', id)
    query = query.where('ordinal', '<', (await last.executeTakeFirst())?.ordinal ?? noCursor())
  }
  const rows = await query
    .orderBy('ordinal', 'desc')
    .limit(filter.limit + 1)
    .execute()
  const { page, nextCursor } = toPage(rows, { limit: filter.limit, cursor, keyOf: ({ id }) => id })
  return { deliveries: page.map(toDelivery), nextCursor }
}

/**
 * Makes a delivery due now, with all its attempts ahead. Harmless while it waits. Throws `not_found`, and `webhook_disabled` while
 * nothing is sent to the webhook.
 */
export async function redeliver(
  { db, clock }: { readonly db: Db; readonly clock: Pick<Clock, 'now'> },
  place: WebhookPlace,
  deliveryId: string,
): Promise<Delivery> {
  return await db.transaction().execute(async (trx) => {
    const now = clock.now()
    refuseOff(await lockWebhook(trx, place), now)
    await trx
      .updateTable('deliveries')
      .set({ state: 'waiting', attempts: 0, due_at: now })
      .where('id', '=', deliveryId)
      .where('webhook_id', '=', place.id)
      .execute()
    return await sendNow(trx, place, deliveryId)
  })
}

/**
 * Sends an event of the type `webhook.test` to one webhook, once: an attempt that fails is not repeated. Throws `not_found`, and
 * `webhook_disabled` while nothing is sent to it.
 */
export async function sendTest(
  { db, clock }: { readonly db: Db; readonly clock: Pick<Clock, 'now'> },
  place: WebhookPlace,
): Promise<Delivery> {
  return await db.transaction().execute(async (trx) => {
    const now = clock.now()
    refuseOff(await lockWebhook(trx, place), now)
    const data = JSON.stringify({ webhook: { id: place.id } } satisfies NotificationData)
    const notification = { id: createId('evt'), project_id: place.projectId, type: testType, data, created_at: now }
    await trx.insertInto('notifications').values(notification).execute()
    const id = createId('dlv')
    const receiver = { webhook_id: place.id, person_id: null, notification_id: notification.id }
    await trx
      .insertInto('deliveries')
      .values({ id, ...receiver, state: 'waiting', due_at: now, created_at: now })
      .execute()
    return await sendNow(trx, place, id)
  })
}

function refuseOff({ enabled, ends_at: end }: WebhookRow, now: Date): void {
  if (!enabled) throw new Failure('webhook_disabled', 'The webhook is off: turn it on, then send it again.')
  if (end !== null && end <= now) throw new Failure('webhook_disabled', `The webhook ended at ${end.toISOString()}.`)
}

/** Wakes up what sends deliveries, after the commit. */
async function sendNow(trx: Trx, place: WebhookPlace, id: string): Promise<Delivery> {
  const row = await withType(trx).where('webhook_id', '=', place.id).where('deliveries.id', '=', id).executeTakeFirst()
  if (!row) throw new Failure('not_found', 'The webhook has no such delivery.')
  await notify(trx, deliveriesChannel)
  return toDelivery(row)
}

function withType(db: Db) {
  return db
    .selectFrom('deliveries')
    .innerJoin('notifications', 'notifications.id', 'notification_id')
    .selectAll('deliveries')
    .select('type')
}

function toDelivery(row: DeliveryRow & { readonly type: string }): Delivery {
  return {
    id: row.id,
    eventId: row.notification_id,
    type: row.type as SentType,
    status: row.state,
    attempts: row.attempts,
    attemptedAt: row.attempted_at?.toISOString() ?? null,
    responseCode: row.response_status,
    excerpt: row.excerpt,
    error: row.error,
    milliseconds: row.milliseconds,
    nextAttemptAt: row.due_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}
