// Random numbers that are the same for the same seed on every machine. Knows nothing about traffic.

export type Random = {
  /** Returns a number from 0 to 1, without 1. */
  next(): number
  /** Returns an integer from 0 to `end` - 1. */
  below(end: number): number
  /** Returns true with the probability `share`. */
  chance(share: number): boolean
}

/** Mulberry32: fast, and good enough for generated traffic. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    return mix(state) / 2 ** 32
  }
  return { next, below: (end) => Math.floor(next() * end), chance: (share) => next() < share }
}

/** Returns 32 pseudorandom bits that depend on `value` only. */
export function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 15), value | 1)
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
  return (bits ^ (bits >>> 14)) >>> 0
}

/** Returns a function that picks an item by weight. `at` is from 0 to 1, without 1. */
export function weighted<T extends { readonly weight: number }>(all: readonly T[]): (at: number) => T {
  const sums: number[] = []
  let sum = 0
  for (const { weight } of all) sums.push((sum += weight))
  return (at) => {
    const wanted = at * sum
    let n = 0
    while (n < sums.length - 1 && (sums[n] ?? 0) <= wanted) n += 1
    return all[n] as T
  }
}
