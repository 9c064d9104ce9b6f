// The one error of the API client: what the service refused, or that it could not be reached. Knows no operation.

import { retryAfterMs } from '../pauses.ts'
import { reasonOf } from '../reason.ts'

/** An invalid field; `pointer` is a JSON pointer into the request, such as `#/prompt`. */
export type ErrorDetail = { readonly message: string; readonly pointer: string }

type Facts = {
  readonly code: string
  readonly status?: number
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly details?: readonly ErrorDetail[]
  readonly cause?: unknown
}

export class DocentError extends Error {
  override readonly name = 'DocentError'
  /**
   * As in the reference of the API, such as `not_found`. The client has its own: `unreachable` (there is no response),
   * `timeout`, `not_modified` (a 304), `invalid_response` (it is not from Docent).
   */
  readonly code: string
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined
  /** The seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined
  /** One entry for each invalid field. */
  readonly details: readonly ErrorDetail[]

  constructor(message: string, { code, status = 0, requestId, retryAfter, details = [], cause }: Facts) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.details = details
  }
}

/** Reads the whole body. Never throws. */
export async function toError(response: Response, now: number): Promise<DocentError> {
  const { status, headers } = response
  const body = await readProblem(response)
  const wait = retryAfterMs(headers.get('Retry-After'), now, Infinity)
  return new DocentError(text(body['detail']) ?? describe(response), {
    code: text(body['code']) ?? (status === 304 ? 'not_modified' : 'invalid_response'),
    status,
    requestId: text(body['requestId']) ?? headers.get('X-Request-Id') ?? undefined,
    retryAfter: wait > 0 ? wait / 1_000 : undefined,
    details: Array.isArray(body['details']) ? body['details'].filter(isDetail) : [],
  })
}

/** For a request without a response: every attempt failed. */
export function unreachable(url: string, cause: unknown): DocentError {
  const message = `There is no response from ${new URL(url).origin}: ${reasonOf(cause)}.`
  return new DocentError(message, { code: 'unreachable', cause })
}

/** For responses that the service did not write, such as the page of a proxy. */
function describe({ status, type, headers }: Response): string {
  if (status === 304) return 'The resource has not changed.'
  if (type === 'opaqueredirect') return 'The address of the service redirects. Use the address that it redirects to.'
  const to = headers.get('Location')
  if (status >= 300 && status < 400 && to !== null) {
    return `The address of the service redirects to ${to.slice(0, 300)}. Use that address.`
  }
  return `The response has the status ${status} and is not from Docent. Check the address, and the proxies before it.`
}

async function readProblem(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    const body: unknown = JSON.parse(await response.text())
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isDetail(value: unknown): value is ErrorDetail {
  const { message, pointer } = (value ?? {}) as Partial<Record<string, unknown>>
  return typeof message === 'string' && typeof pointer === 'string'
}
