// Decides what follows an attempt that failed: whether it counts as usage, and whether the same response may be requested
// again. A provider charges for an answer that was cut off, so such answers are not requested without end. Pure.

import { createId } from '../../lib/id.ts'
import { Failure } from '../../lib/failure.ts'
import { type Classified, TimeLimitReached } from './model-failure.ts'
import { costUsd, type ModelFacts } from './prices.ts'
import type { Progress } from './stream-response.ts'
import type { FailedAttempt, ModelRequest } from './types.ts'

/** Requests of one response whose answer began: two that a time limit cut, six in all. */
const mostCut = 2
const mostBegun = 6

/** Between the published measurements for English prose and code (3.2 to 4.5). */
const charactersPerToken = 4

/** The price and the name of the model that was asked. */
export type Asked = { readonly model: string; readonly facts: ModelFacts | undefined; readonly now: Date }

/**
 * Returns the attempt with the usage that the provider reported, otherwise with an estimate: the request and what arrived
 * of the answer, at 4 characters a token. Undefined if nothing of an answer arrived.
 */
export function toFailedAttempt(
  cause: FailedAttempt['cause'],
  request: ModelRequest,
  progress: Progress,
  { model, facts, now }: Asked,
): FailedAttempt | undefined {
  if (!progress.hasBegun) return undefined
  const reported = progress.metered?.isMetered === true ? progress.metered.usage : undefined
  const usage = reported ?? estimate(request, progress.characters)
  const isEstimate = reported === undefined
  return { id: createId('att'), model, cause, usage: { ...usage, costUsd: costUsd(facts, usage, now) }, isEstimate }
}

/** Whether the answer is requested again, and when. `failed`: the attempts so far whose answer began, this one included. */
export function afterBegun({ failure, wait }: Classified, failed: readonly FailedAttempt[]): Classified {
  const cut = failed.filter(({ cause }) => cause === 'limit').length
  const begun = failed.filter(({ cause }) => cause !== 'stopped').length
  if (!failure.mayRetry) return { failure, wait: undefined }
  if (cut < mostCut && begun < mostBegun) {
    return { failure, wait: failure instanceof TimeLimitReached ? 'soon' : wait }
  }
  const count = cut >= mostCut ? cut : begun
  const message = `${failure.message} The answer had begun each of ${count} times and is not requested again, because the provider charges for each.`
  return { failure: new Failure(failure.code, message, { cause: failure, isFinal: true }), wait: undefined }
}

function estimate({ instructions, messages, tools }: ModelRequest, received: number): FailedAttempt['usage'] {
  const ofTools = tools.reduce((sum, tool) => sum + tool.description.length + 500, 0)
  const sent = instructions.length + JSON.stringify(messages).length + ofTools
  return {
    inputTokens: Math.ceil(sent / charactersPerToken),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: Math.ceil(received / charactersPerToken),
    costUsd: null,
  }
}
