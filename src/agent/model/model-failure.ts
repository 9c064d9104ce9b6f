// Classifies an error of a model's provider: its code, and how long to wait before the same request may work. Pure.
// Follows the documentation of Anthropic, OpenAI, Google and OpenAI-compatible servers. Decides by status first, and by
// words only if a provider has no separate status for a case.

import { Failure } from '../../lib/failure.ts'
import { startOf } from '../../lib/plain-text.ts'

export type ProviderError = {
  /** HTTP status, or the status that the provider's code inside a stream means. Undefined: the connection broke. */
  readonly status: number | undefined
  /** The provider's message, for people. */
  readonly words: string
  /** The body, or the error inside the stream, as text; searched for codes. */
  readonly details: string
  readonly headers: Readonly<Record<string, string>> | undefined
}

export type Classified = {
  readonly failure: Failure
  /** Milliseconds until the next try; `soon`: the provider named no time. Undefined: do not send this request again. */
  readonly wait: number | 'soon' | undefined
}

/** A time limit of the service cut the response. The message names the setting. */
export class TimeLimitReached extends Failure {
  constructor(words: string, setting: `DOCENT_${string}`) {
    super('model_unavailable', `The model timed out: ${words}. Its limit is ${setting}.`)
  }
}

/** A longer pause hands the run back to the queue, where it does not block a worker. */
export const longestWaitMs = 5_000
const longestRetryAfterSeconds = 3_600

/** OpenAI: 429 with this code. Anthropic: 400 or `billing_error`. Google: prepaid. Others: 402. */
const noCredit =
  /insufficient_quota|billing_error|billing_hard_limit|billing_not_active|credit balance is too low|credits? (?:is|are) depleted|insufficient (?:balance|credits)/i
const tooLong =
  /context_length_exceeded|context.{0,10}(?:length|window|limit)|prompt is too long|request_too_large|input token count.{0,40}exceeds|too many (?:input )?tokens/i
/** Anthropic: "not valid JSON"; OpenAI: "could not parse the JSON body"; Google: "Invalid JSON payload". */
const malformed =
  /\b(?:(?:not|in)[ -]?valid|(?:could not|cannot|failed to) (?:parse|read)|malformed|unparseable)\b.{0,30}\bjson\b|no low surrogate|lone surrogate/i
const wrongKeyOrName = /api_key_invalid|api key not valid|invalid_api_key|authentication_error|model_not_found/i

export function classify(error: ProviderError, now: Date): Classified {
  const { status, details } = error
  const words = startOf(error.words, 300)
  if (status === 402 || noCredit.test(details)) {
    return final('model_not_configured', `The account of the model's key has no credit: ${words}`)
  }
  if (status === undefined || status === 408 || status === 429 || status >= 500) {
    return later(error, `The model is not available (${status ?? 'connection lost'}): ${words}`, now)
  }
  // Omits the provider's message, which may quote parts of a wrong key.
  if (status === 401) return final('model_not_configured', "The model's server refuses the key (401).")
  if (status === 403 || status === 404 || wrongKeyOrName.test(details)) {
    return final('model_not_configured', `The model's server refuses the key or the model's name (${status}): ${words}`)
  }
  if (tooLong.test(details)) return final('context_exceeded', `The conversation is too long for the model: ${words}`)
  // The request, not what it asks for: to rephrase the instruction would not help.
  if (malformed.test(details)) {
    return final('internal', `The model's server cannot read the request of the service (${status}): ${words}`)
  }
  return final('model_refused', `The model's server refuses the request (${status}): ${words}`)
}

function final(
  code: 'model_not_configured' | 'context_exceeded' | 'internal' | 'model_refused',
  message: string,
): Classified {
  return { failure: new Failure(code, message), wait: undefined }
}

function later(error: ProviderError, message: string, now: Date): Classified {
  const ms = retryAfterMs(error, now)
  if (ms === undefined) return { failure: new Failure('model_unavailable', message), wait: 'soon' }
  const retryAfter = Math.min(Math.ceil(ms / 1_000), longestRetryAfterSeconds)
  const failure = new Failure('model_unavailable', message, { retryAfter })
  return { failure, wait: ms > longestWaitMs ? undefined : ms }
}

/** `retry-after-ms`, `retry-after` in seconds or as a date, and Google's `retryDelay` in the body. */
function retryAfterMs({ headers, details }: ProviderError, now: Date): number | undefined {
  const after = headers?.['retry-after'] ?? ''
  const candidates = [
    number(headers?.['retry-after-ms'] ?? ''),
    number(after) * 1_000,
    /^[A-Z]/i.test(after) ? Date.parse(after) - now.getTime() : Number.NaN,
    number(/"retryDelay"\s*:\s*"([\d.]+)s"/.exec(details)?.[1] ?? '') * 1_000,
  ]
  const found = candidates.find((ms) => Number.isFinite(ms))
  return found === undefined ? undefined : Math.max(0, found)
}

function number(text: string): number {
  return /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN
}
