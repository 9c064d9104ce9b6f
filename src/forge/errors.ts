// Turns the refusals of forges into codes, in one table for all hosts: the status is matched first, the words second. A
// refusal that no row knows is `forge_refused` and never a reason to try again. The words are the host's contract with
// us; they are sanitised by the client before they arrive here.

import { Failure, type FailureCode } from '../lib/failure.ts'
import { sanitise } from '../lib/outbound/sanitise.ts'
import { rulesFailure } from '../lib/push-rules/rule-violations.ts'
import type { ForgeResponse, Reply } from './client.ts'
import type { Right } from './host.ts'

/** Refusals that a caller expects: each one says what to do next. */
export type Outcome =
  /** A pull request of the branch is open already. */
  | 'exists'
  /** The branch has no change to propose. */
  | 'empty'
  | 'reference_exists'
  | 'reference_missing'
  | 'not_fast_forward'
  /** Two requests met, or a replica lags: look again. */
  | 'race'
  /** The same request without `maintainer_can_modify` may pass. */
  | 'fork_collab'

/** Who refused, for the message to a person. */
export type Asked = {
  /** As its users call it: `GitHub`, `GitLab`. */
  readonly name: string
  /** Such as `github.com/acme/docs`. */
  readonly repository: string
  /** The right that the request needs, and a sentence that says where to grant it. No job needs `statuses`. */
  readonly right: Right | 'statuses'
  readonly remedy: string
}

type Meaning = { readonly outcome: Outcome } | { readonly code: FailureCode; readonly message: string }
type Row = readonly [statuses: readonly number[], words: RegExp, meaning: Meaning]

const outcome = (outcome: Outcome): Meaning => ({ outcome })
const failure = (code: FailureCode, message: string): Meaning => ({ code, message })
const anything = /(?:)/
const invalid = [400, 404, 409, 422]

const rows: readonly Row[] = [
  [[401], anything, failure('repository_unauthorized', 'The credential was refused: it is wrong, expired or revoked.')],
  [
    [403, 404, 422],
    /refusing to allow .*workflow|without `?workflows?`? (permission|scope)/i,
    failure('policy_refused', 'The change contains a workflow, which the credential may not change.'),
  ],
  [[423], anything, failure('repository_archived', 'The repository is archived, so nothing can be changed in it.')],
  [
    [403],
    /repository (was|is|has been) archived|archived (so is )?read-only|project is archived/i,
    failure('repository_archived', 'The repository is archived, so nothing can be changed in it.'),
  ],
  [
    [403],
    /SAML|single sign-on/i,
    failure('repository_unauthorized', 'The organization requires single sign-on: authorize the token for it.'),
  ],
  [
    [403, 405, 422],
    /(issue|pull request|merge request|conversation|discussion) (is|has been|was) locked|lock prevents/i,
    failure('pull_request_locked', 'The pull request is locked.'),
  ],
  [
    [403, 405, 409, 422],
    /protected branch|protected ref|branch is protected|GH006|GH013|rule violations|not allowed to push/i,
    failure('branch_protected', 'A rule protects the branch.'),
  ],
  [[403, 405, 409, 422], /pre-receive hook|hook declined/i, failure('forge_refused', 'A hook refused the change.')],
  [
    [403],
    /accessible|scope|permission|rights?\b|forbidden|not allowed|not authorized|unauthorized|denied|access/i,
    failure('forge_right_missing', ''),
  ],
  [[405], /moved projects/i, failure('repository_moved', 'The repository has moved.')],
  [[409], /repository is empty/i, failure('repository_empty', 'The repository is empty.')],
  [
    invalid,
    /pull request already exists|TF401179|another open merge request|merge request already exists/i,
    outcome('exists'),
  ],
  [invalid, /no commits between|no changes between|no changes to be pulled/i, outcome('empty')],
  [
    invalid,
    /field: base\b|(target|base) branch .*(not exist|not found|invalid|missing)/i,
    failure('base_not_found', 'The base branch does not exist.'),
  ],
  [
    invalid,
    /field: head\b|(source|head) branch .*(not exist|not found|invalid|missing)/i,
    failure('branch_conflict', 'The branch of the pull request is gone.'),
  ],
  [invalid, /reference already exists|branch already exists/i, outcome('reference_exists')],
  [invalid, /reference does not exist/i, outcome('reference_missing')],
  [invalid, /not a fast.?forward/i, outcome('not_fast_forward')],
  [invalid, /reference update failed|object does not exist|base branch was modified|cannot lock ref/i, outcome('race')],
  [[422], /fork collab/i, outcome('fork_collab')],
  [
    [404, 410],
    anything,
    failure('repository_unreachable', 'The repository does not exist, or the credential may not see it.'),
  ],
]

