// Remembers what a pure function returned for the texts of late: a site has few paths and user agents, and each of them comes
// many times. Nothing that the store may not hold belongs here: no addresses, queries or cookies.

import { copyText } from '../lib/plain-text.ts'

type Limits = {
  /** Results for longer texts are not kept. */
  readonly maxLength: number
  /** Up to twice as many are kept. */
  readonly maxTexts: number
}

/** At most 20 MB, so a hostile client cannot fill the memory. */
const usual: Limits = { maxLength: 512, maxTexts: 10_000 }

/**
 * An error of `compute` is thrown, and not kept. Two generations instead of a cache with an order, which takes three times as long to ask.
 */
export function remember<T>(compute: (text: string) => T, { maxLength, maxTexts } = usual): (text: string) => T {
  type Kept = { readonly value: T }
  let young = new Map<string, Kept>()
  let old = young
  return (text) => {
    const found = young.get(text)
    if (found) return found.value
    if (text.length > maxLength) return compute(text)
    const own = copyText(text)
    const kept = old.get(text) ?? { value: compute(own) }
    if (young.size >= maxTexts) {
      old = young
      young = new Map()
    }
    young.set(own, kept)
    return kept.value
  }
}
