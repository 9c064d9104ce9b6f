// A refusal of the API, for people: a sentence, what to do, and the fields that are wrong.

type Detail = { readonly message: string; readonly pointer: string }
type Body = {
  readonly code?: string
  readonly detail?: string
  readonly requestId?: string
  readonly details?: readonly Detail[]
}

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  /** As in the reference; `unreachable` when the service did not respond. */
  readonly code: string
  readonly requestId: string | undefined
  readonly details: readonly Detail[]
  /** Seconds after which the same may succeed. */
  readonly retryAfter: number | undefined

  private constructor(message: string, given: Omit<Problem, keyof Error | 'of'>, cause?: unknown) {
    super(message, { cause })
    this.status = given.status
    this.code = given.code
    this.requestId = given.requestId
    this.details = given.details
    this.retryAfter = given.retryAfter
  }

  static from(response: Response, body: unknown): Problem {
    const { code, detail, requestId, details } = isBody(body) ? body : {}
    const wait = Number(response.headers.get('Retry-After'))
    return new Problem(detail ?? `The service responded with ${response.status}.`, {
      status: response.status,
      code: code ?? 'unavailable',
      requestId: requestId ?? response.headers.get('X-Request-Id') ?? undefined,
      details: details ?? [],
      retryAfter: wait > 0 ? wait : undefined,
    })
  }

  static unreachable(cause: unknown): Problem {
    const given = { status: 0, code: 'unreachable', requestId: undefined, details: [], retryAfter: undefined }
    return new Problem('The service does not respond.', given, cause)
  }

  /** The problem with a field, as a sentence: `of('prompt')`. */
  of(field: string): string | undefined {
    const found = this.details.find(({ pointer }) => pointer === `#/${field}`)
    return found && toSentence(found.message)
  }
}

/** The API leaves out the subject, which is the field: "must have at least 12 characters". */
function toSentence(message: string): string {
  const sentence = /^\p{Ll}/u.test(message) ? `It ${message}` : message
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
}

/** The base and the branch of a pull request changed the same places. */
export function isConflict(error: unknown): boolean {
  return error instanceof Problem && /^(?:merge|branch)_conflict$/.test(error.code)
}

function isBody(body: unknown): body is Body {
  return typeof body === 'object' && body !== null
}