/** Returns the outcome that a refusal means, or undefined if it is a failure, which `failureOf` returns. */
export function outcomeOf(reply: Reply): Outcome | undefined {
  if (reply.kind !== 'response') return undefined
  const meaning = meaningOf(reply)
  return meaning && 'outcome' in meaning ? meaning.outcome : undefined
}

/** The failure that a reply means when the caller expected success. */
export function failureOf(reply: Reply, asked: Asked): Failure {
  switch (reply.kind) {
    case 'limited':
      return new Failure('forge_rate_limited', toMessage(asked, 'It asks to wait before more requests', reply.words), {
        retryAfter: reply.retryAfter,
      })
    case 'unavailable':
      return down(asked, `It is not available: ${reply.reason}`, reply.retryAfter)
    case 'unknown_effect':
      return down(asked, `A response was lost: ${reply.reason}`, null)
    case 'moved':
      return new Failure('repository_moved', toMessage(asked, `The repository has moved: ${sanitise(reply.to)}`))
    case 'response':
      return refusal(reply, asked)
    default:
      return reply satisfies never
  }
}

function down(asked: Asked, message: string, retryAfter: number | null): Failure {
  return new Failure('forge_unavailable', toMessage(asked, message), retryAfter === null ? {} : { retryAfter })
}

function refusal(reply: ForgeResponse, asked: Asked): Failure {
  if (reply.status < 400) return unreadable(asked)
  const meaning = meaningOf(reply)
  if (meaning === undefined || 'outcome' in meaning) {
    return new Failure(
      'forge_refused',
      toMessage(asked, `It refused the request (status ${reply.status})`, reply.words),
    )
  }
  if (meaning.code === 'forge_right_missing') return missingRight(asked, reply.words)
  const byRules = meaning.code === 'branch_protected' ? rulesFailure(paragraphsOf(reply.body)) : undefined
  if (byRules !== undefined) return byRules
  return new Failure(meaning.code, toMessage(asked, meaning.message, reply.words))
}

/** GitHub names each rule in a line of its own, and `words` has no lines. */
function paragraphsOf(body: unknown): string {
  const message: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'message') : undefined
  return typeof message === 'string' ? message : ''
}

export function missingRight(asked: Asked, words: string): Failure {
  const message = `The credential may not ${needs[asked.right]}. ${asked.remedy}`
  return new Failure('forge_right_missing', toMessage(asked, message, words))
}

/** A success whose content is not what the host documents. */
export function unreadable(asked: Asked): Failure {
  return new Failure('forge_unavailable', toMessage(asked, 'It responded with content that is not understood'))
}

const needs: Readonly<Record<Asked['right'], string>> = {
  read: 'read the repository',
  push: 'push',
  pullRequests: 'open and edit pull requests',
  statuses: 'set statuses of commits',
}

function meaningOf({ status, words }: ForgeResponse): Meaning | undefined {
  return rows.find(([statuses, pattern]) => statuses.includes(status) && pattern.test(words))?.[2]
}

function toMessage({ name, repository }: Asked, message: string, words = ''): string {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`
  const said = words === '' ? '' : ` ${name} says: ${words}`
  return `${name}, ${repository}: ${sentence}${said}`
}
