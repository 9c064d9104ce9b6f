// Encrypts the values of older keys again with the first key of the ring, some at a time. Servers may run and write in the
// meantime: a value that changed since it was read is skipped, and the next call reads it again.

import { sql } from 'kysely'
import type { Db } from '../postgres/types.ts'
import { type KeySource, readCheck, replaceCheck } from './check.ts'
import type { KeyRing } from './keys.ts'
import { createSecrets, keyIdOf, type Secrets, SecretUnreadable } from './secrets.ts'

export type Reencrypted = {
  /** The key that encrypts. */
  readonly keyId: string
  /** The number of values that this call encrypted again, without the check value. */
  readonly done: number
  /** The number of values of older keys that remain. */
  readonly remaining: number
  /** Values that no key decrypts: they have to be entered again. */
  readonly unreadable: readonly { readonly what: string; readonly owner: string; readonly keyId: string | null }[]
}

/** Every column of the database with encrypted values. `owner` is what the value was encrypted for. */
const places = [
  { table: 'credentials', column: 'secret', key: 'owner', purpose: 'credential', ownerOf: (id: string) => id },
  {
    table: 'credentials',
    column: 'signing_key',
    key: 'owner',
    purpose: 'signing key',
    ownerOf: (id: string) => id,
  },
  {
    table: 'automations',
    column: 'event_secret',
    key: 'id',
    purpose: 'event secret',
    ownerOf: (id: string) => id,
  },
  {
    table: 'webhooks',
    column: 'secret',
    key: 'id',
    purpose: 'webhook secret',
    ownerOf: (id: string) => id,
  },
  {
    table: 'forge_webhooks',
    column: 'secret',
    key: 'id',
    purpose: 'forge webhook',
    ownerOf: (id: string) => id,
  },
  { table: 'forge_apps', column: 'secret', key: 'id', purpose: 'forge app', ownerOf: () => 'service' },
  {
    table: 'model_keys',
    column: 'secret',
    key: 'provider',
    purpose: 'model key',
    ownerOf: (id: string) => `service/${id}`,
  },
] as const

type Place = (typeof places)[number]
type Stored = { readonly place: Place; readonly id: string; readonly secret: string }

const atOnce = 200

/** `limit` is smaller in tests. */
export async function reencrypt(db: Db, ring: KeyRing, source: KeySource, limit = atOnce): Promise<Reencrypted> {
  const secrets = createSecrets(() => ring)
  const keyId = ring[0].id
  const stale = (await readAll(db)).filter(({ secret }) => keyIdOf(secret) !== keyId)
  const texts = stale.map((stored) => ({ stored, text: decrypt(secrets, stored) }))
  const readable = texts.flatMap(({ stored, text }) => (text === undefined ? [] : [{ stored, text }]))
  const unreadable = texts.filter(({ text }) => text === undefined).map(({ stored }) => describe(stored))
  let done = 0
  for (const { stored, text } of readable.slice(0, limit)) done += await replace(db, secrets, stored, text)
  const check = await readCheck(db, ring)
  // If the check value is wrong, other servers already encrypt with a key that this process does not have.
  if (check.kind === 'right' && check.keyId !== keyId) await replaceCheck(db, ring, source)
  return { keyId, done, remaining: readable.length - done, unreadable }
}

async function readAll(db: Db): Promise<readonly Stored[]> {
  const all = []
  for (const place of places) {
    const { rows } = await sql<{ id: string; secret: string }>`/* secrets.list */
      select ${sql.ref(place.key)} as id, ${sql.ref(place.column)} as secret from ${sql.table(place.table)}
      where ${sql.ref(place.column)} is not null order by 1
    `.execute(db)
    all.push(...rows.map((row) => ({ ...row, place })))
  }
  return all
}

function decrypt(secrets: Secrets, { place, id, secret }: Stored): string | undefined {
  try {
    return secrets.decrypt(place.ownerOf(id), place.purpose, secret)
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}

/** Returns the number of rows that changed: 0 if another process was first. */
async function replace(db: Db, secrets: Secrets, { place, id, secret }: Stored, text: string): Promise<number> {
  const { numAffectedRows } = await sql`/* secrets.replace */
    update ${sql.table(place.table)} set ${sql.ref(place.column)} = ${secrets.encrypt(place.ownerOf(id), place.purpose, text)}
    where ${sql.ref(place.key)} = ${id} and ${sql.ref(place.column)} = ${secret}
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

function describe({ place, id, secret }: Stored): Reencrypted['unreadable'][number] {
  return { what: place.purpose, owner: id, keyId: keyIdOf(secret) ?? null }
}
