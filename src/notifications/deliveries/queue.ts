// The deliveries that are due, in the database: claiming them, and storing what became of an attempt.
//
//   waiting ─► due ─► claimed ─► delivered
//      ▲                 │ ├───► waiting, due after a pause    the attempt failed
//      │                 │ └───► failed                        it was the last one
//      └─────────────────┴─ (the process dies) ───► due again when the claim ends
//
// A process that dies after the receiver took it sends it again, with the same id: receivers may get a notification twice, and
// never lose one.

import { sql } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import type { DeliveryRow, WebhookRow } from '../../postgres/schema/notifications.ts'
import type { DeliveryState } from '../../lib/observability/metrics.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import type { SentType } from '../notification.ts'
import { mostAttempts, pauseAfter } from './backoff.ts'

/** Longer than an attempt can take. */
const claimSeconds = 60

export type ClaimedDelivery = {
  readonly id: string
  readonly notification: {
    readonly id: string
    readonly type: SentType
    readonly at: Date
    readonly data: string
  }
  readonly project: { readonly id: string; readonly name: string }
  /** Without this one. */
  readonly attempts: number
  readonly webhookId: string | null
  readonly personId: string | null
}

type Row = Omit<ClaimedDelivery, 'notification' | 'project'> & {
  readonly notificationId: string
  readonly type: SentType
  readonly at: Date
  readonly data: string
  readonly projectId: string
  readonly name: string
}

/** The channel of a delivery: its webhook, or the one mail server. */
export const mailChannel = 'mail'
export function channelOf({ webhookId }: Pick<ClaimedDelivery, 'webhookId'>): string {
  return webhookId ?? mailChannel
}

/**
 * Claims at most one delivery for each channel that is not in `busy`, the one that is due for the longest time: what is slow or
 * broken delays only itself. `limit`: for all together.
 */
export async function claimDue(
  db: Db,
  { now, busy, limit }: { readonly now: Date; readonly busy: readonly string[]; readonly limit: number },
): Promise<readonly ClaimedDelivery[]> {
  const isDue = sql`state = 'waiting' and due_at <= ${now} and (claimed_until is null or claimed_until <= now())`
  const first = sql`order by due_at, ordinal limit 1`
  const { rows } = await sql<Row>`/* deliveries.claim */ with due as (
      select one.id from webhooks cross join lateral (
          select id from deliveries where webhook_id = webhooks.id and ${isDue} ${first}) as one
        where webhooks.id <> all(${[...busy]}::text[]) and exists (select from deliveries where ${isDue})
      union all (select id from deliveries
        where person_id is not null and ${mailChannel} <> all(${[...busy]}::text[]) and ${isDue} ${first})),
    claimed as (update deliveries set claimed_until = now() + make_interval(secs => ${claimSeconds})
      where id in (select id from deliveries where id in (select id from due) and ${isDue}
        order by due_at limit ${limit} for update skip locked)
      returning id, notification_id, attempts, webhook_id, person_id)
    select claimed.id, attempts, webhook_id as "webhookId", person_id as "personId", notification_id as "notificationId",
      type, n.created_at as at, data, project_id as "projectId", projects.name
    from claimed join notifications n on n.id = notification_id join projects on projects.id = project_id`.execute(db)
  return rows.map(({ notificationId, type, at, data, projectId, name, ...row }) => ({
    ...row,
    notification: { id: notificationId, type, at, data },
    project: { id: projectId, name },
  }))
}

/** `isFinal`: no other attempt is of use. `isGone`: nor any other delivery to this webhook. `why`: the end of a sentence. */
export type Attempted = {
  readonly kind: 'delivered' | 'failed'
  readonly isFinal?: boolean
  readonly isGone?: boolean
  readonly status: number | null
  readonly excerpt: string | null
  readonly why: string | null
  readonly milliseconds: number
  /** The wait that the receiver asks for. */
  readonly waitSeconds?: number | undefined
}

