// Splits work into portions of a bounded size, each of at least one item.

export type Portion<T> = { readonly items: readonly T[]; readonly size: number }

/** In the order of the items. One that is larger than `most` is a portion of its own. */
export function inPortions<T>(items: readonly T[], sizeOf: (item: T) => number, most: number): readonly Portion<T>[] {
  const portions: { items: T[]; size: number }[] = []
  for (const item of items) {
    const size = sizeOf(item)
    const last = portions.at(-1)
    if (!last || last.size + size > most) portions.push({ items: [item], size })
    else {
      last.items.push(item)
      last.size += size
    }
  }
  return portions
}
