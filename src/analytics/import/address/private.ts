// Addresses that no reader on the internet has: those of private networks, of this machine, and of one link. A proxy has
// one of them when it passes requests on within a network.

import { formatNetwork, includesNetwork, type Network, parseNetwork } from '../../../lib/network.ts'

// RFC 1918, loopback, link-local, and the 100.64.0.0/10 of RFC 6598.
const private4 =
  /^(?:10|127)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./

/** Returns the address in one form: an IPv4 address inside IPv6 as the IPv4 address. Undefined if it is not private. */
export function toPrivate(address: string): string | undefined {
  if (!address.includes(':')) return private4.test(address) ? address : undefined
  // The networks below begin with 0 or f; those of most readers are not parsed.
  const network = /^[:0f]/i.test(address) ? parseNetwork(address) : undefined
  if (network === undefined) return undefined
  if (network.family === 4) return toPrivate(formatNetwork(network))
  return private6.some((outer) => includesNetwork(outer, network)) ? formatNetwork(network) : undefined
}

const private6: readonly Network[] = [
  { family: 6, base: 1n, bits: 128 },
  { family: 6, base: 0xfcn << 120n, bits: 7 },
  { family: 6, base: 0xfe80n << 112n, bits: 10 },
]
