// Removes the key of the provider from a response: a server or a proxy may repeat it in the text of the model, in its
// reasoning and in its calls. Pure, except that the listener keeps the last word until it is complete.

import { createRedactor } from '../../lib/outbound/redact.ts'
import type { ModelResponse, TextListener } from './types.ts'

type Said = Pick<ModelResponse, 'messages' | 'calls' | 'text'>

export function hideKey<T extends Said>(response: T, key: string | undefined): T {
  if (key === undefined) return response
  const clean = createRedactor(key)
  const { messages, calls, text } = response
  const said = JSON.stringify({ messages, calls, text } satisfies Said)
  if (clean(said) === said) return response
  return { ...response, ...(JSON.parse(said, (_, part: unknown) => cleanPart(part, clean)) as Said) }
}

function cleanPart(part: unknown, clean: (text: string) => string): unknown {
  if (typeof part === 'string') return clean(part)
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [clean(name), value]))
}

export type HidingListener = TextListener & {
  /** Passes the last word on. */
  end(): void
}

/** No word is passed on before it is complete, because a key arrives in pieces. A longer one is no word. */
const longestWord = 4_000

export function hideInText(listener: TextListener, key: string | undefined): HidingListener {
  if (key === undefined) return { ...listener, end: () => undefined }
  const clean = createRedactor(key)
  const state = { word: '' }
  const pass = (until: number): void => {
    const text = clean(state.word.slice(0, until))
    state.word = state.word.slice(until)
    if (text !== '') listener.text(text)
  }
  return {
    text: (delta) => {
      state.word += delta
      const begun = /\S*$/.exec(state.word)?.index ?? 0
      pass(state.word.length - begun > longestWord ? state.word.length : begun)
    },
    discarded: () => {
      state.word = ''
      listener.discarded()
    },
    end: () => pass(state.word.length),
  }
}
