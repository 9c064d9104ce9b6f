import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gitFailure, mayPass, isDamage } from './errors.ts'
import { hostRefusal } from './refusals.ts'

/** The end of every failure over ssh. */
const end = 'fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights'

test('a refusal over ssh does not count as a damaged mirror', () => {
  for (const [words, code] of [
    ['git@github.com: Permission denied (publickey).', 'repository_unauthorized'],
    ['Received disconnect: 2: Too many authentication failures', 'repository_unauthorized'],
    ['ERROR: Permission to o/r.git denied to deploy key', 'repository_unauthorized'],
    ['ERROR: Permission to o/r.git denied to user.', 'repository_unauthorized'],
    ['ERROR: The key you are authenticating with has been marked as read only.', 'repository_unauthorized'],
    ['No ED25519 host key is known for h and you have requested strict checking.', 'repository_unauthorized'],
    ['Host key verification failed.', 'repository_unauthorized'],
    ['ERROR: Repository not found.', 'repository_unreachable'],
    ["fatal: '/r.git' does not appear to be a git repository", 'repository_unreachable'],
    ['ssh: connect to host h port 22: Connection refused', 'repository_unreachable'],
    ['ERROR: This repository was archived so it is read-only.', 'repository_archived'],
    ['No user exists for uid 12345', 'repository_unreachable'],
    ['something new', 'repository_unreachable'],
  ] as const) {
    const failure = gitFailure(`${words}\n${end}`, 'git fetch', 'repository_unreachable')
    assert.equal(failure.code, code, words)
    assert.equal(isDamage(failure), false, words)
  }
})

test('a file of the mirror that cannot be read still is damage', () => {
  assert.equal(isDamage(gitFailure('fatal: could not read /m/HEAD', 'git log')), true)
})

test('a host that refuses over https says why in its own words', () => {
  const refused = "fatal: unable to access 'https://h/o/r.git/': The requested URL returned error: 403"
  for (const [words, code] of [
    ['Permission to o/r.git denied to someone.', 'repository_unauthorized'],
    ['Write access to repository not granted.', 'repository_unauthorized'],
    ['GitLab: You are not allowed to push code to this project.', 'repository_unauthorized'],
    ['This repository was archived so it is read-only.', 'repository_archived'],
    ['Repository was archived so is read-only', 'repository_archived'],
    ['GitLab: You cannot push to an archived project.', 'repository_archived'],
    ['', 'repository_unauthorized'],
  ] as const) {
    assert.equal(gitFailure(`remote: ${words}\n${refused}`, 'git push').code, code, words)
  }
  // A host that lets git in decides nothing with such words.
  const other = 'remote: This repository was archived so it is read-only.\nfatal: write error: No space left on device'
  assert.equal(gitFailure(other, 'git fetch').code, 'unavailable')
})

test('a tree that the host finds too deep is no broken connection', () => {
  const stderr = 'remote: fatal: exceeded maximum allowed tree depth\nfatal: protocol error: bad pack header\n'
  assert.equal(gitFailure(stderr, 'git').code, 'repository_too_large')
  assert.equal(mayPass(stderr), false)
})

test('too many requests may be tried again', () => {
  const failure = gitFailure("fatal: unable to access 'https://h/': The requested URL returned error: 429", 'git fetch')
  assert.deepEqual([failure.code, failure.meaning.retry], ['forge_rate_limited', true])
})

test('refusals of a push get the code that says who can do something about them', () => {
  for (const [words, code] of [
    ['GH006: Protected branch update failed for refs/heads/docent/x.', 'branch_protected'],
    ['GH013: Repository rule violations found for refs/heads/docent/x.', 'branch_protected'],
    ['(protected branch hook declined)', 'branch_protected'],
    ['(push declined due to repository rule violations)', 'branch_protected'],
    ['GitLab: You are not allowed to push code to protected branches on this project.', 'branch_protected'],
    ['Gitea: Not allowed to push to protected branch main', 'branch_protected'],
    ['TF402455: Pushes to this branch are not permitted; you must use a pull request.', 'branch_protected'],
    ["TF401027: You need the Git 'GenericContribute' permission to perform this action.", 'repository_unauthorized'],
    ['Permission denied to update branch docent/x. (pre-receive hook declined)', 'branch_protected'],
    ['GH013: Repository rule violations found. - Push cannot contain secrets', 'forge_refused'],
    [
      '(refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission)',
      'policy_refused',
    ],
    ['(refusing to allow a Personal Access Token to create or update workflow `x`)', 'policy_refused'],
    ['Repository was archived so is read-only', 'repository_archived'],
    ['GitLab: You are not allowed to push code to this project.', 'repository_unauthorized'],
    ['(pre-receive hook declined) Line 3 is too long', undefined],
    ['(hook declined) see the archive of decisions', undefined],
  ] as const) {
    assert.equal(hostRefusal(words)?.code, code, words)
  }
})
