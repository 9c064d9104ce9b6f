// Rotates a key: creates a new one with the same rights, and keeps the old one valid for a time that the caller
// chooses, so that every server has a valid key while the new one is deployed.

import { sql } from 'kysely'
import { Failure } from '../lib/failure.ts'
import type { Db } from '../postgres/types.ts'
import type { KeyRow } from '../postgres/schema.ts'
import { addKey, type Principal, refuseExcess, seenBy, type ShownKey, toKey } from './keys.ts'

export const maxOverlapSeconds = 7 * 86_400

export type Rotation = {
  readonly keyId: string
  /** How long the old key stays valid, in seconds; 0 revokes it at once. */
  readonly overlapSeconds: number
  /** When the new key expires; null for never; undefined for the lifetime of the old key. */
  readonly expiresAt: Date | null | undefined
}

/**
 * Returns the new key with its text. When two rotations of a key run at once, one fails. Throws `not_found`,
 * `key_not_active`, and `forbidden` when the old or the new key grants more rights than `by` has.
 */
export function rotateKey(db: Db, by: Principal, rotation: Rotation): Promise<ShownKey> {
  return db.transaction().execute(async (trx) => {
    const query = trx.selectFrom('keys').selectAll().where('id', '=', rotation.keyId).forUpdate()
    const old = seenBy(by, await query.executeTakeFirst())
    refuseInactive(old)
    const rights = { scope: old.scope, projectIds: old.project_ids, allowedAddresses: old.allowed_addresses }
    // Otherwise a key could end one that can do more.
    refuseExcess(by, { ...rights, expiresAt: old.expires_at })
    const expiresAt = rotation.expiresAt === undefined ? sameLifetime(old, by) : rotation.expiresAt
    const wanted = { ...rights, name: old.name, expiresAt }
    refuseExcess(by, wanted)
    const made = await addKey(trx, wanted)
    await sql`/* keys.replace */ update keys set replaced_by = ${made.id},
      expires_at = least(expires_at, now() + make_interval(secs => ${rotation.overlapSeconds}))
      where id = ${old.id}`.execute(trx)
    return made
  })
}

function refuseInactive(old: KeyRow): void {
  const { state } = toKey(old)
  if (state === 'active') return
  const words = state === 'replaced' ? `was replaced by ${old.replaced_by ?? 'another'}` : `is ${state}`
  throw new Failure('key_not_active', `The key ${words}.`)
}

/** Gives the new key the lifetime of the old one, starting now; it never outlives the key of `by`. */
function sameLifetime(old: KeyRow, by: Principal): Date | null {
  if (old.expires_at === null) return null
  const end = new Date(Date.now() + old.expires_at.getTime() - old.created_at.getTime())
  return by.expiresAt !== null && by.expiresAt < end ? by.expiresAt : end
}
