import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Failure } from '../failure.ts'
import { readViolations, rulesFailure, violationsOf } from './rule-violations.ts'

const head = 'remote: error: GH013: Repository rule violations found for refs/heads/docent/job_1.\nremote: \n'

const rows: readonly (readonly [line: string, kind: string, pattern: string | null])[] = [
  ['- Commit message must match a given regex pattern: ^(feat|fix|docs)', 'message', '^(feat|fix|docs)'],
  ['- Commit message must match pattern ^docs', 'message', '^docs'],
  ['- Branch name must match ^feature/', 'branch', '^feature/'],
  ['- Commits must have verified signatures.', 'signature', null],
  ['- The author email must match the pattern @acme\\.com$', 'author', '@acme\\.com$'],
  ['- Cannot create ref due to creations being restricted.', 'closed', null],
  ['- Changes must be made through a pull request.', 'closed', null],
  ['- Push cannot contain secrets', 'secrets', null],
  ['- File big.bin is 120.00 MB; this exceeds the file size limit of 100.00 MB', 'size', null],
]

test('each bullet of GitHub has its own kind, pattern and remedy', () => {
  for (const [line, kind, pattern] of rows) {
    const [found, ...others] = readViolations(`${head}remote: ${line}\nremote:   Found 1 violation:\nremote:   0123abc`)
    assert.deepEqual([found?.kind, found?.pattern, others.length], [kind, pattern, 0], line)
  }
  const all = readViolations(head + rows.map(([line]) => `remote: ${line}\n`).join(''))
  assert.deepEqual(
    all.map(({ kind }) => kind),
    rows.map(([, kind]) => kind),
  )
})

test('the API of GitHub names them in paragraphs, and GitLab the first one', () => {
  const api =
    'Repository rule violations found\n\nCommit message must match pattern ^docs\n\nCommits must have verified signatures.\n\n'
  assert.deepEqual(
    readViolations(api).map(({ kind }) => kind),
    ['message', 'signature'],
  )
  const gitLab: readonly (readonly [words: string, kind: string, pattern: string | null])[] = [
    ["Commit message does not follow the pattern '^docs: .+'", 'message', '^docs: .+'],
    ["Commit message contains the forbidden pattern 'WIP'", 'message', null],
    ["Branch name 'docent/job_1' does not follow the pattern '^feature/'", 'branch', '^feature/'],
    ['Commit must be signed with a GPG key', 'signature', null],
    ['Commit message must contain a DCO signature', 'signOff', null],
    ["Author's commit email 'a@b' does not follow the pattern '@acme'", 'author', '@acme'],
    ['You cannot push commits for a@b. You can only push commits if the committer email is verified', 'author', null],
    ['File "x" is larger than the allowed size of 1 MiB. Use Git LFS to manage this file', 'size', null],
    ['You are not allowed to push code to protected branches on this project', 'closed', null],
  ]
  for (const [words, kind, pattern] of gitLab) {
    const [found] = readViolations(`remote: GitLab: ${words}.\n`)
    assert.deepEqual([found?.kind, found?.pattern], [kind, pattern], words)
  }
})

test('a failure says each rule with its remedy, and carries them', () => {
  const text = `${head}remote: - Commits must have verified signatures.\nremote: - Branch name must match ^feature/\n`
  const failure = rulesFailure(text)
  assert.equal(failure?.code, 'forge_refused')
  assert.match(
    failure.message,
    /verified signatures\. Use a GitHub App.* \^feature\/\. Set `pullRequest\.branchPrefix`/,
  )
  assert.equal(violationsOf(failure).length, 2)
  assert.equal(rulesFailure(`${head}remote: - Changes must be made through a pull request.`)?.code, 'branch_protected')
  assert.deepEqual(violationsOf(new Failure('forge_refused', 'x')), [])
})

test('a hook that speaks of commits and names no rule of a forge is none', () => {
  for (const text of ['remote: Commit message must match x', 'remote: author unknown', head, '']) {
    assert.equal(rulesFailure(text), undefined, text)
  }
})

test('any text is read', () => {
  fc.assert(fc.property(fc.string(), (text) => Array.isArray(readViolations(head + text))))
})
