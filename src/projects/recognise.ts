// Finds the owner of a key. Queries the database for every request, so that a revocation takes effect at once on every
// server.

import { sql } from 'kysely'
import { Failure } from '../lib/failure.ts'
import { isWithinNetworks } from '../lib/network.ts'
import { batchLookups } from '../lib/batch-lookups.ts'
import { isCurrent } from '../postgres/expiry.ts'
import type { Db } from '../postgres/types.ts'
import type { KeyRow } from '../postgres/schema.ts'
import { digestKey, isKeyText } from '../lib/key-text.ts'
import type { Principal } from './keys.ts'

type Known = Pick<KeyRow, 'id' | 'name' | 'digest' | 'scope' | 'project_ids' | 'expires_at' | 'allowed_addresses'> & {
  readonly isToBeNoted: boolean
}

/**
 * Returns the owner of a key; undefined when the text is malformed, unknown, revoked or expired. Throws `forbidden`
 * when the key is limited to other addresses. Records the use, at most once a minute.
 */
export type Recognise = (text: string, address?: string) => Promise<Principal | undefined>

/** `learn` gets every valid key, so that it can be removed from what is logged or shown. */
export function createRecognition(db: Db, learn?: (key: string) => void): Recognise {
  const find = batchLookups<Known>(
    (digests) => findKeys(db, digests),
    (key) => key.digest,
  )
  return async (text, address) => {
    const key = isKeyText(text) ? await find(digestKey(text)) : undefined
    if (!key) return undefined
    learn?.(text)
    if (key.allowed_addresses !== null && !isWithinNetworks(address ?? '', key.allowed_addresses)) {
      throw new Failure('forbidden', 'This key may not be used from this address.')
    }
    if (key.isToBeNoted) await noteUse(db, key.id)
    return {
      id: key.id,
      kind: 'key',
      name: key.name,
      scope: key.scope,
      projectIds: key.project_ids,
      expiresAt: key.expires_at,
      allowedAddresses: key.allowed_addresses,
    }
  }
}

/** Finds the keys that are valid now. */
function findKeys(db: Db, digests: readonly string[]): Promise<readonly Known[]> {
  return db
    .selectFrom('keys')
    .select(['id', 'name', 'digest', 'scope', 'project_ids', 'expires_at', 'allowed_addresses'])
    .select(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as('isToBeNoted'))
    .where('digest', 'in', digests)
    .where('revoked_at', 'is', null)
    .where(isCurrent)
    .execute()
}

async function noteUse(db: Db, id: string): Promise<void> {
  await sql`/* keys.used */ update keys set last_used_at = now() where id = ${id}
    and coalesce(last_used_at < now() - interval '1 minute', true)`.execute(db)
}
