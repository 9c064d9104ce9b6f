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

type Options = Pick<AppDeps, 'publicUrl' | 'log' | 'redactor'>

export type ProblemResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** `path`: as it was sent. */
type Failed = { readonly path: string; readonly requestId: string }

export function createErrorHandler(options: Options) {
  const respond = createProblemResponses(options)
  return (error: Error, c: AppContext): Response => {
    const { status, headers, body } = respond(error, { path: c.req.path, requestId: c.get('requestId') })
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    return c.body(body, status as ContentfulStatusCode)
  }
}

/** Logs the cause of a 500. */
export function createProblemResponses({ publicUrl, log, redactor: { redact } }: Options) {
  return (error: unknown, { path, requestId }: Failed): ProblemResponse => {
    const failure = fromThrown(error)
    if (failure.meaning.status === 500) log.error({ requestId, error: describeError(failure) }, 'failed')
    const made = toProblem(failure, { publicUrl, instance: instanceOf(path, redact), requestId })
    const problem = mapStrings(made, redact)
    const wait = failure.retryAfter ?? (waitStatuses.includes(problem.status) ? defaultRetryAfter : undefined)
    const headers = {
      'Content-Type': 'application/problem+json',
      ...(wait === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(wait))) }),
    }
    return { status: problem.status, headers, body: JSON.stringify(problem) }
  }
}

/** The path as it was sent, unless it holds a secret: that one is hidden, in whatever encoding it came. */
function instanceOf(path: string, redact: (text: string) => string): string {
  const decoded = tryDecodeURIComponent(path)
  const safe = redact(decoded)
  return safe === decoded ? path : safe
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
function fromThrown(error: unknown): Failure {
  if (error instanceof HTTPException) return fromFramework(error)
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return new Failure('unavailable', 'It took too long; send it again.', { cause: error })
  }
  return toFailure(error)
}

function fromFramework(error: HTTPException): Failure {
  if (error.status === 415) return new Failure('unsupported_media_type', 'Send the body as `application/json`.')
  if (error.status !== 400) return toFailure(error)
  return new Failure('invalid_input', 'The body is not JSON.', { details: [{ message: 'is not JSON', pointer: '#' }] })
}
