// Links that show the statistics of one project to people without an account. The token of a link reads the exports of
// that project and nothing else; the store keeps its digest.

import { sql } from 'kysely'
import { createId, createToken } from '../lib/id.ts'
import { Failure } from '../lib/failure.ts'
import { digestKey } from '../lib/key-text.ts'
import { isCurrent } from '../postgres/expiry.ts'
import type { ShareRow } from '../postgres/schema/people.ts'
import type { Db } from '../postgres/types.ts'
import type { Grant } from './grants.ts'
import { type Principal, refuseExcess } from './keys.ts'

const prefix = 'docshare_'
export const shareTokenPattern = /^docshare_[0-9A-Za-z]{43}$/

export type Share = {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly expiresAt: string | null
  /** To the minute; null: never opened. */
  readonly lastUsedAt: string | null
}

/** The token is shown once. */
export type ShownShare = Share & { readonly token: string }

export type NewShare = { readonly projectId: string; readonly name: string; readonly expiresAt: Date | null }

/** Throws `forbidden` when the link would show the statistics to more people, or for longer, than `by` sees them. */
export async function createShare(
  db: Db,
  by: Principal,
  { projectId, name, expiresAt }: NewShare,
): Promise<ShownShare> {
  refuseExcess(by, grantOfShare({ projectId, expiresAt }))
  const token = prefix + createToken()
  const row = await db
    .insertInto('shares')
    .values({
      id: createId('shr'),
      project_id: projectId,
      digest: digestKey(token),
      name,
      created_at: new Date(),
      expires_at: expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...toShare(row), token }
}

/** Lists those that work, the newest first. */
export async function listShares(db: Db, projectId: string): Promise<readonly Share[]> {
  const rows = await db
    .selectFrom('shares')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(isCurrent)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toShare)
}

/** Throws `not_found`. */
export async function revokeShare(db: Db, projectId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('shares')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new Failure('not_found', 'There is no such shared link.')
}

/** Returns the project that the token shows; undefined when it is unknown, revoked or expired. */
export async function findShared(db: Db, token: string): Promise<{ id: string; projectId: string } | undefined> {
  if (!shareTokenPattern.test(token)) return undefined
  const found = await db
    .selectFrom('shares')
    .select(['id', 'project_id'])
    .select(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as('isToBeNoted'))
    .where('digest', '=', digestKey(token))
    .where(isCurrent)
    .executeTakeFirst()
  if (!found) return undefined
  if (found.isToBeNoted)
    await sql`/* shares.used */ update shares set last_used_at = now() where id = ${found.id}`.execute(db)
  return { id: found.id, projectId: found.project_id }
}

/** A link opens from every address. */
export function grantOfShare({ projectId, expiresAt }: Pick<NewShare, 'projectId' | 'expiresAt'>): Grant {
  return { scope: 'read', projectIds: [projectId], expiresAt, allowedAddresses: null }
}

function toShare(row: ShareRow): Share {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }
}
