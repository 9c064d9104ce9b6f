// Parses, formats and compares networks of IP addresses, which are numbers here. An IPv4 address inside IPv6
// (`::ffff:192.0.2.1`) counts as the IPv4 address.

import { isIP } from 'node:net'

/** All bits of `base` after the first `bits` are zero. */
export type Network = { readonly family: 4 | 6; readonly base: bigint; readonly bits: number }

/** The hops of X-Forwarded-For to trust, from the right: a count, or the networks of the proxies. */
export type TrustedProxies = { readonly hops: number } | { readonly networks: readonly string[] }

const mappedBase = 0xffffn << 32n
const mappedBits = 96

/** Takes an address, or an address with a prefix length; the bits after the prefix are dropped. */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/')
  const address = slash < 0 ? text : text.slice(0, slash)
  const length = slash < 0 ? undefined : text.slice(slash + 1)
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 0) return undefined
  const family = version === 4 ? 4 : 6
  const width = widthOf(family)
  if (length !== undefined && (!/^\d{1,3}$/.test(length) || Number(length) > width)) return undefined
  const bits = length === undefined ? width : Number(length)
  return unmapped({ family, base: masked(family === 4 ? toNumber4(address) : toNumber6(address), bits, width), bits })
}

/** `192.0.2.0/24`, or a single address without the slash; IPv6 in the form of RFC 5952. */
export function formatNetwork({ family, base, bits }: Network): string {
  const address = family === 4 ? toText4(base) : toText6(base)
  return bits === widthOf(family) ? address : `${address}/${bits}`
}

/** Whether `outer` contains every address of `inner`. */
export function includesNetwork(outer: Network, inner: Network): boolean {
  if (outer.family !== inner.family || outer.bits > inner.bits) return false
  return masked(inner.base, outer.bits, widthOf(outer.family)) === outer.base
}

/** The same for texts. A text that is not a network includes nothing and is not included in any. */
export function isWithinNetworks(text: string, networks: readonly string[]): boolean {
  const inner = parseNetwork(text)
  if (!inner) return false
  return networks.some((one) => {
    const outer = parseNetwork(one)
    return outer !== undefined && includesNetwork(outer, inner)
  })
}

function unmapped(network: Network): Network {
  const isMapped = network.family === 6 && network.bits >= mappedBits && network.base >> 32n === mappedBase >> 32n
  if (!isMapped) return network
  return { family: 4, base: network.base & 0xffffffffn, bits: network.bits - mappedBits }
}

function masked(number: bigint, bits: number, width: number): bigint {
  if (bits === width) return number
  const rest = BigInt(width - bits)
  return (number >> rest) << rest
}

function widthOf(family: 4 | 6): number {
  return family === 4 ? 32 : 128
}

function toNumber4(address: string): bigint {
  return BigInt(partsOf(address))
}

/** Each page view of a new visitor comes here, so no texts are made of the parts. */
function partsOf(address: string): number {
  let [sum, part] = [0, 0]
  for (let at = 0; at < address.length; at += 1) {
    const code = address.charCodeAt(at)
    if (code === dot) [sum, part] = [sum * 256 + part, 0]
    else part = part * 10 + (code - zero)
  }
  return sum * 256 + part
}

const [dot, zero] = [0x2e, 0x30]
const digitsOfGroup = 4

/** A valid address has at most one gap. */
function toNumber6(address: string): bigint {
  const [head = '', tail = ''] = address.split('::')
  const [before, after] = [digitsOf(head), digitsOf(tail)]
  return BigInt(`0x${before}${after.padStart(8 * digitsOfGroup - before.length, '0')}`)
}

/** The last group may be an IPv4 address. */
function digitsOf(groups: string): string {
  if (groups === '') return ''
  const digits = groups.split(':').map((group) => {
    if (group.includes('.'))
      return partsOf(group)
        .toString(16)
        .padStart(2 * digitsOfGroup, '0')
    return group.padStart(digitsOfGroup, '0')
  })
  return digits.join('')
}

function toText4(base: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((base >> shift) & 0xffn)).join('.')
}

function toText6(base: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) => ((base >> BigInt(112 - at * 16)) & 0xffffn).toString(16))
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1)
}
