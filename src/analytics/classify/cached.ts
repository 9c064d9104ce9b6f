// `classify` with a memory of the clients it has seen: a site is read by a few thousand user agents, and labelling one
// anew costs twenty times as much as finding it (bench/classify.ts). Bounded by number; who has not come for the
// longest is forgotten.

import type { Label } from '../page-view.ts'
import { toSignalsText } from '../store.ts'
import { type Client, classify } from './classify.ts'

/** An entry holds a user agent and its signals: 1.5 kB is much, so this is 15 MB at the very most. */
const defaultSize = 10_000
/** Longer ones are labelled and not remembered: nobody can fill the memory with them. */
const maxKeyLength = 2_048

/** `label` is for those who count how often it is asked. */
export function createClassify(size = defaultSize, label = classify): (client: Client) => Label {
  const known = new Map<string, Label>()
  return (client) => {
    const key = toKey(client)
    if (key.length > maxKeyLength) return label(client)
    const found = known.get(key) ?? label(client)
    // A Map keeps the order of insertion: what is put in again stands last.
    known.delete(key)
    known.set(key, found)
    if (known.size > size) known.delete(known.keys().next().value ?? '')
    return found
  }
}

/** Everything that `classify` looks at; NUL stands in no header, and the parts are counted besides. */
function toKey({ userAgent, signals, source, scheme, representation }: Client): string {
  return `${source} ${scheme ?? ''} ${representation} ${userAgent.length} ${userAgent}\0${toSignalsText(signals)}`
}
