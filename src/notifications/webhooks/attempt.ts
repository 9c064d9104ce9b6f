// One attempt to deliver a notification to its webhook: reads the webhook as it is now, makes the request, and sends it.

import type { Clock } from '../../lib/clock.ts'
import type { WebhookRow } from '../../postgres/schema/notifications.ts'
import type { Db } from '../../postgres/types.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { readSecret } from '../../secrets/signing-secret.ts'
import type { Attempted, ClaimedDelivery } from '../deliveries/queue.ts'
import { testType } from '../notification.ts'
import { type NotifyingContext, readData } from '../read-data.ts'
import { toWords } from '../words.ts'
import { type Message, slackMessage, standardMessage } from './message.ts'
import { sendRequest, type WebhookNetwork } from './send.ts'
import { secretPlace } from './webhook.ts'

export type AttemptContext = NotifyingContext & {
  readonly db: Db
  readonly clock: Pick<Clock, 'now'>
  readonly secrets: Pick<Secrets, 'decrypt'>
  readonly network: WebhookNetwork
}

/** Throws the reason of `signal`, and errors of the database. */
export async function attemptWebhook(
  context: AttemptContext,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Attempted> {
  const { db, clock, secrets, network, redact } = context
  const webhook = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', delivery.webhookId ?? '')
    .executeTakeFirst()
  if (!webhook?.enabled) return never('the webhook is off')
  if (webhook.ends_at !== null && webhook.ends_at <= clock.now()) return never('the webhook has ended')
  const secret = readSecret(secrets, secretPlace(webhook.id), webhook.secret)
  if (secret === undefined) {
    return { ...never('its secret cannot be read: the key of stored secrets has changed'), isGone: true }
  }
  const { headers, body } = toMessage(context, { delivery, webhook, secret })
  const url = new URL(webhook.format === 'slack' ? `${webhook.url}${secret}` : webhook.url)
  const sent = await sendRequest({ url, headers, body, secret }, { ...network, redact }, signal)
  // A person waits for the result, and asks for another one.
  return delivery.notification.type === testType ? { ...sent, isFinal: true } : sent
}

type Sent = { readonly delivery: ClaimedDelivery; readonly webhook: WebhookRow; readonly secret: string }

function toMessage(context: AttemptContext, { delivery, webhook, secret }: Sent): Message {
  const { notification, project } = delivery
  const data = readData(context, delivery)
  if (webhook.format === 'standard') return standardMessage({ ...notification, data }, secret, context.clock.now())
  return slackMessage(toWords({ type: notification.type, data, project, publicUrl: context.publicUrl }))
}

function never(why: string): Attempted {
  return { kind: 'failed', isFinal: true, status: null, excerpt: null, why, milliseconds: 0 }
}
