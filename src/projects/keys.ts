// Admin API keys: made, listed, revoked, and recognised. A key is kept as its digest only and shown once.

import { sql } from 'kysely'
import { Failure } from '../lib/failure.ts'
import { createId } from '../lib/id.ts'
import type { Db } from '../postgres/open.ts'
import type { KeyRow } from '../postgres/schema.ts'
import { createKeyText, digestKey, isKeyText, keyHint } from './key-text.ts'

export const scopes = ['read', 'write', 'admin'] as const
export type Scope = (typeof scopes)[number]

export type Key = {
  readonly id: string
  readonly name: string
  readonly scope: Scope
  /** null: all projects. */
  readonly projectIds: readonly string[] | null
  readonly hint: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

/** Who asks. `projectIds` null: all projects. */
export type Principal = { readonly id: string; readonly scope: Scope; readonly projectIds: readonly string[] | null }

/** Someone with a shell on the service's machine and its data directory: the owner of all of it. */
export const operator: Principal = { id: 'operator', scope: 'admin', projectIds: null }

export type NewKey = { readonly name: string; readonly scope: Scope; readonly projectIds: readonly string[] | null }

/** `write` implies `read`; `admin` implies both. */
export function mayUse(principal: Principal, scope: Scope): boolean {
  return scopes.indexOf(principal.scope) >= scopes.indexOf(scope)
}

export function maySee(principal: Principal, projectId: string): boolean {
  return principal.projectIds === null || principal.projectIds.includes(projectId)
}

/** The new key with its text, which nobody sees again. No key grants more than `by` has: `forbidden` otherwise. */
export async function createKey(db: Db, by: Principal, wanted: NewKey): Promise<Key & { readonly key: string }> {
  const beyond =
    by.projectIds !== null && (wanted.projectIds === null || wanted.projectIds.some((id) => !maySee(by, id)))
  if (beyond || !mayUse(by, wanted.scope)) {
    throw new Failure('forbidden', 'A key cannot grant more than the key that makes it.')
  }
  await refuseUnknownProjects(db, wanted.projectIds ?? [])
  const key = createKeyText()
  const row = await db
    .insertInto('keys')
    .values({
      id: createId('key'),
      name: wanted.name,
      digest: digestKey(key),
      hint: keyHint(key),
      scope: wanted.scope,
      project_ids: wanted.projectIds === null ? null : [...new Set(wanted.projectIds)],
      created_at: new Date(),
      last_used_at: null,
      revoked_at: null,
      expires_at: null,
      allowed_addresses: null,
      replaced_by: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...toKey(row), key }
}

/** Newest first, revoked ones too; only those that grant no more than `by` has. */
export async function listKeys(db: Db, by: Principal): Promise<readonly Key[]> {
  const rows = await db.selectFrom('keys').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()
  return rows.map(toKey).filter((key) => isWithin(by, key))
}

/** Revoking twice changes nothing. Throws `not_found`. */
export async function revokeKey(db: Db, by: Principal, id: string): Promise<void> {
  const row = await db.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !isWithin(by, toKey(row))) throw new Failure('not_found', 'There is no such key.')
  await db
    .updateTable('keys')
    .set({ revoked_at: new Date() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Who the text belongs to; undefined when it is malformed, unknown or revoked. Notes the use, once a minute at most. */
export async function recogniseKey(db: Db, text: string): Promise<Principal | undefined> {
  if (!isKeyText(text)) return undefined
  const row = await db
    .selectFrom('keys')
    .select(['id', 'scope', 'project_ids', 'last_used_at'])
    .where('digest', '=', digestKey(text))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  if (row.last_used_at === null || Date.now() - row.last_used_at.getTime() > 60_000) {
    await sql`/* keys.used */ update keys set last_used_at = now() where id = ${row.id}`.execute(db)
  }
  return { id: row.id, scope: row.scope, projectIds: row.project_ids }
}

async function refuseUnknownProjects(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await db.selectFrom('projects').select('id').where('id', 'in', ids).execute()
  const unknown = ids.filter((id) => !rows.some((row) => row.id === id))
  if (unknown.length === 0) return
  const message = 'names a project that does not exist'
  throw new Failure('invalid_input', `\`projectIds\` ${message}.`, { details: [{ message, pointer: '#/projectIds' }] })
}

function isWithin(by: Principal, key: Key): boolean {
  return by.projectIds === null || (key.projectIds !== null && key.projectIds.every((id) => maySee(by, id)))
}

function toKey(row: KeyRow): Key {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    projectIds: row.project_ids,
    hint: row.hint,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }
}
