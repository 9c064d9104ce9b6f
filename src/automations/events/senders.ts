// Finds the automation that an event is for, by what its sender proves. A sender without a proof learns nothing: an automation
// that does not exist, one with another trigger and a wrong signature are refused in the same way.

import { Failure } from '../../lib/failure.ts'
import { createSigningSecret, isSigned, type SignedRequest } from '../../lib/outbound/standard-webhooks.ts'
import type { AutomationRow } from '../../postgres/schema/automations.ts'
import type { Db } from '../../postgres/types.ts'
import { maySee, mayUse, type Principal } from '../../projects/keys.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { readSecret } from '../../secrets/signing-secret.ts'
import { secretPlace, triggerOf } from '../automation.ts'

export type EventsContext = { readonly db: Db; readonly secrets: Pick<Secrets, 'decrypt'> }

/** Takes as long to compare as one of an automation. */
const decoy = createSigningSecret()

/** `id`: of an automation, or undefined if the address has no id. Throws `unauthenticated`. */
export async function findSigned(
  { db, secrets }: EventsContext,
  id: string | undefined,
  request: SignedRequest,
  now: Date,
): Promise<AutomationRow> {
  const row = await findByEvents(db, id)
  const secret = row && readSecret(secrets, secretPlace(row.id), row.event_secret)
  const isGenuine = isSigned(secret ?? decoy, request, now)
  if (row && secret !== undefined && isGenuine) return row
  throw new Failure(
    'unauthenticated',
    'Send a key (`Authorization: Bearer docent_…`), or sign the event: `webhook-id`, `webhook-timestamp` within five minutes of now, and `webhook-signature` with the secret of this automation.',
  )
}

/** Throws `forbidden` without the scope `write`, and `not_found`. */
export async function findForKey(db: Db, id: string | undefined, principal: Principal): Promise<AutomationRow> {
  if (!mayUse(principal, 'write')) throw new Failure('forbidden', 'Events need a key with the scope `write`.')
  const row = await findByEvents(db, id)
  if (row && maySee(principal, row.project_id)) return row
  throw new Failure('not_found', 'There is no automation with the trigger `event` at this address.')
}

async function findByEvents(db: Db, id: string | undefined): Promise<AutomationRow | undefined> {
  if (id === undefined) return undefined
  const row = await db.selectFrom('automations').selectAll().where('id', '=', id).executeTakeFirst()
  return row && triggerOf(row).type === 'event' ? row : undefined
}
