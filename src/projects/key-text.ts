// The text of an admin API key: `docent_`, 40 random base62 characters, and a checksum of 6 base62 characters.
// The checksum (CRC-32 over what stands before it) tells a typing mistake without a look at the store, and lets
// scanners find leaked keys. Nothing is known here of who a key belongs to.

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62, randomString } from '../lib/id.ts'

const prefix = 'docent_'
export const keyPattern = /^docent_[0-9A-Za-z]{40}[0-9A-Za-z]{6}$/

/** A new key; 238 bits of randomness. */
export function createKeyText(): string {
  return withChecksum(prefix + randomString(base62, 40))
}

/** Is it of the form of a key, with the right checksum? Says nothing about whether such a key exists. */
export function isKeyText(text: string): boolean {
  return keyPattern.test(text) && withChecksum(text.slice(0, -6)) === text
}

/** What is stored and looked up: SHA-256, hexadecimal. A slow hash would add nothing to 238 random bits. */
export function digestKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Replaces everything of the form of a key, valid or not. */
export function hideKeys(text: string): string {
  return text.replaceAll(/docent_[0-9A-Za-z]{40,}/g, `${prefix}…`)
}

/** For people: the first and the last four characters after the prefix. */
export function keyHint(text: string): string {
  return `${text.slice(0, prefix.length + 4)}…${text.slice(-4)}`
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
