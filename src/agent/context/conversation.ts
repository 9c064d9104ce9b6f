// The messages that a run sends to its model, turn after turn. Each stored turn becomes messages once, so that a late turn
// costs what an early one does. Remembers nothing that the stored turns do not say, except how much a provider accepts:
// after it refused a request for its length, requests have half of that length at most.

import { Failure } from '../../lib/failure.ts'
import type { Model, ModelMessage, ModelResponse } from '../model/types.ts'
import { createMessages, type Turn } from '../transcript.ts'
import { charactersPerToken, createFitter } from './fit-context.ts'

export type ConversationOptions = {
  readonly model: Pick<Model, 'id' | 'contextTokens'>
  readonly nonce: string
  /** The size of instructions and tools. */
  readonly fixedCharacters: number
  /** Turns of earlier runs, which come first. */
  readonly earlier: readonly Turn[]
}

export type Asked = {
  readonly response: ModelResponse
  /** Whether older messages were shortened since the request before. */
  readonly isShortened: boolean
}

export interface Conversation {
  /**
   * Calls `send` with the messages of the turns, of which only the last one has no response; a second time with half as much
   * if the provider refuses their length. `turns` begins with those of the call before. Throws `context_exceeded`, and
   * what `send` throws.
   */
  ask(turns: readonly Turn[], send: (messages: readonly ModelMessage[]) => Promise<ModelResponse>): Promise<Asked>
}

export function createConversation({ model, nonce, fixedCharacters, earlier }: ConversationOptions): Conversation {
  const messagesOf = createMessages(model.id, nonce)
  const all: ModelMessage[] = []
  const open = (contextTokens: number) => createFitter({ contextTokens, fixedCharacters, nonce })
  let fitter = open(model.contextTokens)
  const add = (messages: readonly ModelMessage[]) => {
    all.push(...messages)
    for (const message of messages) fitter.add(message)
  }
  for (const turn of earlier) add([...messagesOf.input(turn), ...messagesOf.response(turn)])
  const taken = { inputs: 0, responses: 0, stepsBefore: 0 }
  const take = (turns: readonly Turn[]) => {
    for (const turn of turns.slice(taken.responses)) {
      if (turn.number > taken.inputs) add(messagesOf.input(turn))
      taken.inputs = turn.number
      if (!turn.response) return
      taken.stepsBefore = fitter.steps()
      add(messagesOf.response(turn))
      taken.responses = turn.number
    }
  }
  const shrink = () => {
    fitter = open(fitter.size() / charactersPerToken / 2)
    for (const message of all) fitter.add(message)
  }
  return {
    ask: async (turns, send) => {
      take(turns)
      const messages = fitter.messages()
      try {
        return { response: await send(messages), isShortened: fitter.steps() > taken.stepsBefore }
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'context_exceeded') throw error
        shrink()
        return { response: await send(fitter.messages()), isShortened: true }
      }
    },
  }
}
