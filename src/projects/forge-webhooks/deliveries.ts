// Takes what forges send to the addresses of webhooks and GitHub Apps. A genuine delivery says where something happened; nothing
// else of it is believed, and Docent reads what is there now.

import { sql } from 'kysely'
import type { HookedForge } from '../../forge/deliveries/address.ts'
import { type ForgeEvent, readEvent } from '../../forge/deliveries/event.ts'
import { type Delivery, isGenuine, proofHeaders } from '../../forge/deliveries/genuine.ts'
import { Failure } from '../../lib/failure.ts'
import type { Db } from '../../postgres/types.ts'
import { type AttemptLimit, countAttempt } from '../../requests/rate-limits.ts'
import { readSecret } from '../../secrets/signing-secret.ts'
import { type ForgeAppsContext, readWebhookSecret } from '../forge-apps/forge-apps.ts'
import { secretPlace } from './forge-webhook.ts'

/** The limit of each address, in a minute. Beyond it the polls continue, and a delivery hastens them no more. */
export const deliveryLimit: AttemptLimit = { name: 'deliveries', quota: 600, windowSeconds: 60 }

/** An address of deliveries. */
export type Receiver = {
  readonly table: 'forge_apps' | 'forge_webhooks'
  readonly id: string
  readonly forge: HookedForge
  /** Undefined: this service does not know it. */
  readonly secret: string | undefined
}

/** Where to look, by the ids of projects and sources. */
export type Hints = {
  /** Projects whose pull requests and comments may have changed. */
  readonly projects: readonly string[]
  /** Projects and sources of which a branch or a tag may have moved. */
  readonly branches: readonly string[]
}

/** Throws `not_found`, and `too_many_deliveries` when too many deliveries came to it. */
export async function findReceiver(context: ForgeAppsContext, forge: HookedForge, id: string): Promise<Receiver> {
  const receiver = id.startsWith('app_') ? await findApp(context, forge, id) : await findWebhook(context, forge, id)
  const retryAfter = await countAttempt(context.db, deliveryLimit, id)
  if (retryAfter === undefined) return receiver
  throw new Failure('too_many_deliveries', `This webhook takes ${deliveryLimit.quota} a minute.`, { retryAfter })
}

/** Throws `unauthenticated` when it is not genuine, and counts that. */
export async function takeDelivery(
  { db, clock }: Pick<ForgeAppsContext, 'db' | 'clock'>,
  receiver: Receiver,
  delivery: Delivery,
): Promise<Hints> {
  const { forge, secret } = receiver
  if (secret === undefined || !isGenuine(forge, secret, delivery, clock.now())) {
    await noteRefused(db, receiver)
    const wrong = `Nothing proves this delivery: ${proofHeaders[forge].map((name) => `\`${name}\``).join(' or ')} does not fit the secret of the webhook.`
    throw new Failure(
      'unauthenticated',
      secret === undefined ? 'This service does not know the secret of this webhook.' : wrong,
    )
  }
  await noteDelivered(db, receiver)
  const event = readEvent(delivery.body)
  return event === undefined ? { projects: [], branches: [] } : await findHints(db, receiver, event)
}

async function findApp(context: ForgeAppsContext, forge: HookedForge, id: string): Promise<Receiver> {
  if (forge !== 'github') throw noReceiver()
  return { table: 'forge_apps', id, forge, secret: (await readWebhookSecret(context, id)) ?? undefined }
}

async function findWebhook(
  { db, secrets }: Pick<ForgeAppsContext, 'db' | 'secrets'>,
  forge: HookedForge,
  id: string,
): Promise<Receiver> {
  const query = db.selectFrom('forge_webhooks').select('secret').where('id', '=', id).where('forge', '=', forge)
  const row = await query.executeTakeFirst()
  if (!row) throw noReceiver()
  return { table: 'forge_webhooks', id, forge, secret: readSecret(secrets, secretPlace(id), row.secret) }
}

/** A busy repository sends many: their time is stored to ten seconds. */
async function noteDelivered(db: Db, { table, id }: Receiver): Promise<void> {
  await sql`/* deliveries.taken */ update ${sql.table(table)} set delivered_at = now() where id = ${id}
    and (delivered_at is null or delivered_at < now() - interval '10 seconds')`.execute(db)
}

async function noteRefused(db: Db, { table, id }: Receiver): Promise<void> {
  await sql`/* deliveries.refused */ update ${sql.table(table)} set refused_at = now(), refused = refused + 1
    where id = ${id}`.execute(db)
}

type Repository = { readonly id: string; readonly repository: string; readonly isProject: boolean }

async function findHints(db: Db, receiver: Receiver, event: ForgeEvent): Promise<Hints> {
  const all = receiver.table === 'forge_apps' ? await listOfApp(db, receiver.id) : await listOfWebhook(db, receiver.id)
  const found = all.filter(({ repository }) => isAt(repository, event.repository))
  return {
    projects: found.filter(({ isProject }) => isProject).map(({ id }) => id),
    branches: event.isPush ? found.map(({ id }) => id) : [],
  }
}

/** Also over ssh, and below a path of the host: a hint too many only makes Docent look. */
function isAt(address: string, path: string): boolean {
  const plain = address
    .toLowerCase()
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  return plain.endsWith(`/${path}`) || plain.endsWith(`:${path}`)
}

/** All that are on the host of the App. */
async function listOfApp(db: Db, appId: string): Promise<readonly Repository[]> {
  const { rows } =
    await sql<Repository>`/* deliveries.ofApp */ select found.id, repository, "isProject" from forge_apps, (
      select id, repository, true as "isProject" from projects
      union all select id, repository, false from sources) as found
    where forge_apps.id = ${appId} and starts_with(lower(repository), lower(web_url) || '/')`.execute(db)
  return rows
}

async function listOfWebhook(db: Db, webhookId: string): Promise<readonly Repository[]> {
  const { rows } = await sql<Repository>`/* deliveries.ofWebhook */
    select projects.id, projects.repository, true as "isProject" from projects
      join forge_webhooks on forge_webhooks.project_id = projects.id where forge_webhooks.id = ${webhookId}
    union all select sources.id, sources.repository, false from sources
      join forge_webhooks on forge_webhooks.project_id = sources.project_id where forge_webhooks.id = ${webhookId}`.execute(
    db,
  )
  return rows
}

function noReceiver(): Failure {
  return new Failure('not_found', 'There is no webhook at this address.')
}
