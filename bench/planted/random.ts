// Random choices that a seed repeats.

export type Random = {
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  shuffled<T>(items: readonly T[]): T[]
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
  return {
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    shuffled: (items) =>
      items
        .map((item) => ({ item, at: below(1_000_000_000) }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ item }) => item),
  }
}
