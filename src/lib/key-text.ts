// The text of an admin API key: `docent_`, 40 random base62 characters, and a checksum of 6 base62 characters. The
// checksum (CRC-32 of everything before it) detects typing mistakes without a lookup in the store, and helps scanners find
// leaked keys. Knows nothing about the owner of a key.

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62, randomString } from './id.ts'

const prefix = 'docent_'
export const keyPattern = /^docent_[0-9A-Za-z]{40}[0-9A-Za-z]{6}$/

/** Creates a key with 238 bits of randomness. */
export function createKeyText(): string {
  return withChecksum(prefix + randomString(base62, 40))
}

/** Checks the form of a key and its checksum, not whether the key exists. */
export function isKeyText(text: string): boolean {
  return keyPattern.test(text) && withChecksum(text.slice(0, -6)) === text
}

/** Hashes a key for storage and lookup: SHA-256, hexadecimal. A slow hash would add nothing to 238 random bits. */
export function digestKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Replaces every text that has the form of a key, valid or not. */
export function hideKeys(text: string): string {
  return text.replaceAll(/docent_[0-9A-Za-z]{40,}/g, `${prefix}…`)
}

/** Shortens a key for people: the first and the last four characters after the prefix. */
export function keyHint(text: string): string {
  return [text.slice(0, prefix.length + 4), text.slice(-4)].join('…')
}

function withChecksum(body: string): string {
  let rest = crc32(body)
  let checksum = ''
  for (let i = 0; i < 6; i += 1) {
    checksum = base62.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return body + checksum
}
