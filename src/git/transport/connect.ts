// Limits the hosts that git may connect to: pins git to the addresses that were checked, once per command.

import { isIP } from 'node:net'
import { Failure } from '../../lib/failure.ts'
import { resolveHost, type Resolve } from '../../lib/outbound/resolve.ts'
import type { Address } from './address.ts'

/** Returns the settings that pin one git command to the checked addresses. Throws `repository_unreachable`. */
export async function pinAddress(address: Address, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  if (address.protocol === 'file' || isIP(address.hostname) !== 0) return []
  const found = await resolveHost(address, resolve, signal)
  if (found.kind === 'refused') throw new Failure('repository_unreachable', found.reason, { cause: found.cause })
  const pinned = found.addresses.map((ip) => (isIP(ip) === 6 ? `[${ip}]` : ip)).join(',')
  return [`http.curloptResolve=${address.hostname}:${address.port}:${pinned}`]
}
