// Removes secrets from a response: a server or a proxy may repeat the key of the provider in the text of the model, in its
// reasoning and in its calls. Pure, except that the listener keeps the last word until it is complete.

import { mapStrings } from '../../lib/outbound/map-strings.ts'
import type { ModelResponse, TextListener } from './types.ts'

type Said = Pick<ModelResponse, 'messages' | 'calls' | 'text'>

/** Returns the response itself, byte for byte what the provider sent, if it holds no secret. */
export function hideSecrets<T extends Said>(response: T, hide: (text: string) => string): T {
  const { messages, calls, text } = response
  const said: Said = { messages, calls, text }
  const hidden = mapStrings(said, hide, hide)
  return hidden === said ? response : { ...response, ...hidden }
}

export type HidingListener = TextListener & {
  /** Passes the last word on. */
  end(): void
}

/**
 * No word is passed on before it is complete, because a secret arrives in pieces. Tokens and encoded secrets are visible
 * ASCII characters, so text in scripts without spaces is not kept. A longer word is no secret.
 */
const lastWord = /[!-~]*$/
const longestWord = 4_000

export function hideInText(listener: TextListener, hide: (text: string) => string): HidingListener {
  const state = { word: '' }
  const pass = (until: number): void => {
    const text = hide(state.word.slice(0, until))
    state.word = state.word.slice(until)
    if (text !== '') listener.text(text)
  }
  return {
    text: (delta) => {
      state.word += delta
      const begun = lastWord.exec(state.word)?.index ?? 0
      pass(state.word.length - begun > longestWord ? state.word.length : begun)
    },
    discarded: () => {
      state.word = ''
      listener.discarded()
    },
    end: () => pass(state.word.length),
  }
}
