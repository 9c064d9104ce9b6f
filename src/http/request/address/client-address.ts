// The address of a client: that of the connection, or the one that trusted proxies wrote into X-Forwarded-For, read from
// the right. Nothing is trusted by default.

import { BlockList, isIP } from 'node:net'
import type { TrustedProxies } from '../../../lib/network.ts'
import type { UnusedForwards } from './unused-forwards.ts'

export type Hops = {
  /** The peer of the connection; undefined for the socket in the data directory. */
  readonly peer: string | undefined
  /** X-Forwarded-For, as it came. */
  readonly forwardedFor: string | undefined
}

/**
 * Reads the networks once. The returned function finds the rightmost address that is not a trusted proxy, and notes an
 * address that it does not use.
 */
export function createClientAddress(
  trusted: TrustedProxies,
  unused: Pick<UnusedForwards, 'note' | 'see'>,
): (hops: Hops) => string | undefined {
  const isTrusted = createTrust(trusted)
  return ({ peer, forwardedFor }) => {
    if (peer === undefined) return undefined
    const written = (forwardedFor ?? '').split(',').map((one) => unmap(withoutPort(one.trim())))
    const chain = [unmap(peer), ...written.toReversed()]
    const [own = '', next = ''] = chain
    if (!isTrusted(own, 0) && isIP(next) !== 0) unused.note(own, next)
    const end = chain.findIndex((address, index) => !isTrusted(address, index) || isIP(chain[index + 1] ?? '') === 0)
    const beyond = chain[end + 1]
    unused.see(chain[end] ?? own, beyond !== undefined && isIP(beyond) !== 0 ? beyond : undefined)
    return chain[end]
  }
}

/** Checks whether a peer may name the client beyond it. The socket in the data directory (no address) may. */
export function createPeerTrust(trusted: TrustedProxies): (peer: string | undefined) => boolean {
  const isTrusted = createTrust(trusted)
  return (peer) => peer === undefined || isTrusted(unmap(peer), 0)
}

/** Checks whether the address, `index` hops from this server, may forward. */
function createTrust(trusted: TrustedProxies): (address: string, index: number) => boolean {
  return 'hops' in trusted ? byCount(trusted.hops) : byNetwork(trusted.networks)
}

function byCount(hops: number): (address: string, index: number) => boolean {
  return (_address, index) => index < hops
}

function byNetwork(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Removes the port that some proxies write: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, six, four] = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/.exec(text) ?? []
  return six ?? four ?? text
}

/** Converts `::ffff:192.0.2.1`, the form of a dual-stack socket, to `192.0.2.1`. */
function unmap(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}
