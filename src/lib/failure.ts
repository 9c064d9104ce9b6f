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

const final = (status: number, title: string, todo: string): Meaning => ({ status, retry: false, title, todo })
const passing = (status: number, title: string, todo: string): Meaning => ({ status, retry: true, title, todo })

/** Codes of refused requests and commands. Stable: clients switch on them. */
export const requestFailures = {
  invalid_input: final(400, 'Invalid input', 'Fix the fields that `details` points to.'),
  unauthenticated: final(401, 'Not authenticated', 'Send a valid key: `Authorization: Bearer docent_…`.'),
  forbidden: final(403, 'Not allowed', 'Use a key with the right that the message names.'),
  sign_in_refused: final(401, 'Not signed in', 'Check the e-mail address and the password.'),
  sign_in_insecure: final(403, 'The connection is not encrypted', 'Use https, or allow it on the server.'),
  setup_done: final(409, 'The first account exists', 'Sign in, or print a new link while there is no account.'),
  person_exists: final(409, 'The person has an account', 'Change the role of the person instead.'),
  last_admin: final(409, 'There must be an admin', 'Make somebody else an admin first.'),
  source_exists: final(409, 'The project has a source of that name', 'Choose another name.'),
  too_many_sources: final(409, 'The project has too many sources', 'Delete one first.'),
  segment_exists: final(409, 'The project has a segment of that name', 'Choose another name.'),
  too_many_segments: final(409, 'The project has too many segments', 'Delete one first.'),
  automation_exists: final(409, 'The project has an automation of that name', 'Choose another name.'),
  too_many_automations: final(409, 'The project has too many automations', 'Delete one first.'),
  too_many_webhooks: final(409, 'The project has too many webhooks', 'Delete one first.'),
  webhook_disabled: final(409, 'The webhook is off', 'Turn it on, or set a later `endsAt`.'),
  automation_paused: final(409, 'The automation starts nothing', 'Resume it, or set a later `endsAt`.'),
  not_found: final(404, 'Not found', 'Check the address, and whether the key may see this project.'),
  method_not_allowed: final(405, 'Method not allowed', 'Use a method that `Allow` lists.'),
  job_archived: final(409, 'The job is archived', 'Create a new job. A job that a person archived stays archived.'),
  job_active: final(409, 'The job is active', 'Wait until the job is completed or failed.'),
  branch_fixed: final(409, 'The base branch is fixed', 'Leave `branch` out, or create a new job from that branch.'),
  project_busy: passing(409, 'A job of the project is active', 'Wait until no job of the project is active.'),
  key_not_active: final(409, 'The key is not active', 'Rotate the key that replaced it, or create a new one.'),
  job_not_active: final(409, 'The job is not active', 'There is nothing to cancel.'),
  request_in_flight: passing(409, 'The same request is in flight', 'Send it again in a second.'),
  pull_not_open: final(409, 'The pull request is not open', 'It is already merged or closed.'),
  merge_conflict: final(409, 'The branches conflict', 'Fix the files that the message names, or send a message.'),
  payload_too_large: final(413, 'The body is too large', 'Send no more than the message says.'),
  unsupported_media_type: final(415, 'Unsupported media type', 'Send `Content-Type: application/json`.'),
  idempotency_key_reused: final(422, 'Idempotency key reused', 'Use a new key for a different request.'),
  question_too_large: final(422, 'The query is too large', 'Ask for fewer days.'),
  rate_limited: passing(429, 'Too many requests', 'Wait the seconds in `Retry-After`.'),
  too_many_attempts: passing(429, 'Too many attempts to sign in', 'Wait the seconds in `Retry-After`.'),
  too_many_deliveries: passing(429, 'Too many deliveries', 'Wait the seconds in `Retry-After`.'),
  too_many_messages: passing(429, 'Too many waiting messages', 'Wait until the agent has read some.'),
  too_many_streams: passing(429, 'Too many open streams', 'Close some, or poll `events.json`.'),
  unavailable: passing(503, 'Not available now', 'Wait the seconds in `Retry-After`, then send it again.'),
  data_in_use: passing(503, 'The data directory is in use', 'Stop the process that holds it, or use its API.'),
  schema_newer: final(500, 'The database is newer', 'Start the release that migrated it, or a later one.'),
  config_invalid: final(500, 'The configuration is invalid', 'Fix the settings that the message lists.'),
} as const

/** Codes that a failed job carries in `error.code`. Stable. */
export const jobFailures = {
  cancelled: final(409, 'Cancelled', 'Send a message to continue.'),
  model_not_configured: final(
    422,
    'No model can be used',
    'Read the message: ask for what the built-in model can do, or fix the model, its key or its credit.',
  ),
  model_unavailable: passing(503, 'The model is not available', 'Check the provider, then send a message.'),
  model_refused: final(422, 'The model refused', 'Rephrase the instruction in a message.'),
  context_exceeded: final(422, 'The context is full', 'Split the work into smaller jobs.'),
  budget_exceeded: final(422, 'A budget is used up', 'Split the work, or raise the budget.'),
  checks_failed: final(422, 'The checks failed', 'Read the report, then send a message.'),
  policy_refused: final(
    422,
    'The policy refused the change',
    'Read the message: it names the rule, and the setting that allows it if there is one.',
  ),
  branch_conflict: final(409, 'The branch moved', 'Fix the named files on the branch, then send a message.'),
  repository_unreachable: passing(503, 'The repository is unreachable', 'Check the address and the network.'),
  repository_unauthorized: final(403, 'The repository refused access', 'Give the service access to it.'),
  repository_empty: final(422, 'The repository is empty', 'Push a first commit.'),
  repository_invalid: final(422, 'The repository is invalid', 'Repair the repository (`git fsck`).'),
  repository_too_large: final(422, 'The repository is too large', 'Raise the limit or split the repository.'),
  base_not_found: final(422, 'The base branch does not exist', 'Set the base branch of the project.'),
  forge_unavailable: passing(503, 'The forge is not available', 'Wait: the run will be tried again.'),
  forge_refused: final(422, 'The forge refused', 'Read the message: it names the rules and their remedies.'),
  forge_rate_limited: passing(429, 'The forge limits requests', 'Wait: the run will be tried again.'),
  writer_required: final(403, 'The author may not write', 'Let somebody who may push write the comment, or a message.'),
  forge_right_missing: final(403, 'A right is missing', 'Grant the right that the message names, where it says.'),
  branch_protected: final(
    422,
    'The branch is protected',
    'Let the credential push branches that begin with the `branchPrefix` of the project.',
  ),
  repository_archived: final(422, 'The repository is archived', 'Unarchive it, or change the repository.'),
  repository_moved: final(422, 'The repository has moved', 'Set the new address in the project.'),
  context_unavailable: passing(
    503,
    'A source cannot be read',
    'Check the source that the message names, or send a message with `context` without it.',
  ),
  pull_request_locked: final(422, 'The pull request is locked', 'Unlock it on the forge, then send a message.'),
  attempts_exhausted: final(500, 'Too many attempts', 'Read the log of the service, then send a message.'),
  internal: passing(500, 'Internal error', 'Report it with the `requestId` or the id of the job.'),
} as const

/** Refusals inside the agent's workspace: the model reads them, and they never end a run. */
const workspaceFailures = {
  path_refused: final(422, 'The path is refused', 'Use a relative path inside the repository.'),
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
