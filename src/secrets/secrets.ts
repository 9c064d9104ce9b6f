// Encrypts secrets for the database: AES-256-GCM, `v1.<key id>.<nonce>.<ciphertext and tag>`. The version, the key, the
// owner and the purpose are associated data, so a value that was moved to another row or column cannot be decrypted. Knows
// nothing about the source of keys, or the tables that contain values.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { KeyRing, SecretKey } from './keys.ts'

export type Secrets = {
  /** `owner`: the id of the project, source or automation that owns the value, or `service`. `purpose`: what the value is, such as `credential`. */
  encrypt(owner: string, purpose: string, text: string): string
  /** Throws `SecretUnreadable`. */
  decrypt(owner: string, purpose: string, value: string): string
  /**
   * Returns 16 characters that are the same each time and that nobody can guess without the key. A rotation of the key
   * changes them.
   */
  derive(owner: string, purpose: string): string
}

/** A value cannot be decrypted: its key is missing, it was changed, or it belongs to another owner or purpose. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable'
}

const version = 'v1'
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const form = /^v1\.([0-9a-f]{12})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/

/** Calls `ring` for each value, because the keys of a running service can change. */
export function createSecrets(ring: () => KeyRing): Secrets {
  return {
    encrypt: (owner, purpose, text) => encryptWith(ring()[0], toContext(owner, purpose), text),
    decrypt: (owner, purpose, value) => decryptWith(ring(), toContext(owner, purpose), value),
    derive: (owner, purpose) => {
      const info = JSON.stringify(['docent derived v1', owner, purpose])
      return Buffer.from(hkdfSync('sha256', ring()[0].cipherKey, '', info, 12)).toString('base64url')
    },
  }
}

/** Returns the id of the key that encrypted a value; undefined if the text is not an encrypted value. */
export function keyIdOf(value: string): string | undefined {
  return form.exec(value)?.[1]
}

type Context = { readonly owner: string; readonly purpose: string }

const toContext = (owner: string, purpose: string): Context => ({ owner, purpose })

function encryptWith(key: SecretKey, context: Context, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key.cipherKey, nonce, { authTagLength: tagBytes })
  cipher.setAAD(associated(key.id, context))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [version, key.id, nonce.toString('base64url'), encrypted.toString('base64url')].join('.')
}

function decryptWith(ring: KeyRing, context: Context, value: string): string {
  const [, id = '', nonceText = '', encryptedText = ''] = form.exec(value) ?? []
  const nonce = Buffer.from(nonceText, 'base64url')
  const encrypted = Buffer.from(encryptedText, 'base64url')
  // Several texts stand for the same bytes: only the one that `encrypt` writes is accepted.
  if (id === '' || encrypted.toString('base64url') !== encryptedText) throw damaged()
  const key = ring.find((one) => one.id === id)
  if (!key) throw new SecretUnreadable(`The value was encrypted with the key ${id}, which this service does not have.`)
  // Without `authTagLength` Node.js accepts a tag of 4 bytes; the slices below never give it one.
  const decipher = createDecipheriv(algorithm, key.cipherKey, nonce, { authTagLength: tagBytes })
  decipher.setAAD(associated(id, context))
  decipher.setAuthTag(encrypted.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(0, -tagBytes)), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw damaged(cause)
  }
}

/** Encodes owner and purpose as JSON, so that no other pair gives the same bytes. */
function associated(keyId: string, { owner, purpose }: Context): Buffer {
  return Buffer.from(JSON.stringify([version, keyId, owner, purpose]))
}

function damaged(cause?: unknown): SecretUnreadable {
  const words = 'The value is not one that this service encrypted for this owner and purpose.'
  return new SecretUnreadable(words, { cause })
}
