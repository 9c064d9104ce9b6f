// Asks GitHub again for deliveries to Apps that failed while this service was down or could not be reached: at the start, and every
// hour. Docent polls in any case, so a delivery that is not asked for only comes later to the same.

import { sql } from 'kysely'
import { chooseFailed, type ListedDelivery } from '../../forge/github/app-deliveries.ts'
import type { AppApi } from '../../forge/github/app-api.ts'
import { toFailure } from '../../lib/failure.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { ForgeAppRow } from '../../postgres/schema/secrets.ts'
import type { Db } from '../../postgres/types.ts'
import { type AppsContext, openAppById, readWebhookSecret } from './forge-apps.ts'

export type RedeliveryOptions = AppsContext & {
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly signal: AbortSignal
}

const hourMs = 3_600_000
/** Several processes start together: one of them asks. */
const pauseSeconds = { start: 60, later: 3_000 }
const mostPages = 10
/** Requests for a delivery, for each App and look. */
const mostAsked = 50
const oldestMs = 3 * 24 * hourMs

/** Until the signal is aborted. Logs what fails and continues. */
export async function keepAskingAgain(options: RedeliveryOptions): Promise<void> {
  const { clock, log, signal } = options
  for (let pause = pauseSeconds.start; !signal.aborted; pause = pauseSeconds.later) {
    await askAgain(options, pause).catch((error: unknown) =>
      log.error({ err: error }, 'GitHub could not be asked again'),
    )
    await clock.sleep(hourMs, signal)
  }
}

/** Reads the lists that no process has read for so many seconds. Throws only errors of the database. */
export async function askAgain(options: RedeliveryOptions, pauseSeconds: number): Promise<void> {
  const { log, signal } = options
  for (const app of await claimApps(options.db, pauseSeconds)) {
    if (signal.aborted) return
    try {
      await askAgainOf(options, app)
    } catch (error) {
      if (signal.aborted) return
      const { code } = toFailure(error)
      log.warn({ err: error, code, forgeAppId: app.id }, 'the deliveries of a GitHub App could not be read')
    }
  }
}

type Claimed = Pick<ForgeAppRow, 'id' | 'deliveries_until'>

async function claimApps(db: Db, pauseSeconds: number): Promise<readonly Claimed[]> {
  const { rows } = await sql<Claimed>`/* forgeApps.claimDeliveries */ update forge_apps set deliveries_read_at = now()
    where deliveries_read_at is null or deliveries_read_at < now() - make_interval(secs => ${pauseSeconds})
    returning id, deliveries_until`.execute(db)
  return rows
}

/** A process that dies in between asks for some of them again, which does no harm. */
async function askAgainOf(options: RedeliveryOptions, { id, deliveries_until: until }: Claimed): Promise<void> {
  const { db, log, signal } = options
  // An App that was created elsewhere sends its deliveries elsewhere.
  if ((await readWebhookSecret(options, id)) === null) return
  const { api } = await openAppById(options, id)
  const listed = await readSince(api, until, signal)
  const [newest] = listed
  if (newest === undefined) return
  const failed = chooseFailed(listed, mostAsked)
  let asked = 0
  for (const delivery of failed) if (await api.redeliver(delivery.id, signal)) asked += 1
  if (asked > 0) log.info({ forgeAppId: id, asked }, 'asked GitHub again for deliveries that had failed')
  const set = { deliveries_until: newest.deliveredAt }
  await db.updateTable('forge_apps').set(set).where('id', '=', id).execute()
}

/** By the times of GitHub alone. */
async function readSince(api: AppApi, until: Date | null, signal: AbortSignal): Promise<readonly ListedDelivery[]> {
  const found: ListedDelivery[] = []
  let oldest = until?.getTime() ?? 0
  let cursor: string | undefined
  for (let page = 1; page <= mostPages; page += 1) {
    const { deliveries, next } = await api.deliveries(cursor, signal)
    const newest = found[0] ?? deliveries[0]
    oldest = Math.max(oldest, (newest?.deliveredAt.getTime() ?? 0) - oldestMs)
    found.push(...deliveries.filter(({ deliveredAt }) => deliveredAt.getTime() >= oldest))
    if (next === undefined || deliveries.some(({ deliveredAt }) => deliveredAt.getTime() < oldest)) break
    cursor = next
  }
  return found
}
