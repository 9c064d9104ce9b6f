// Identifiers and other random strings, from the operating system's randomness.

import { randomInt } from 'node:crypto'

const base36 = '0123456789abcdefghijklmnopqrstuvwxyz'
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` characters drawn evenly from `alphabet`. */
export function randomString(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

export type IdPrefix =
  | 'prj'
  | 'site'
  | 'src'
  | 'key'
  | 'job'
  | 'msg'
  | 'run'
  | 'att'
  | 'req'
  | 'wrk'
  | 'imp'
  | 'his'
  | 'app'
  | 'cmt'
  | 'act'
  | 'men'
  | 'per'
  | 'ses'
  | 'inv'
  | 'shr'
  | 'seg'
  | 'aut'
  | 'aru'
  | 'whk'
  | 'fwh'
  | 'evt'
  | 'dlv'

/** An id such as `job_` and 20 lower-case letters and digits (103 bits). */
export function createId(prefix: IdPrefix): string {
  return `${prefix}_${randomString(base36, 20)}`
}

/** The token of a link or a cookie: 43 base62 characters, 256 bits. The store keeps its digest. */
export function createToken(): string {
  return randomString(base62, 43)
}
