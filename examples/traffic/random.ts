// Random numbers that are the same for the same seed, on every machine. Knows nothing of traffic.

export type Random = {
  /** At least 0, below 1. */
  next(): number
  /** An integer from 0 to `end` - 1. */
  below(end: number): number
  /** True in so many of 1. */
  chance(share: number): boolean
}

/** Mulberry32: fast, and good enough for made-up traffic. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    return mix(state) / 2 ** 32
  }
  return { next, below: (end) => Math.floor(next() * end), chance: (share) => next() < share }
}

/** 32 bits that look like chance and depend on `value` alone. */
export function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 15), value | 1)
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
  return (bits ^ (bits >>> 14)) >>> 0
}

/** Picks by weight. `at` is at least 0 and below 1. */
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
