// Starts what sends notifications from a process.

import type { Postgres } from '../postgres/types.ts'
import { deliveriesChannel } from './add.ts'
import { keepDelivering, type DeliverOptions } from './deliveries/keep-delivering.ts'
import { freeClaims } from './deliveries/queue.ts'
import { attemptMail, type MailContext } from './mail/attempt.ts'
import { type AttemptContext, attemptWebhook } from './webhooks/attempt.ts'

type Options = AttemptContext &
  MailContext &
  Pick<DeliverOptions, 'clock' | 'log' | 'metrics' | 'random'> & {
    readonly listen: Postgres['listen']
    /** No other process uses the database: every other claim is that of a dead one. */
    readonly isAlone: boolean
  }

/** The returned function ends it: what is being sent is due again at once. */
export async function startDelivering({ listen, isAlone, ...context }: Options): Promise<() => Promise<void>> {
  if (isAlone) await freeClaims(context.db)
  const stopping = new AbortController()
  const { wake, ended } = keepDelivering({
    ...context,
    attempt: (delivery, signal) =>
      delivery.webhookId === null ? attemptMail(context, delivery, signal) : attemptWebhook(context, delivery, signal),
    signal: stopping.signal,
  })
  const unlisten = await listen(deliveriesChannel, wake)
  return async () => {
    stopping.abort()
    await Promise.all([unlisten(), ended])
  }
}
