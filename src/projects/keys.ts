// Creates, lists and revokes admin API keys. The store holds only the digest of a key; its text is shown once.

import { Failure, invalidInput } from '../lib/failure.ts'
import { createId } from '../lib/id.ts'
import type { Db } from '../postgres/types.ts'
import type { KeyRow } from '../postgres/schema.ts'
import { findExcess, findLimit, type Grant, type Reach, scopes } from './grants.ts'
import { createKeyText, digestKey, keyHint } from '../lib/key-text.ts'

export type Scope = Grant['scope']

export type Key = {
  readonly id: string
  readonly name: string
  readonly scope: Scope
  /** Null means all projects. */
  readonly projectIds: readonly string[] | null
  readonly hint: string
  /** `replaced`: another key has replaced this one, which works until `expiresAt`. */
  readonly state: 'active' | 'replaced' | 'expired' | 'revoked'
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly allowedAddresses: readonly string[] | null
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
  readonly replacedBy: string | null
}

export type ShownKey = Key & { readonly key: string }

/** The caller and its rights. */
export type Principal = Grant & {
  readonly id: string
  readonly kind: 'key' | 'person' | 'share' | 'operator'
  /** For people: the name of the key or of the person. */
  readonly name: string
}

/** The person with a shell on the service's machine and access to its data directory, who has all rights. */
export const operator: Principal = {
  id: 'operator',
  kind: 'operator',
  name: 'Operator',
  scope: 'admin',
  projectIds: null,
  expiresAt: null,
  allowedAddresses: null,
}

export type NewKey = Grant & { readonly name: string }

/** The id of a person who is signed in; undefined for every other caller. */
export function personOf({ kind, id }: Principal): string | undefined {
  return kind === 'person' ? id : undefined
}

/** `write` implies `read`; `admin` implies both. */
export function mayUse(principal: Principal, scope: Scope): boolean {
  return scopes.indexOf(principal.scope) >= scopes.indexOf(scope)
}

export function maySee(principal: Principal, projectId: string): boolean {
  return principal.projectIds === null || principal.projectIds.includes(projectId)
}

/**
 * Creates a key and returns it with its text, which is never shown again. Throws `forbidden` when the key would grant
 * more rights than `by` has.
 */
export async function createKey(db: Db, by: Principal, wanted: NewKey): Promise<ShownKey> {
  refuseExcess(by, wanted)
  await refuseUnknownProjects(db, wanted.projectIds ?? [])
  return addKey(db, wanted)
}

/** Throws `forbidden` with the rights that `by` lacks. */
export function refuseExcess(by: Principal, wanted: Grant): void {
  const excess = findExcess(by, wanted)
  if (excess === undefined) return
  throw new Failure('forbidden', `A key cannot grant more than it has: ${excess}.`)
}

/** Throws `forbidden` with the limit of `by`. */
export function requireReach(by: Principal, reach: Reach): void {
  const limit = findLimit(by, reach)
  if (limit === undefined) return
  const needed = reach === 'all projects' ? 'for all projects' : 'without limits'
  throw new Failure(
    'forbidden',
    `This needs an admin who is signed in, or an admin key ${needed}. As for this key, ${limit}.`,
  )
}

/** Stores a key without checking any rights. */
export async function addKey(db: Db, wanted: NewKey): Promise<ShownKey> {
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
      expires_at: wanted.expiresAt,
      allowed_addresses: wanted.allowedAddresses === null ? null : [...new Set(wanted.allowedAddresses)],
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...toKey(row), key }
}

/** Lists the newest keys first, including expired and revoked ones; only keys for projects that `by` can see. */
export async function listKeys(db: Db, by: Principal): Promise<readonly Key[]> {
  const rows = await db.selectFrom('keys').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()
  return rows.map(toKey).filter((key) => isWithin(by, key))
}

/** Those of these keys that still work, the newest first. */
export async function listWorkingKeys(db: Db, by: Principal, ids: readonly string[]): Promise<readonly Key[]> {
  const keys = ids.length === 0 ? [] : await listKeys(db, by)
  return keys.filter(({ id, state }) => ids.includes(id) && (state === 'active' || state === 'replaced'))
}

/** Revokes a key; revoking it twice changes nothing. Throws `not_found`. */
export async function revokeKey(db: Db, by: Principal, id: string): Promise<void> {
  seenBy(by, await db.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst())
  await db
    .updateTable('keys')
    .set({ revoked_at: new Date() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Returns the row if `by` may see it. Throws `not_found`. */
export function seenBy(by: Principal, row: KeyRow | undefined): KeyRow {
  if (!row || !isWithin(by, toKey(row))) throw new Failure('not_found', 'There is no such key.')
  return row
}

async function refuseUnknownProjects(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await db.selectFrom('projects').select('id').where('id', 'in', ids).execute()
  const known = new Set(rows.map((row) => row.id))
  if (ids.every((id) => known.has(id))) return
  throw invalidInput('#/projectIds', 'names a project that does not exist')
}

function isWithin(by: Principal, key: Key): boolean {
  return by.projectIds === null || (key.projectIds !== null && key.projectIds.every((id) => maySee(by, id)))
}

export function toKey(row: KeyRow): Key {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    projectIds: row.project_ids,
    hint: row.hint,
    state: stateOf(row),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    allowedAddresses: row.allowed_addresses,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    replacedBy: row.replaced_by,
  }
}

function stateOf(row: KeyRow): Key['state'] {
  if (row.revoked_at !== null) return 'revoked'
  if (row.expires_at !== null && row.expires_at <= new Date()) return 'expired'
  return row.replaced_by === null ? 'active' : 'replaced'
}
