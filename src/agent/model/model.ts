// A model that a provider serves: requests responses with retries and a time limit, and adds what each one cost.

import type { Clock } from '../../lib/clock.ts'
import type { Dialect } from './dialect.ts'
import { afterBegun, toFailedAttempt } from './attempts.ts'
import { explain } from './explain-error.ts'
import { type Classified, TimeLimitReached } from './model-failure.ts'
import { createRedactor } from '../../lib/outbound/redact.ts'
import type { Redactor } from '../../lib/outbound/redactor.ts'
import { hideInText, hideSecrets } from './hide-secrets.ts'
import { costUsd, isPriced, type ModelFacts } from './prices.ts'
import { type Progress, type Provider, type Streamed, streamResponse } from './stream-response.ts'
import type { FailedAttempt, Model, ModelRequest, TextListener } from './types.ts'

export type ModelOptions = {
  readonly id: string
  readonly contextTokens: number
  readonly facts: ModelFacts | undefined
  readonly dialect: Dialect
  readonly clock: Clock
  /** The time limit for one complete response, also if it arrives slowly. */
  readonly timeoutMs: number
  /** The key of the provider; neither failures nor responses contain it. */
  readonly secret?: string | undefined
  /** Knows the secrets that no response may hold. Default: only `secret`. */
  readonly redactor?: Pick<Redactor, 'hide' | 'redact'> | undefined
}

const attempts = 3

export function createModel(provider: Provider, options: ModelOptions): Model {
  const { id, clock, facts } = options
  // Otherwise the library writes warnings to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false
  return {
    id,
    contextTokens: options.contextTokens,
    isPriced: () => isPriced(facts, clock.now()),
    respond: async (request, signal) => {
      const { usage, isMetered, ...streamed } = await askPatiently(provider, options, request, signal)
      const cost = isMetered ? costUsd(facts, usage, clock.now()) : null
      return { model: id, ...streamed, usage: { ...usage, costUsd: cost } }
    },
  }
}

async function askPatiently(
  provider: Provider,
  options: ModelOptions,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Streamed> {
  const { clock } = options
  const failed = [...(request.failed ?? [])]
  for (let attempt = 1; ; attempt += 1) {
    const progress: Progress = { hasBegun: false, characters: 0, metered: undefined }
    try {
      return await askOnce(provider, options, { ...request, progress }, signal)
    } catch (error) {
      const classified = explain(error, { now: clock.now(), secret: options.secret })
      const asked = { model: options.id, facts: options.facts, now: clock.now() }
      const begun = toFailedAttempt(causeOf(classified, signal), request, progress, asked)
      if (begun) await request.saveAttempt?.(begun)
      if (begun) failed.push(begun)
      if (signal.aborted) throw signal.reason
      const { failure, wait } = begun ? afterBegun(classified, failed) : classified
      if (wait === undefined || attempt === attempts) throw failure
      await clock.sleep(wait === 'soon' ? backoffMs(attempt) : wait, signal)
    }
  }
}

function causeOf({ failure }: Classified, signal: AbortSignal): FailedAttempt['cause'] {
  if (signal.aborted) return 'stopped'
  return failure instanceof TimeLimitReached ? 'limit' : 'broken'
}

async function askOnce(
  provider: Provider,
  options: ModelOptions,
  request: ModelRequest & { readonly progress: Progress },
  signal: AbortSignal,
): Promise<Streamed> {
  const { dialect, secret, timeoutMs } = options
  const hide = options.redactor?.hide ?? createRedactor(secret ?? '')
  const received = { any: false }
  const listener =
    request.listener && hideInText(noteText(request.listener, received), options.redactor?.redact ?? hide)
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeoutMs)
  try {
    const limited = AbortSignal.any([signal, deadline.signal])
    const response = await streamResponse(provider, dialect, { ...request, listener }, limited)
    listener?.end()
    return hideSecrets(response, hide)
  } catch (error) {
    if (received.any) request.listener?.discarded()
    if (deadline.signal.aborted && !signal.aborted)
      throw new TimeLimitReached(tooSlow(timeoutMs), 'DOCENT_MODEL_TIMEOUT')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function tooSlow(timeoutMs: number): string {
  return `its answer was not complete within ${timeoutMs / 1_000} seconds`
}

/** Remembers whether the listener has received text that a retry must discard. */
function noteText(listener: TextListener, received: { any: boolean }): TextListener {
  const text = (delta: string) => {
    received.any = true
    listener.text(delta)
  }
  return { text, discarded: () => listener.discarded() }
}

function backoffMs(attempt: number): number {
  return 500 * 2 ** (attempt - 1) * (0.5 + Math.random())
}
