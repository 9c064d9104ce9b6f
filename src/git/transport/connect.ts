// Where git may connect. Resolves the name once per command, refuses private, loopback, link-local and metadata
// addresses, and pins git to the addresses it checked, so that a second DNS response (rebinding) cannot lead elsewhere.

import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { Failure } from '../../lib/failure.ts'
import type { Address } from './address.ts'

export type Resolve = (host: string) => Promise<string[]>

const refused: readonly (readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
]

/** Is it an address that a public name must not resolve to? IPv6 is allowed only within 2000::/3, without tunnels. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return blocked.check(address, 'ipv4')
  if (family !== 6 || !globalUnicast.check(address, 'ipv6')) return true
  return blocked.check(address, 'ipv6')
}

/** The settings that pin one git command to the addresses that were checked. Throws `repository_unreachable`. */
export async function pinAddress(address: Address, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  if (address.protocol === 'file' || isIP(address.hostname) !== 0) return []
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

// Inside 2000::/3, but standing for other addresses: Teredo and related tunnels, documentation, 6to4.
const tunnels: typeof refused = [
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
]
const blocked = blockList([...refused, ...tunnels])
const globalUnicast = blockList([['2000::', 3, 'ipv6']])

function blockList(networks: typeof refused): BlockList {
  const list = new BlockList()
  for (const [network, prefix, family] of networks) list.addSubnet(network, prefix, family)
  return list
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

async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
