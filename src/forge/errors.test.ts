import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { FailureCode } from '../lib/failure.ts'
import type { Reply } from './client.ts'
import { type Asked, failureOf, type Outcome, outcomeOf } from './errors.ts'

const asked: Asked = {
  name: 'GitHub',
  repository: 'github.com/acme/docs',
  right: 'pullRequests',
  remedy: 'Grant "Pull requests: Read and write" in the settings of the token.',
}

function response(status: number, words: string): Reply {
  return { kind: 'response', status, body: undefined, words, headers: {}, etag: null, movedTo: null }
}

const failures: readonly (readonly [status: number, words: string, code: FailureCode])[] = [
  [401, 'Bad credentials', 'repository_unauthorized'],
  [401, 'Requires authentication', 'repository_unauthorized'],
  [401, '401 Unauthorized', 'repository_unauthorized'],
  [401, 'invalid_token; Token is expired.', 'repository_unauthorized'],
  [401, '', 'repository_unauthorized'],
  [403, 'Resource not accessible by integration', 'forge_right_missing'],
  [403, 'Resource not accessible by personal access token', 'forge_right_missing'],
  [403, 'token does not have at least one of required scope(s): [write:repository]', 'forge_right_missing'],
  [403, 'token does not have at least one of required scope(s), required=[write:issue]', 'forge_right_missing'],
  [403, 'insufficient_scope; The request requires higher privileges.', 'forge_right_missing'],
  [403, 'Must have admin rights to Repository.', 'forge_right_missing'],
  [403, '403 Forbidden', 'forge_right_missing'],
  [403, 'Resource protected by organization SAML enforcement.', 'repository_unauthorized'],
  [403, 'the `acme` organization has enabled or enforced SAML SSO.', 'repository_unauthorized'],
  [403, 'Repository was archived so is read-only.', 'repository_archived'],
  [423, 'This repo is archived', 'repository_archived'],
  [423, '', 'repository_archived'],
  [
    403,
    'refusing to allow a GitHub App to create or update workflow `.github/workflows/a.yml` without `workflows` permission',
    'policy_refused',
  ],
  [422, 'refusing to allow a Personal Access Token to create or update workflow', 'policy_refused'],
  [403, 'You are not allowed to push code to protected branches on this project.', 'branch_protected'],
  [422, 'Protected branch update failed for refs/heads/docent/a.', 'branch_protected'],
  [422, 'GH013: Repository rule violations found for refs/heads/docent/a.', 'branch_protected'],
  [422, 'Repository rule violations found', 'branch_protected'],
  [422, 'pre-receive hook declined', 'forge_refused'],
  [403, 'This issue is locked', 'pull_request_locked'],
  [404, 'Not Found', 'repository_unreachable'],
  [404, '404 Project Not Found', 'repository_unreachable'],
  [405, 'Non GET methods are not allowed for moved projects', 'repository_moved'],
  [409, 'Git Repository is empty.', 'repository_empty'],
  [422, 'Validation Failed; resource: PullRequest; field: base; code: invalid', 'base_not_found'],
  [422, 'Target branch "nope" does not exist', 'base_not_found'],
  [422, 'Validation Failed; resource: PullRequest; field: head; code: invalid', 'branch_conflict'],
  [422, 'Source branch "docent/a" does not exist', 'branch_conflict'],
  [422, 'Validation Failed; body is too long (maximum is 65536 characters)', 'forge_refused'],
  [422, 'Something new', 'forge_refused'],
  [400, '', 'forge_refused'],
  [403, '', 'forge_refused'],
  [418, 'teapot', 'forge_refused'],
  [451, 'Repository unavailable due to DMCA takedown.', 'forge_refused'],
  [200, '', 'forge_unavailable'],
]

test('each refusal of a forge has its code, and an unknown one is forge_refused', () => {
  for (const [status, words, code] of failures) {
    const found = failureOf(response(status, words), asked)
    assert.equal(found.code, code, `${status} ${words}`)
    assert.ok(found.message.includes(words), found.message)
    assert.equal(outcomeOf(response(status, words)), undefined)
  }
})

const outcomes: readonly (readonly [status: number, words: string, outcome: Outcome])[] = [
  [422, 'Validation Failed; code: custom; A pull request already exists for acme:docent/a.', 'exists'],
  [409, 'Another open merge request already exists for this source branch: !5', 'exists'],
  [409, 'pull request already exists for these targets [id: 7, issue_id: 9]', 'exists'],
  [422, 'Validation Failed; No commits between main and docent/a', 'empty'],
  [422, 'There are no changes between the head and the base', 'empty'],
  [422, 'Reference already exists', 'reference_exists'],
  [409, 'The branch already exists.', 'reference_exists'],
  [422, 'Reference does not exist', 'reference_missing'],
  [422, 'Update is not a fast forward', 'not_fast_forward'],
  [422, 'Reference update failed', 'race'],
  [422, 'Object does not exist', 'race'],
  [422, "Fork collab can't be granted by someone without permission", 'fork_collab'],
]

test('refusals that the caller can handle are outcomes', () => {
  for (const [status, words, outcome] of outcomes) assert.equal(outcomeOf(response(status, words)), outcome, words)
  assert.equal(outcomeOf(response(500, 'Reference already exists')), undefined)
  assert.equal(outcomeOf({ kind: 'unknown_effect', reason: 'A pull request already exists' }), undefined)
})

test('a missing right is named with the place that grants it', () => {
  assert.equal(
    failureOf(response(403, 'Resource not accessible by integration'), asked).message,
    'GitHub, github.com/acme/docs: The credential may not open and edit pull requests. Grant "Pull requests: Read and write" in the settings of the token. GitHub says: Resource not accessible by integration',
  )
})

test('lost responses, limits and moves have different codes', () => {
  const limited = failureOf({ kind: 'limited', retryAfter: 90, words: 'slow down' }, asked)
  assert.deepEqual([limited.code, limited.retryAfter, limited.meaning.retry], ['forge_rate_limited', 90, true])
  const down = failureOf({ kind: 'unavailable', reason: 'status 502', retryAfter: null }, asked)
  assert.deepEqual([down.code, down.retryAfter, down.meaning.retry], ['forge_unavailable', undefined, true])
  assert.equal(failureOf({ kind: 'unavailable', reason: 'status 503', retryAfter: 7 }, asked).retryAfter, 7)
  assert.equal(failureOf({ kind: 'unknown_effect', reason: 'reset' }, asked).code, 'forge_unavailable')
  const moved = failureOf({ kind: 'moved', to: 'https://github.com/acme/new' }, asked)
  assert.deepEqual([moved.code, moved.meaning.retry], ['repository_moved', false])
  assert.match(moved.message, /https:\/\/github\.com\/acme\/new/)
})

test('no refusal makes a run try again, except a 404', () => {
  fc.assert(
    fc.property(fc.integer({ min: 400, max: 499 }), fc.string(), (status, words) => {
      const { code, meaning } = failureOf(response(status, words), asked)
      assert.equal(meaning.retry, code === 'repository_unreachable')
    }),
  )
})
