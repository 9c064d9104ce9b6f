// The one place that turns an error into a response: problem details (RFC 9457) with a stable code. The message is for
// the caller who must act; the cause stays in the log.

import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { tryDecodeURIComponent } from 'hono/utils/url'
import { Failure, type FailureCode, toFailure } from '../../lib/failure.ts'
import { describeError } from '../../lib/observability/log.ts'
import { mapStrings } from '../../lib/outbound/map-strings.ts'
import type { AppContext, AppDeps } from '../context.ts'
import type { Problem } from '../contract/problem.ts'

/** Seconds that a caller should wait if the error does not say how long. */
const defaultRetryAfter = 5
const waitStatuses: readonly number[] = [429, 503]

export function createErrorHandler(options: Pick<AppDeps, 'publicUrl' | 'log' | 'redactor'>) {
  return (error: Error, c: AppContext): Response => {
    const failure = fromThrown(error)
    if (failure.meaning.status === 500) {
      options.log.error({ requestId: c.get('requestId'), error: describeError(failure) }, 'failed')
    }
    return problemResponse(c, failure, options)
  }
}

type Options = Pick<AppDeps, 'publicUrl' | 'redactor'>

function problemResponse(c: AppContext, failure: Failure, { publicUrl, redactor: { redact } }: Options): Response {
  const made = toProblem(failure, { publicUrl, instance: instanceOf(c, redact), requestId: c.get('requestId') })
  const problem = mapStrings(made, redact)
  c.header('Content-Type', 'application/problem+json')
  const wait = failure.retryAfter ?? (waitStatuses.includes(problem.status) ? defaultRetryAfter : undefined)
  if (wait !== undefined) c.header('Retry-After', String(Math.max(1, Math.ceil(wait))))
  return c.body(JSON.stringify(problem), problem.status as ContentfulStatusCode)
}

/** The path as it was sent, unless it holds a secret: that one is hidden, in whatever encoding it came. */
function instanceOf(c: AppContext, redact: (text: string) => string): string {
  const decoded = tryDecodeURIComponent(c.req.path)
  const safe = redact(decoded)
  return safe === decoded ? c.req.path : safe
}

type Occurrence = { readonly publicUrl: string; readonly instance: string; readonly requestId: string }

export function toProblem(failure: Failure, occurrence: Occurrence): Problem {
  const { status, title } = failure.meaning
  const detail = status === 500 ? 'Something went wrong inside the service.' : failure.message
  return {
    type: problemType(failure.code, occurrence.publicUrl),
    title,
    status,
    detail,
    instance: occurrence.instance,
    code: failure.code,
    requestId: occurrence.requestId,
    error: detail,
    ...(failure.details.length > 0 ? { details: [...failure.details] } : {}),
  }
}

/** The entry of the reference for the code. */
function problemType(code: FailureCode, publicUrl: string): string {
  return `${publicUrl}/reference#code-${code}`
}

/** Gives errors of the framework and the platform a code and a message of ours. */
function fromThrown(error: Error): Failure {
  if (error instanceof HTTPException) return fromFramework(error)
  if (error.name === 'TimeoutError' || error.name === 'AbortError') {
    return new Failure('unavailable', 'It took too long; send it again.', { cause: error })
  }
  return toFailure(error)
}

function fromFramework(error: HTTPException): Failure {
  if (error.status === 415) return new Failure('unsupported_media_type', 'Send the body as `application/json`.')
  if (error.status !== 400) return toFailure(error)
  return new Failure('invalid_input', 'The body is not JSON.', { details: [{ message: 'is not JSON', pointer: '#' }] })
}
