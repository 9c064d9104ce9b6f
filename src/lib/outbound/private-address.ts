// The IP addresses that no public name may resolve to: private, loopback, link-local and metadata addresses, and addresses
// that embed another address.

import { BlockList, isIP } from 'node:net'

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

/** Whether a public name must not resolve to this address. IPv6 is allowed only within 2000::/3, without tunnels. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return blocked.check(address, 'ipv4')
  if (family !== 6 || !globalUnicast.check(address, 'ipv6')) return true
  return blocked.check(address, 'ipv6')
}

// Networks inside 2000::/3 that embed other addresses or are not public: Teredo and related tunnels, documentation, 6to4.
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
