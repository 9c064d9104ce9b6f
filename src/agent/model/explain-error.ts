// Turns any error of a provider's library into a failure with a code, without the key. Only this file and
// stream-response.ts know the AI SDK's errors.

import { APICallError, StreamProviderError } from 'ai'
import { Failure } from '../../lib/failure.ts'
import { classify, type Classified, TimeLimitReached } from './model-failure.ts'
import { redact } from '../../lib/outbound/redact.ts'

/** The error itself becomes the cause of the failure, for the log. */
export function explain(error: unknown, { now, secret }: { now: Date; secret: string | undefined }): Classified {
  const own = findFailure(error)
  // A limit may hold a slot of a worker for long: the queue decides when to try again.
  if (own) return { failure: own, wait: own.mayRetry && !(own instanceof TimeLimitReached) ? 'soon' : undefined }
  const { failure, wait } = classifyAny(error, now, (words) => redact(words, secret))
  const { code, message, retryAfter } = failure
  const again = retryAfter === undefined ? {} : { retryAfter }
  return { failure: new Failure(code, message, { cause: error, ...again }), wait }
}

function classifyAny(error: unknown, now: Date, clean: (words: string) => string): Classified {
  if (APICallError.isInstance(error)) {
    const { message, statusCode = 0, responseHeaders: headers } = error
    // A stream that breaks off has the status of its beginning: 200.
    const status = statusCode >= 400 ? statusCode : undefined
    return classify({ status, words: clean(message), details: `${message} ${error.responseBody ?? ''}`, headers }, now)
  }
  if (StreamProviderError.isInstance(error)) {
    const { statusCode: status = 500, message, type, code } = error
    return classify({ status, words: clean(message), details: `${type} ${code} ${message}`, headers: undefined }, now)
  }
  return { failure: new Failure('model_unavailable', 'The model gave no complete answer.'), wait: 'soon' }
}

/** The guards and `docent/rules` throw failures; the SDK may have wrapped them. */
function findFailure(error: unknown): Failure | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof Failure) return at
  }
  return undefined
}
