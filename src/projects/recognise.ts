// Recognises a key. The database is asked at every request, so that a revocation holds at once on every server.

import { sql } from 'kysely'
import { Failure } from '../lib/failure.ts'
import { isWithinNetworks } from '../lib/network.ts'
import type { Db } from '../postgres/open.ts'
import { digestKey, isKeyText } from './key-text.ts'
import type { Principal } from './keys.ts'

/**
 * Who the text belongs to; undefined when it is malformed, unknown, revoked or expired. Throws `forbidden` when the key
 * is for other addresses. Notes the use, once a minute at most.
 */
export async function recogniseKey(db: Db, text: string, address?: string): Promise<Principal | undefined> {
  if (!isKeyText(text)) return undefined
  const row = await db
    .selectFrom('keys')
    .select(['id', 'scope', 'project_ids', 'expires_at', 'allowed_addresses'])
    .select(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as('isToBeNoted'))
    .where('digest', '=', digestKey(text))
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`coalesce(expires_at > now(), true)`)
    .executeTakeFirst()
  if (!row) return undefined
  if (row.allowed_addresses !== null && !isWithinNetworks(address ?? '', row.allowed_addresses)) {
    throw new Failure('forbidden', 'This key may not be used from this address.')
  }
  if (row.isToBeNoted) {
    await sql`/* keys.used */ update keys set last_used_at = now() where id = ${row.id}
      and coalesce(last_used_at < now() - interval '1 minute', true)`.execute(db)
  }
  return {
    id: row.id,
    scope: row.scope,
    projectIds: row.project_ids,
    expiresAt: row.expires_at,
    allowedAddresses: row.allowed_addresses,
  }
}
