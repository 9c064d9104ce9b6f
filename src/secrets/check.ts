// The check value: a known text, encrypted with the key of this database, so that a wrong key is detected at the start and
// not in the first run. It also records where the key came from, because only a lost key file is replaced automatically.

import type { Db } from '../postgres/types.ts'
import type { KeyRing } from './keys.ts'
import { createSecrets, keyIdOf, SecretUnreadable } from './secrets.ts'

/** `setting`: DOCENT_SECRET_KEY. `file`: the key file in the data directory. */
export type KeySource = 'setting' | 'file'

export type Check =
  /** There is no check value yet: this is the first start. */
  { readonly kind: 'absent' } | { readonly kind: 'right' | 'wrong'; readonly source: KeySource; readonly keyId: string }

const form = /^(setting|file) (.+)$/
const owner = 'service'
const purpose = 'check'
const knownText = 'docent'

/** If `ring` is undefined, an existing check value counts as wrong. */
export async function readCheck(db: Db, ring: KeyRing | undefined): Promise<Check> {
  const row = await db.selectFrom('secret_check').select('value').executeTakeFirst()
  return row ? assessCheck(row.value, ring) : { kind: 'absent' }
}

/** `stored` is the check value in the database. */
export function assessCheck(stored: string, ring: KeyRing | undefined): Exclude<Check, { kind: 'absent' }> {
  const [, source, value = ''] = form.exec(stored) ?? []
  return {
    kind: ring !== undefined && isReadable(ring, value) ? 'right' : 'wrong',
    source: source === 'file' ? 'file' : 'setting',
    keyId: keyIdOf(value) ?? 'unknown',
  }
}

/** Writes the first check value. If another process wrote one first, that one stays: read it afterwards. */
export async function insertCheck(db: Db, ring: KeyRing, source: KeySource): Promise<void> {
  const value = toValue(ring, source)
  await db
    .insertInto('secret_check')
    .values({ value })
    .onConflict((conflict) => conflict.column('only_row').doNothing())
    .execute()
}

/** Replaces the check value with one of the first key of the ring. */
export async function replaceCheck(db: Db, ring: KeyRing, source: KeySource): Promise<void> {
  const value = toValue(ring, source)
  await db
    .insertInto('secret_check')
    .values({ value })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ value }))
    .execute()
}

function toValue(ring: KeyRing, source: KeySource): string {
  return `${source} ${createSecrets(() => ring).encrypt(owner, purpose, knownText)}`
}

function isReadable(ring: KeyRing, value: string): boolean {
  try {
    return createSecrets(() => ring).decrypt(owner, purpose, value) === knownText
  } catch (error) {
    if (error instanceof SecretUnreadable) return false
    throw error
  }
}
