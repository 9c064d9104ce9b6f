// Resolves the name of a host that the service connects to, and refuses private, loopback, link-local and metadata
// addresses. The caller pins its connection to the result, so that a second DNS response (rebinding) cannot lead
// elsewhere.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { abortable } from '../abortable.ts'
import { isPrivateAddress } from './private-address.ts'

export type Resolve = (host: string) => Promise<readonly string[]>

export type Resolved =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string; readonly cause?: unknown }

/** `isListed`: the operator allows the host to be private. Throws only the reason of `signal`. */
export async function resolveHost(
  host: { readonly hostname: string; readonly isListed: boolean },
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Resolved> {
  const { hostname, isListed } = host
  signal.throwIfAborted()
  if (isIP(hostname) !== 0) return check([hostname], host)
  try {
    const found = (await abortable(resolve(hostname), signal)).filter((ip) => isIP(ip) !== 0)
    if (found.length > 0) return check(found, { hostname, isListed })
  } catch (cause) {
    signal.throwIfAborted()
    return { kind: 'refused', reason: `The name ${hostname} could not be resolved.`, cause }
  }
  return { kind: 'refused', reason: `The name ${hostname} has no address.` }
}

/** Resolves with the operating system, IPv4 and IPv6. */
export async function systemResolve(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map((entry) => entry.address)
}

function check(
  addresses: readonly string[],
  host: { readonly hostname: string; readonly isListed: boolean },
): Resolved {
  if (host.isListed || !addresses.some(isPrivateAddress)) return { kind: 'addresses', addresses }
  return {
    kind: 'refused',
    reason: `${host.hostname} resolves to a private network address. The operator can allow the host with DOCENT_PRIVATE_REPOSITORY_HOSTS.`,
  }
}
