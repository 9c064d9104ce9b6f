// `classify` with a cache of clients. The readers of a site use a few thousand user agents, and classifying one costs
// twenty times as much as finding it in the cache (bench/classify.ts).

import { LRUCache } from 'lru-cache'
import type { Label } from '../page-view.ts'
import { toSignalsText } from '../store.ts'
import { type Client, classify } from './classify.ts'

/** An entry is a user agent with its signals, rarely more than 1.5 kB: 15 MB in all. */
const defaultSize = 10_000
/** Longer keys are not cached, so that a hostile client cannot fill the memory with them. */
const maxKeyLength = 2_048

/** Creates a cached `classify`. Tests pass a `label` that counts its calls. */
export function createClassify(size = defaultSize, label = classify): (client: Client) => Label {
  const known = new LRUCache<string, Label>({ max: size })
  return (client) => {
    const key = toKey(client)
    if (key.length > maxKeyLength) return label(client)
    const found = known.get(key)
    if (found) return found
    const fresh = label(client)
    known.set(key, fresh)
    return fresh
  }
}

/**
 * Joins all inputs of `classify`. Different clients have different keys, because the user agent comes with its length.
 */
function toKey({ userAgent, signals, source, scheme, representation }: Client): string {
  return `${source} ${scheme ?? ''} ${representation} ${userAgent.length} ${userAgent}\0${toSignalsText(signals)}`
}
