// The keys that encrypt secrets: parses their text (DOCENT_SECRET_KEY, or the lines of the key file) into a ring. The first
// key of a ring encrypts, and all of them decrypt. Printing a key shows nothing, because its bytes are in a `KeyObject`.

import { createHash, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'

export type SecretKey = {
  /** Names the key in every value that it encrypted: 12 hexadecimal digits of a hash of the key. */
  readonly id: string
  /** The key of AES-256-GCM, derived from the given one. */
  readonly cipherKey: KeyObject
}

export type KeyRing = readonly [SecretKey, ...SecretKey[]]

const keyBytes = 32
const keyForm = /^[A-Za-z0-9+/]{43}=$/

export const keyAdvice = 'generate a key with `openssl rand -base64 32`'

/** Generates the text of a key, as `openssl rand -base64 32` does. */
export function generateKey(): string {
  return randomBytes(keyBytes).toString('base64')
}

/** Parses one key or several, separated by commas. Throws an Error whose message continues "NAME …" and holds no key. */
export function parseKeys(text: string): KeyRing {
  const [first, ...others] = text.split(',').map((one, at) => toKey(one.trim(), at))
  if (first === undefined) throw new Error(`must hold a key: ${keyAdvice}`)
  const ids = [first, ...others].map(({ id }) => id)
  if (new Set(ids).size < ids.length) throw new Error('holds the same key twice')
  return [first, ...others]
}

function toKey(text: string, at: number): SecretKey {
  const bytes = Buffer.from(text, 'base64')
  // A text that is not the canonical base64 of its bytes has a typing mistake in its last character.
  if (!keyForm.test(text) || bytes.toString('base64') !== text) {
    throw new Error(
      `must be 32 bytes in base64, or several separated by commas (number ${at + 1} is not): ${keyAdvice}`,
    )
  }
  const id = createHash('sha256').update('docent secret key id\0').update(bytes).digest('hex').slice(0, 12)
  const derived = hkdfSync('sha256', bytes, '', 'docent secrets v1', keyBytes)
  return { id, cipherKey: createSecretKey(Buffer.from(derived)) }
}
