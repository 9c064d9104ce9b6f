// Limits the hosts that git may connect to. Resolves the name once per command, refuses private, loopback, link-local
// and metadata addresses, and pins git to the checked addresses, so that a second DNS response (rebinding) cannot lead
// elsewhere.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { abortable } from '../../lib/abortable.ts'
import { Failure } from '../../lib/failure.ts'
import { isPrivateAddress } from '../../lib/private-address.ts'
import type { Address } from './address.ts'

export type Resolve = (host: string) => Promise<string[]>

/** Returns the settings that pin one git command to the checked addresses. Throws `repository_unreachable`. */
export async function pinAddress(address: Address, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  if (address.protocol === 'file' || isIP(address.hostname) !== 0) return []
  signal.throwIfAborted()
  const found = await abortable(resolveHost(address.hostname, resolve), signal)
  if (!address.isListed && found.some(isPrivateAddress)) {
    throw new Failure(
      'repository_unreachable',
      `${address.hostname} resolves to a private network address. The operator can allow the host with DOCENT_PRIVATE_REPOSITORY_HOSTS.`,
    )
  }
  const pinned = found.map((ip) => (isIP(ip) === 6 ? `[${ip}]` : ip)).join(',')
  return [`http.curloptResolve=${address.hostname}:${address.port}:${pinned}`]
}

/** Resolves with the operating system, IPv4 and IPv6. */
export async function systemResolve(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map((entry) => entry.address)
}

async function resolveHost(hostname: string, resolve: Resolve): Promise<string[]> {
  try {
    const found = (await resolve(hostname)).filter((ip) => isIP(ip) !== 0)
    if (found.length > 0) return found
  } catch (cause) {
    throw new Failure('repository_unreachable', `The name ${hostname} could not be resolved.`, { cause })
  }
  throw new Failure('repository_unreachable', `The name ${hostname} has no address.`)
}
