// Checks whether an address is in one of several thousand networks, by binary search in sorted intervals. Knows nothing
// about the owners of the networks.

import type { Network } from '../../../lib/network.ts'

type Intervals = { readonly starts: BigUint64Array; readonly ends: BigUint64Array }

/** `has` takes a single address (`bits` 32 or 128) in normal form: mapped IPv4 is IPv4. */
export type NetworkSet = { readonly size: number; readonly has: (address: Network) => boolean }

export function createNetworkSet(networks: readonly Network[]): NetworkSet {
  const four = toIntervals(
    networks.filter(({ family }) => family === 4),
    32n,
    0n,
  )
  const short = toIntervals(
    networks.filter(({ family, bits }) => family === 6 && bits <= 64),
    64n,
    64n,
  )
  // Narrower than a /64: found by the upper half, then by the lower half.
  const long = Map.groupBy(
    networks.filter(({ family, bits }) => family === 6 && bits > 64),
    ({ base }) => base >> 64n,
  )
  const lower = new Map([...long].map(([upper, some]) => [upper, toIntervals(some.map(lowerHalf), 64n, 0n)]))
  const has = ({ family, base }: Network) => {
    if (family === 4) return isWithin(four, base)
    const rest = lower.get(base >> 64n)
    return isWithin(short, base >> 64n) || (rest !== undefined && isWithin(rest, base & lowerMask))
  }
  return { size: networks.length, has }
}

const lowerMask = 2n ** 64n - 1n

function lowerHalf({ family, base, bits }: Network): Network {
  return { family, base: base & lowerMask, bits: bits - 64 }
}

/** Intervals of the `width` bits that remain without the lowest `shift` bits. Merged, so that they never overlap. */
function toIntervals(networks: readonly Network[], width: bigint, shift: bigint): Intervals {
  const sorted = networks
    .map(({ base, bits }) => {
      const start = base >> shift
      return { start, end: start + 2n ** (width - BigInt(bits)) - 1n }
    })
    .sort((a, b) => (a.start < b.start ? -1 : 1))
  const merged: { start: bigint; end: bigint }[] = []
  for (const one of sorted) {
    const last = merged.at(-1)
    if (!last || one.start > last.end) merged.push(one)
    else if (one.end > last.end) last.end = one.end
  }
  return {
    starts: BigUint64Array.from(merged, ({ start }) => start),
    ends: BigUint64Array.from(merged, ({ end }) => end),
  }
}

function isWithin({ starts, ends }: Intervals, address: bigint): boolean {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0n) <= address) low = middle + 1
    else high = middle
  }
  return low > 0 && address <= (ends[low - 1] ?? -1n)
}
