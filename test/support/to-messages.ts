// The messages of whole turns, which the loop makes one turn at a time.

import type { ModelMessage } from '../../src/agent/model/types.ts'
import { createMessages, type Turn } from '../../src/agent/transcript.ts'

/** All messages of these turns, in order. */
export function toMessages(turns: readonly Turn[], model: string, nonce: string): readonly ModelMessage[] {
  const messagesOf = createMessages(model, nonce)
  return turns.flatMap((turn) => [...messagesOf.input(turn), ...messagesOf.response(turn)])
}
