// Gets the credential for a repository's origin before every request to the host, and again if the host refuses it: tokens
// expire, and a host may not know one yet that was made seconds ago.

import { isDeepStrictEqual } from 'node:util'
import { Failure } from '../../lib/failure.ts'
import type { Mirror } from '../cache/mirror.ts'
import type { GitCredential } from '../types.ts'
import { originOf } from './address.ts'
import { type ScopedCredential, checkCredential } from './credential.ts'

/** The source of a young credential pauses before it gives it again. */
const mostRepeats = 4

/**
 * Runs `attempt` with the credential. If the host refused it, runs it again with another one, or several times with
 * a new one. Throws `repository_unauthorized` for a credential that cannot be sent.
 */
export async function withCredential<T>(
  mirror: Mirror,
  attempt: (credential: GitCredential | undefined) => Promise<T>,
  isRefused: (result: T) => boolean,
  signal: AbortSignal,
): Promise<T> {
  let credential = await ask(mirror, false, signal)
  let result = await attempt(credential)
  for (let repeats = 0; repeats < mostRepeats; repeats += 1) {
    if (credential === undefined || !isRefused(result)) return result
    const other = await ask(mirror, true, signal)
    if (other === undefined || (!isYoung(other) && isDeepStrictEqual(credential, other))) return result
    credential = other
    result = await attempt(other)
    if (!isYoung(other)) return result
  }
  return result
}

function isYoung(credential: GitCredential | undefined): boolean {
  return credential !== undefined && 'password' in credential && credential.isYoung === true
}

/** Returns a login for the origin of the address. Throws `repository_unauthorized` for a key. */
export function loginFor(mirror: Mirror, credential: GitCredential | undefined): ScopedCredential | undefined {
  if (credential === undefined) return undefined
  if ('password' in credential) return { ...credential, origin: originOf(mirror.address) }
  throw new Failure(
    'repository_unauthorized',
    'The credential is a key, and the address of the repository needs a login.',
  )
}

/** A folder of this machine needs no credential. */
async function ask(mirror: Mirror, isRefused: boolean, signal: AbortSignal): Promise<GitCredential | undefined> {
  const { address, id, options } = mirror
  if (address.protocol === 'file' || options.credentialOf === undefined) return undefined
  const found = await options.credentialOf({ id, origin: originOf(address), isRefused }, signal)
  if (found !== undefined && 'password' in found) checkCredential(found)
  return found
}
