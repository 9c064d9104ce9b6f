// Pseudorandom numbers that are the same for the same seed.

export type Random = {
  /** Returns an integer from 0 to `below` - 1. */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(values: readonly [T, ...T[]]): T
}

export function createRandom(seed: number): Random {
  const state = { value: seed >>> 0 }
  const next = () => {
    state.value = (state.value + 0x6d2b79f5) >>> 0
    let t = state.value
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (below: number) => Math.floor(next() * below)
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (values) => values[int(values.length)] ?? values[0],
  }
}
