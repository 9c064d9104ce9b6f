// Limits the hosts that git may connect to: pins git to the addresses that were checked, once per command.

import { isIP } from 'node:net'
import { Failure } from '../../lib/failure.ts'
import { resolveHost, type Resolve } from '../../lib/outbound/resolve.ts'
import type { Address } from './address.ts'

/** Returns the settings that pin one git command to the checked addresses. Throws `repository_unreachable`. */
export async function pinAddress(address: Address, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  if (address.protocol === 'file' || isIP(address.hostname) !== 0) return []
  const found = await checkedAddresses(address, resolve, signal)
  const pinned = found.map((ip) => (isIP(ip) === 6 ? `[${ip}]` : ip)).join(',')
  return [`http.curloptResolve=${address.hostname}:${address.port}:${pinned}`]
}

/** Returns the addresses that the host may be reached at. Throws `repository_unreachable`. */
export async function checkedAddresses(
  address: Address,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await resolveHost(address, resolve, signal)
  if (found.kind === 'addresses') return found.addresses
  throw new Failure('repository_unreachable', found.reason, { cause: found.cause })
}
