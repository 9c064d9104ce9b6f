// Asks for the credential of a repository's origin, for each thing that is done with the host, and once more when the
// host refused it: tokens expire, and some are minted for each run.

import type { Mirror } from '../cache/mirror.ts'
import { originOf } from './address.ts'
import { type ScopedCredential, checkCredential } from './credential.ts'

/**
 * Runs `attempt` with the credential, and once more if the host refused it and there is another one. Throws
 * `repository_unauthorized` for a credential that cannot be sent.
 */
export async function withCredential<T>(
  mirror: Mirror,
  attempt: (credential: ScopedCredential | undefined) => Promise<T>,
  isRefused: (result: T) => boolean,
  signal: AbortSignal,
): Promise<T> {
  const credential = await ask(mirror, false, signal)
  const result = await attempt(credential)
  if (credential === undefined || !isRefused(result)) return result
  const other = await ask(mirror, true, signal)
  if (other === undefined || isSame(credential, other)) return result
  return await attempt(other)
}

/** A folder of this machine needs no credential. */
async function ask(mirror: Mirror, isRefused: boolean, signal: AbortSignal): Promise<ScopedCredential | undefined> {
  const { address, id, options } = mirror
  if (address.protocol === 'file' || options.credentialOf === undefined) return undefined
  const origin = originOf(address)
  const found = await options.credentialOf({ id, origin, isRefused }, signal)
  if (found === undefined) return undefined
  checkCredential(found)
  return { ...found, origin }
}

function isSame(one: ScopedCredential, other: ScopedCredential): boolean {
  return one.username === other.username && one.password === other.password
}
