// Remembers what a pure function returned for the texts of late: a site has few paths and user agents, and each of them comes
// many times.

const maxTexts = 10_000

/**
 * `compute` must not throw. Results for longer texts are not kept, so a hostile client cannot fill the memory. Two generations
 * instead of a cache with an order, which takes three times as long to ask.
 */
export function remember<T>(compute: (text: string) => T, maxLength = 512): (text: string) => T {
  type Kept = { readonly value: T }
  let young = new Map<string, Kept>()
  let old = young
  return (text) => {
    const found = young.get(text)
    if (found) return found.value
    if (text.length > maxLength) return compute(text)
    const kept = old.get(text) ?? { value: compute(text) }
    if (young.size >= maxTexts) {
      old = young
      young = new Map()
    }
    young.set(text, kept)
    return kept.value
  }
}
