// The one error type of the service and the one table that says what each code means.
// Expected outcomes are return values; everything else throws a Failure. It is caught in three places: the HTTP
// problem handler, the worker of runs, and the tool runner. A message is for the person who must act, and never
// contains a secret or a whole input.

type Meaning = {
  /** HTTP status when the failure reaches a caller of the API. */
  readonly status: number
  /** Whether the same work may succeed later without any change. See `Failure.mayRetry`. */
  readonly retry: boolean
  /** Short, the same for every occurrence (RFC 9457 `title`). */
  readonly title: string
  /** For the reference: what the reader should do. */
  readonly todo: string
}

const meaning = (status: number, retry: boolean, title: string, todo: string): Meaning => ({
  status,
  retry,
  title,
  todo,
})

/** Codes of refused requests and commands. Stable: clients switch on them. */
export const requestFailures = {
  invalid_input: meaning(400, false, 'Invalid input', 'Fix the fields that `details` points to.'),
  unauthenticated: meaning(401, false, 'Not authenticated', 'Send a valid key: `Authorization: Bearer docent_…`.'),
  forbidden: meaning(403, false, 'Not allowed', 'Use a key with the right that the message names.'),
  sign_in_refused: meaning(401, false, 'Not signed in', 'Check the e-mail address and the password.'),
  sign_in_insecure: meaning(403, false, 'The connection is not encrypted', 'Use https, or allow it on the server.'),
  setup_done: meaning(
    409,
    false,
    'The first account exists',
    'Sign in, or print a new link while there is no account.',
  ),
  person_exists: meaning(409, false, 'The person has an account', 'Change the role of the person instead.'),
  last_admin: meaning(409, false, 'There must be an admin', 'Make somebody else an admin first.'),
  not_found: meaning(404, false, 'Not found', 'Check the address, and whether the key may see this project.'),
  method_not_allowed: meaning(405, false, 'Method not allowed', 'Use a method that `Allow` lists.'),
  job_archived: meaning(
    409,
    false,
    'The job is archived',
    'Create a new job. A job that a person archived stays archived.',
  ),
  job_active: meaning(409, false, 'The job is active', 'Wait until the job is completed or failed.'),
  branch_fixed: meaning(
    409,
    false,
    'The base branch is fixed',
    'Leave `branch` out, or create a new job from that branch.',
  ),
  project_busy: meaning(409, true, 'A job of the project is active', 'Wait until no job of the project is active.'),
  key_not_active: meaning(409, false, 'The key is not active', 'Rotate the key that replaced it, or create a new one.'),
  job_not_active: meaning(409, false, 'The job is not active', 'There is nothing to cancel.'),
  request_in_flight: meaning(409, true, 'The same request is in flight', 'Send it again in a second.'),
  pull_not_open: meaning(409, false, 'The pull request is not open', 'It is already merged or closed.'),
  merge_conflict: meaning(
    409,
    false,
    'The branches conflict',
    'Fix the files that the message names, or send a message.',
  ),
  payload_too_large: meaning(413, false, 'The body is too large', 'Send no more than the message says.'),
  unsupported_media_type: meaning(415, false, 'Unsupported media type', 'Send `Content-Type: application/json`.'),
  idempotency_key_reused: meaning(422, false, 'Idempotency key reused', 'Use a new key for a different request.'),
  question_too_large: meaning(422, false, 'The query is too large', 'Ask for fewer days.'),
  rate_limited: meaning(429, true, 'Too many requests', 'Wait the seconds in `Retry-After`.'),
  too_many_attempts: meaning(429, true, 'Too many attempts to sign in', 'Wait the seconds in `Retry-After`.'),
  too_many_messages: meaning(429, true, 'Too many waiting messages', 'Wait until the agent has read some.'),
  too_many_streams: meaning(429, true, 'Too many open streams', 'Close some, or poll `events.json`.'),
  unavailable: meaning(503, true, 'Not available now', 'Wait the seconds in `Retry-After`, then send it again.'),
  data_in_use: meaning(503, true, 'The data directory is in use', 'Stop the process that holds it, or use its API.'),
  schema_newer: meaning(500, false, 'The database is newer', 'Start the release that migrated it, or a later one.'),
  config_invalid: meaning(500, false, 'The configuration is invalid', 'Fix the settings that the message lists.'),
} as const

