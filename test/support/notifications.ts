// Notifications of a project and what sends them, on a test database and by a clock that the test moves, with real receivers.

import { createMetrics } from '../../src/lib/observability/metrics.ts'
import { setImmediate as turn } from 'node:timers/promises'
import type { Log } from '../../src/lib/observability/log.ts'
import { addNotification } from '../../src/notifications/add.ts'
import { keepDelivering, lookingMs } from '../../src/notifications/deliveries/keep-delivering.ts'
import type { Attempted, ClaimedDelivery } from '../../src/notifications/deliveries/queue.ts'
import type { NotificationData, NotificationType } from '../../src/notifications/notification.ts'
import { attemptWebhook } from '../../src/notifications/webhooks/attempt.ts'
import { type Delivery, listDeliveries } from '../../src/notifications/webhooks/deliveries.ts'
import { createWebhook, type NewWebhook } from '../../src/notifications/webhooks/webhooks.ts'
import { operator } from '../../src/projects/keys.ts'
import { generateKey, parseKeys } from '../../src/secrets/keys.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { addProject } from './database.ts'
import { openTestDatabase } from './engine.ts'
import type { Cleanup } from './git-remote.ts'
import { createManualClock } from './manual-clock.ts'
import { type HttpAnswer, type HttpRequest, serveHttp } from './scripted-http.ts'

export const hour = 3_600_000
export const publicUrl = 'https://docs.test'

export const job = {
  id: 'job_0',
  status: 'completed',
  prLink: '/projects/p/pulls/1',
  outcome: 'pull_request',
  result: { title: 'Words with s3cret' },
  error: null,
  pullRequest: { number: 1, url: '/projects/p/pulls/1', state: 'open' },
}

const silent = (() => undefined) as unknown as Log['info']
const log = { error: silent, info: silent, warn: silent }
export const redact = (text: string) => text.replaceAll('s3cret', '[redacted]')

type Attempt = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<Attempted>
export type TestNotifications = Awaited<ReturnType<typeof openNotifications>>

export async function openNotifications() {
  const postgres = await openTestDatabase()
  const { db } = postgres
  const ring = parseKeys(generateKey())
  const secrets = createSecrets(() => ring)
  const hosts: string[] = []
  // A little ahead: what happens now is due.
  const clock = createManualClock(new Date(Date.now() + 60_000))
  const context = { db, clock, secrets, privateHosts: hosts }
  const attempting = { ...context, network: { privateHosts: hosts }, redact, publicUrl }
  const state: { projectId: string; wake: () => void; stop: () => Promise<void> } = {
    projectId: '',
    wake: () => undefined,
    stop: () => Promise.resolve(),
  }
  const deliveries = async (id: string) => (await listDeliveries(db, id, { limit: 100 })).deliveries
  return {
    db,
    clock,
    context,
    hosts,
    attempting,
    deliveries,
    get projectId() {
      return state.projectId
    },
    wake: () => state.wake(),
    stop: () => state.stop(),
    reset: async () => {
      await db.deleteFrom('projects').execute()
      state.projectId = await addProject(db)
    },
    close: () => postgres.close(),
    start: (attempt: Attempt = (delivery, signal) => attemptWebhook(attempting, delivery, signal)) => {
      const stopping = new AbortController()
      const { wake, ended } = keepDelivering({
        db,
        clock,
        random: () => 0.5,
        log,
        metrics: createMetrics(),
        attempt,
        signal: stopping.signal,
      })
      state.wake = wake
      state.stop = async () => {
        stopping.abort()
        await ended
      }
    },
    happen: async (type: NotificationType = 'job.completed', data: NotificationData = { job }) => {
      const { projectId } = state
      await db.transaction().execute((trx) => addNotification(trx, { projectId, type }, () => Promise.resolve(data)))
      state.wake()
    },
    /** A receiver with its webhook. `secret`: empty if its requests are not signed. */
    receive: async (
      t: Cleanup,
      answer: (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>,
      given: Partial<NewWebhook> = {},
    ) => {
      const server = await serveHttp(t, answer)
      hosts.push(server.host)
      const wanted = { url: `${server.url}/in?a=b`, ...given }
      const { row, secret } = await createWebhook(context, operator, state.projectId, wanted)
      return { ...server, id: row.id, secret: secret ?? '' }
    },
    /** Waits until the deliveries to the webhook are as the test expects. */
    until: async (id: string, isThere: (found: readonly Delivery[]) => boolean) => {
      for (let looks = 0; looks < 3_000; looks += 1) {
        const found = await deliveries(id)
        if (isThere(found)) return found
        await turn()
      }
      throw new Error(`The deliveries are ${JSON.stringify(await deliveries(id))}`)
    },
    /** Lets the time until this delivery is due pass. */
    passPause: async (delivery: Delivery | undefined) => {
      await clock.untilAsleep(1)
      await clock.pass(Math.max(Date.parse(delivery?.nextAttemptAt ?? '') - clock.now().getTime(), lookingMs))
    },
  }
}
