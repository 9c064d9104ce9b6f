// A model that sees skipped commits, and names those whose subject says that they concern the docs.

import type { Model } from '../../src/agent/model/types.ts'

export const hiddenWord = 'unseen by programs'

type Summary = { readonly id: string; readonly subject: string }

export const triageModel: Model = {
  id: 'test/model',
  contextTokens: Infinity,
  isPriced: () => true,
  respond: async ({ messages }) => {
    const [first] = messages
    const commits = JSON.parse(typeof first?.content === 'string' ? first.content : '[]') as readonly Summary[]
    const named = commits.filter(({ subject }) => subject.includes(hiddenWord)).map(({ id }) => id)
    const usage = { inputTokens: 1_000, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 100, costUsd: 0.01 }
    return {
      model: 'test/model',
      messages: [],
      calls: [],
      text: named.join('\n') || 'no',
      finishReason: 'stop',
      usage,
    }
  },
}
