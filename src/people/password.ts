// Passwords as argon2id hashes by Node's own crypto, with the parameters that OWASP's Password Storage Cheat Sheet names
// first (19 MiB, two passes, one lane: about 70 ms). A hash carries its parameters, so that they can be raised later.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Failure, invalidInput } from '../lib/failure.ts'
import { createLine } from '../lib/few-at-once.ts'
import { common } from './common-passwords.ts'

const parameters = { memory: 19_456, passes: 2, parallelism: 1 } as const
const saltBytes = 16
const hashBytes = 32
export const shortest = 12
/** More would only make requests larger: argon2id takes any length. */
export const longest = 200

/**
 * Node's thread pool has four threads, which files and DNS share: the rest wait, about four seconds at most. Attempts from
 * many addresses at once can fill this line, but neither memory nor the pool.
 */
const oneOfFew = createLine({
  atOnce: 2,
  waiting: 100,
  full: () =>
    new Failure('unavailable', 'Too many people are signing in. Try again in a few seconds.', { retryAfter: 5 }),
})

const derive = promisify(argon2)
const form = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{8,100})\$([A-Za-z0-9+/]{16,200})$/

type Owner = { readonly email: string; readonly name: string }

/** Throws `invalid_input` like `checkPassword`. */
export async function hashNew(password: string, owner: Owner): Promise<string> {
  checkPassword(password, owner)
  return hashPassword(password)
}

/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>` (the PHC string format). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await oneOfFew(() => digest(password, { ...parameters, salt, tagLength: hashBytes }))
  const { memory, passes, parallelism } = parameters
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(hash)}`
}

/** Takes as long for `undefined`, which nobody's password matches, as for a hash. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt, hash] = form.exec(stored ?? '') ?? []
  if (salt === undefined || hash === undefined) {
    await hashPassword(password)
    return false
  }
  const wanted = Buffer.from(hash, 'base64')
  const settings = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const given = await oneOfFew(() =>
    digest(password, { ...settings, salt: Buffer.from(salt, 'base64'), tagLength: wanted.length }),
  )
  return timingSafeEqual(given, wanted)
}

/**
 * Throws `invalid_input` for a password that is too short, too long, one of those that people use most, or made of the
 * person's own name or address (NIST SP 800-63B, 5.1.1.2: length and a list, no rules about kinds of characters).
 */
export function checkPassword(password: string, { email, name }: Owner): void {
  const problem = problemOf(password, [email, email.split('@')[0] ?? '', name])
  if (problem !== undefined) throw invalidInput('#/password', problem)
}

function problemOf(password: string, own: readonly string[]): string | undefined {
  const length = Array.from(password).length
  if (length < shortest) return `must have at least ${shortest} characters`
  if (length > longest) return `must have at most ${longest} characters`
  const plain = password.toLowerCase()
  if (new Set(plain).size < 4) return 'must have more different characters'
  if (own.some((word) => word.length >= 4 && plain.replaceAll(word.toLowerCase(), '').length < 4)) {
    return 'must differ more from your name and e-mail address'
  }
  return common.has(plain.replaceAll(/[^a-z0-9]/g, ''))
    ? 'must not be one of the passwords that people use most'
    : undefined
}

type Settings = {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Uint8Array
  readonly tagLength: number
}

/** Two spellings of one character (a letter with its accent, or both in one) make the same hash. */
function digest(password: string, { salt, ...settings }: Settings): Promise<Buffer> {
  return derive('argon2id', { ...settings, message: password.normalize('NFC'), nonce: salt })
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}