/** Stores the attempt and ends the claim. Disables a webhook whose deliveries have failed for three days. Returns the state of the delivery. */
export async function recordAttempt(
  db: Db,
  { clock, random }: { readonly clock: Pick<Clock, 'now'>; readonly random: () => number },
  { id, attempts: before, webhookId }: ClaimedDelivery,
  done: Attempted,
): Promise<DeliveryRow['state']> {
  const now = clock.now()
  const attempts = before + 1
  const pause =
    done.isFinal === true || done.isGone === true ? undefined : pauseAfter(attempts, random(), done.waitSeconds)
  const isWaiting = done.kind === 'failed' && pause !== undefined
  const state = isWaiting ? 'waiting' : done.kind
  await db.transaction().execute(async (trx) => {
    // In the order of a deletion: the webhook first.
    const webhook = webhookId === null ? undefined : await lockWebhook(trx, webhookId)
    const stored = await trx
      .updateTable('deliveries')
      .set({
        state,
        attempts,
        due_at: isWaiting ? new Date(now.getTime() + pause) : null,
        claimed_until: null,
        attempted_at: now,
        response_status: done.status,
        excerpt: done.excerpt,
        error: done.why,
        milliseconds: done.milliseconds,
      })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .returning('created_at')
      .executeTakeFirst()
    if (!webhook || !stored) return
    if (state === 'delivered') {
      await trx.updateTable('webhooks').set({ delivered_at: now }).where('id', '=', webhook.id).execute()
    }
    // A webhook that took others meanwhile refuses this one alone.
    const isDead = webhook.delivered_at === null || webhook.delivered_at < stored.created_at
    const isAtEnd = attempts >= mostAttempts && isDead
    if (state === 'failed' && (isAtEnd || done.isGone === true)) await disable(trx, webhook, { done, attempts, now })
  })
  return state
}

async function lockWebhook(trx: Trx, id: string): Promise<WebhookRow | undefined> {
  return await trx.selectFrom('webhooks').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Its waiting deliveries fail now: after it is enabled again, it gets new notifications, and those that a person sends again. */
async function disable(
  trx: Trx,
  { id, enabled }: WebhookRow,
  { done, attempts, now }: { readonly done: Attempted; readonly attempts: number; readonly now: Date },
): Promise<void> {
  if (!enabled) return
  const tried = attempts < mostAttempts ? '' : `${attempts} attempts within three days failed, the last one because `
  const because = `${tried}${done.why ?? 'it failed'}`
  await trx
    .updateTable('webhooks')
    .set({ enabled: false, disabled_because: because, updated_at: now })
    .where('id', '=', id)
    .execute()
  await failWaiting(trx, id, 'the webhook was disabled')
}

export async function failWaiting(trx: Trx, webhookId: string, why: string): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ state: 'failed', due_at: null, error: why })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .execute()
}

/** Makes claimed deliveries due again: all of them, if this process is the only one, or one that was not attempted. */
export async function freeClaims(db: Db, id?: string): Promise<void> {
  const claimed = db.updateTable('deliveries').set({ claimed_until: null }).where('claimed_until', 'is not', null)
  await (id === undefined ? claimed : claimed.where('id', '=', id)).execute()
}

/** For the metrics. Reads the index of the deliveries that wait. */
export async function readDeliveries(db: Db): Promise<DeliveryState> {
  const { rows } = await sql<DeliveryState>`/* deliveries.state */ select
    (select count(*)::integer from deliveries where state = 'waiting') as waiting,
    (select count(*)::integer from webhooks where disabled_because is not null) as "disabledWebhooks"`.execute(db)
  return rows[0] ?? { waiting: 0, disabledWebhooks: 0 }
}

/** Deletes notifications and their deliveries after 30 days. `now`: of the time guard. */
export async function sweepNotifications(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * 86_400_000)
  await db.deleteFrom('notifications').where('created_at', '<', before).execute()
}

export const keptDays = 30
