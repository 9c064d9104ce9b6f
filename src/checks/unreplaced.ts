// Which items of a list are gone from its later form, and nothing took their place.

export type Comparable<Item> = {
  readonly before: readonly Item[]
  readonly after: readonly Item[]
  /** Items with the same key are the same. */
  readonly keyOf: (item: Item) => string | number
  /** Whether the new item took the place of the old one, if it is where the old one was. */
  readonly replaces: (item: Item, old: Item) => boolean
}

/** A new item is where an old one was if both follow the same kept item. It takes the place of one item only. */
export function findUnreplaced<Item>({ before, after, keyOf, replaces }: Comparable<Item>): Item[] {
  const old = new Set(before.map(keyOf))
  const present = new Set(after.map(keyOf))
  const added = new Map<string | number, Item[]>()
  let kept: string | number = ''
  for (const item of after) {
    const key = keyOf(item)
    if (old.has(key)) kept = key
    else added.set(kept, [...(added.get(kept) ?? []), item])
  }
  kept = ''
  return before.filter((item) => {
    const key = keyOf(item)
    if (present.has(key)) {
      kept = key
      return false
    }
    const candidates = added.get(kept) ?? []
    const at = candidates.findIndex((candidate) => replaces(candidate, item))
    if (at !== -1) candidates.splice(at, 1)
    return at === -1
  })
}
