// Sends what is due, until it is stopped. Each channel, a webhook or the mail server, has one delivery at a time, in their
// order: one that is slow or broken delays no other. Several processes may do this at once.

import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { Metrics } from '../../lib/observability/metrics.ts'
import { createPause } from '../../postgres/pause.ts'
import type { Db } from '../../postgres/types.ts'
import { type Attempted, channelOf, claimDue, type ClaimedDelivery, freeClaims, recordAttempt } from './queue.ts'

export type DeliverOptions = {
  readonly db: Db
  readonly clock: Clock
  readonly random: () => number
  readonly log: Pick<Log, 'error' | 'info' | 'warn'>
  readonly metrics: Pick<Metrics, 'delivery'>
  /** Makes one attempt. Throws only the reason of the signal, and errors of the database. */
  readonly attempt: (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<Attempted>
  readonly signal: AbortSignal
}

export type Delivering = {
  /** Something may be due now. */
  readonly wake: () => void
  /** Resolves after the signal was aborted and nothing is being sent any more. */
  readonly ended: Promise<void>
}

/** How long something may be due before a look without a notification finds it. */
export const lookingMs = 5_000
/** Sent together at most: each needs a connection. */
const mostAtOnce = 200

export function keepDelivering(options: DeliverOptions): Delivering {
  const { clock, log, signal } = options
  const sending = new Map<string, Promise<void>>()
  const pause = createPause(0)
  const look = async () => {
    const limit = mostAtOnce - sending.size
    const due = limit > 0 ? await claimDue(options.db, { now: clock.now(), busy: [...sending.keys()], limit }) : []
    for (const delivery of due) {
      const channel = channelOf(delivery)
      const sent = deliver(options, delivery).finally(() => {
        sending.delete(channel)
        pause.wake()
      })
      sending.set(channel, sent)
    }
  }
  const work = async () => {
    while (!signal.aborted) {
      await look().catch((error: unknown) => log.error({ err: error }, 'deliveries could not be read'))
      await pause.wait(clock, lookingMs, signal)
    }
    await Promise.all(sending.values())
  }
  return { wake: pause.wake, ended: work() }
}

/** Makes one attempt and stores it. Logs what prevents that: the delivery is due again when its claim ends. */
async function deliver(options: DeliverOptions, delivery: ClaimedDelivery): Promise<void> {
  const { db, log, metrics, signal, attempt } = options
  try {
    const done = await attempt(delivery, signal)
    const state = await recordAttempt(db, options, delivery, done)
    const channel = delivery.webhookId === null ? 'mail' : 'webhook'
    metrics.delivery({ channel, outcome: state === 'waiting' ? 'retried' : state })
    const { notification, webhookId, personId, attempts } = delivery
    const facts = { deliveryId: delivery.id, type: notification.type, webhookId, personId, attempt: attempts + 1 }
    if (done.kind === 'delivered') log.info(facts, 'a notification was delivered')
    else log.warn({ ...facts, why: done.why }, 'a notification could not be delivered')
  } catch (error) {
    if (!signal.aborted) log.error({ err: error, deliveryId: delivery.id }, 'an attempt to deliver could not be made')
    await freeClaims(db, delivery.id).catch(() => undefined)
  }
}
