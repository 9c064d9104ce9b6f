// Creates, reads and deletes the webhooks of forges that belong to a project. A person sets them up at the forge; nothing here
// contacts it.

import type { HookedForge } from '../../forge/deliveries/address.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { createId } from '../../lib/id.ts'
import type { ForgeWebhookRow } from '../../postgres/schema/secrets.ts'
import type { Db } from '../../postgres/types.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { newSigningSecret } from '../../secrets/signing-secret.ts'
import { secretPlace } from './forge-webhook.ts'

export const mostForgeWebhooks = 20

export type ForgeWebhooksContext = {
  readonly db: Db
  readonly clock: Pick<Clock, 'now'>
  readonly secrets: Pick<Secrets, 'encrypt'>
}

export type ForgeWebhookPlace = { readonly projectId: string; readonly id: string }

/** `secret`: what proves deliveries. It is shown, and its text is not stored. */
export type SavedForgeWebhook = { readonly row: ForgeWebhookRow; readonly secret: string | null }

/** In the order in which they were made. */
export function listForgeWebhooks(db: Db, projectId: string): Promise<readonly ForgeWebhookRow[]> {
  const query = db.selectFrom('forge_webhooks').selectAll().where('project_id', '=', projectId)
  return query.orderBy('created_at').orderBy('id').execute()
}

/** Throws `not_found`. */
export async function readForgeWebhook(db: Db, { projectId, id }: ForgeWebhookPlace): Promise<ForgeWebhookRow> {
  const query = db.selectFrom('forge_webhooks').selectAll().where('id', '=', id).where('project_id', '=', projectId)
  return (await query.executeTakeFirst()) ?? noWebhook()
}

/** Throws `too_many_webhooks` and `not_found`. */
export async function createForgeWebhook(
  { db, clock, secrets }: ForgeWebhooksContext,
  projectId: string,
  forge: HookedForge,
): Promise<SavedForgeWebhook> {
  const id = createId('fwh')
  const { text, encrypted } = newSigningSecret(secrets, secretPlace(id))
  const now = clock.now()
  return await db.transaction().execute(async (trx) => {
    // So that two requests together cannot exceed the number.
    const project = trx.selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate()
    if (!(await project.executeTakeFirst())) throw new Failure('not_found', 'There is no such project.')
    const all = await listForgeWebhooks(trx, projectId)
    if (all.length >= mostForgeWebhooks) {
      throw new Failure('too_many_webhooks', `A project has at most ${mostForgeWebhooks} webhooks of forges.`)
    }
    const times = { created_at: now, updated_at: now }
    const row = await trx
      .insertInto('forge_webhooks')
      .values({ id, project_id: projectId, forge, secret: encrypted, ...times })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { row, secret: text }
  })
}

/** From now on, deliveries with the secret before are refused. Throws `not_found`. */
export async function rotateForgeWebhookSecret(
  { db, clock, secrets }: ForgeWebhooksContext,
  { projectId, id }: ForgeWebhookPlace,
): Promise<SavedForgeWebhook> {
  const { text, encrypted } = newSigningSecret(secrets, secretPlace(id))
  const row = await db
    .updateTable('forge_webhooks')
    .set({ secret: encrypted, updated_at: clock.now() })
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .returningAll()
    .executeTakeFirst()
  return { row: row ?? noWebhook(), secret: text }
}

/** Throws `not_found`. */
export async function deleteForgeWebhook(db: Db, { projectId, id }: ForgeWebhookPlace): Promise<void> {
  const query = db.deleteFrom('forge_webhooks').where('id', '=', id).where('project_id', '=', projectId)
  if ((await query.executeTakeFirst()).numDeletedRows === 0n) noWebhook()
}

function noWebhook(): never {
  throw new Failure('not_found', 'There is no such webhook of a forge in this project.')
}