/** Codes that a failed job carries in `error.code`. Stable. */
export const jobFailures = {
  cancelled: meaning(409, false, 'Cancelled', 'Send a message to continue.'),
  model_not_configured: meaning(
    422,
    false,
    'No model can be used',
    'Read the message: ask for what the built-in model can do, or fix the model, its key or its credit.',
  ),
  model_unavailable: meaning(503, true, 'The model is not available', 'Check the provider, then send a message.'),
  model_refused: meaning(422, false, 'The model refused', 'Rephrase the instruction in a message.'),
  context_exceeded: meaning(422, false, 'The context is full', 'Split the work into smaller jobs.'),
  budget_exceeded: meaning(422, false, 'A budget is used up', 'Split the work, or raise the budget.'),
  checks_failed: meaning(422, false, 'The checks failed', 'Read the report, then send a message.'),
  policy_refused: meaning(
    422,
    false,
    'The policy refused the change',
    'Read the message: it names the rule, and the setting that allows it if there is one.',
  ),
  branch_conflict: meaning(409, false, 'The branch moved', 'Fix the named files on the branch, then send a message.'),
  repository_unreachable: meaning(503, true, 'The repository is unreachable', 'Check the address and the network.'),
  repository_unauthorized: meaning(403, false, 'The repository refused access', 'Give the service access to it.'),
  repository_empty: meaning(422, false, 'The repository is empty', 'Push a first commit.'),
  repository_invalid: meaning(422, false, 'The repository is invalid', 'Repair the repository (`git fsck`).'),
  repository_too_large: meaning(422, false, 'The repository is too large', 'Raise the limit or split the repository.'),
  base_not_found: meaning(422, false, 'The base branch does not exist', 'Set the base branch of the project.'),
  forge_unavailable: meaning(503, true, 'The forge is not available', 'Wait: the run will be tried again.'),
  forge_refused: meaning(422, false, 'The forge refused', 'Read the message. Branch rules may forbid the push.'),
  forge_rate_limited: meaning(429, true, 'The forge limits requests', 'Wait: the run will be tried again.'),
  forge_right_missing: meaning(
    403,
    false,
    'A right is missing',
    'Grant the right that the message names, where it says.',
  ),
  branch_protected: meaning(422, false, 'The branch is protected', 'Let the credential push to `docent/` branches.'),
  repository_archived: meaning(422, false, 'The repository is archived', 'Unarchive it, or change the repository.'),
  repository_moved: meaning(422, false, 'The repository has moved', 'Set the new address in the project.'),
  pull_request_locked: meaning(
    422,
    false,
    'The pull request is locked',
    'Unlock it on the forge, then send a message.',
  ),
  attempts_exhausted: meaning(500, false, 'Too many attempts', 'Read the log of the service, then send a message.'),
  internal: meaning(500, true, 'Internal error', 'Report it with the `requestId` or the id of the job.'),
} as const

/** Refusals inside the agent's workspace: the model reads them, and they never end a run. */
const workspaceFailures = {
  path_refused: meaning(422, false, 'The path is refused', 'Use a relative path inside the repository.'),
} as const

export const failures = { ...requestFailures, ...jobFailures, ...workspaceFailures }

export type JobFailureCode = keyof typeof jobFailures
export type FailureCode = keyof typeof failures

/** One problem of an invalid input; `pointer` is a JSON pointer into the request (`#/prompt`). */
export type FailureDetail = { readonly message: string; readonly pointer: string }

type FailureOptions = {
  readonly cause?: unknown
  readonly details?: readonly FailureDetail[]
  /** Seconds after which the same work may succeed. */
  readonly retryAfter?: number
  /** This occurrence must not be tried again, although others of its code may be. */
  readonly isFinal?: boolean
}

export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: FailureCode
  readonly details: readonly FailureDetail[]
  readonly retryAfter: number | undefined
  readonly isFinal: boolean

  constructor(code: FailureCode, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.details = options.details ?? []
    this.retryAfter = options.retryAfter
    this.isFinal = options.isFinal ?? false
  }

  get meaning(): Meaning {
    return failures[this.code]
  }

  /** Whether the same work may succeed later without any change. */
  get mayRetry(): boolean {
    return this.meaning.retry && !this.isFinal
  }
}

export function invalidInput(pointer: string, message: string): Failure {
  return invalidFields([{ pointer, message }])
}

/** A failure about fields of the request. Each message completes "`field` …". */
export function invalidFields(details: readonly FailureDetail[]): Failure {
  const message = details.map((detail) => `${fieldAt(detail.pointer)} ${detail.message}.`).join(' ')
  return new Failure('invalid_input', message, { details })
}

function fieldAt(pointer: string): string {
  return pointer === '#' ? 'The body' : `\`${pointer.replace(/^#\/(?:(?:query|header)\/)?/, '').replaceAll('/', '.')}\``
}

/** Converts any thrown value to a Failure. A value that is not a Failure becomes the cause of an `internal` one. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown
  return new Failure('internal', 'Something went wrong inside the service.', { cause: thrown })
}

/** Returns the failure with other words; anything else that was thrown stays. The cause stays for the log. */
export function rewordFailure(thrown: unknown, change: (text: string) => string): unknown {
  if (!(thrown instanceof Failure)) return thrown
  const { code, message, cause, retryAfter, isFinal } = thrown
  const reworded = change(message)
  if (reworded === message) return thrown
  return new Failure(code, reworded, { cause, isFinal, ...(retryAfter === undefined ? {} : { retryAfter }) })
}

export function isJobFailureCode(code: string): code is JobFailureCode {
  return Object.hasOwn(jobFailures, code)
}
