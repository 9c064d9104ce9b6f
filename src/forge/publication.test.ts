import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicationOf, pullSettingsOf, signOffProblem } from './publication.ts'

const service = { name: 'Docent', email: 'docent@localhost' }
const branch = 'docent/job_1'
const commit = { title: 'Rename it', text: 'It had two names.\n', trailers: ['Docent-Job: job_1/1'] }
const publish = (stored: object, said: typeof commit | { readonly title: string } = commit) => {
  const project = { pull_request: '{}', commit: JSON.stringify(stored) }
  return publicationOf({ project, service, branch, commit: said })
}

test('without settings a commit is that of the service, with the trailers at its end', () => {
  const message = 'Rename it\n\nIt had two names.\n\nDocent-Job: job_1/1\n'
  assert.deepEqual(publish({}), { branch, message, author: service, committer: service })
})

test('the author signs off in the last line, and is the committer', () => {
  const author = { name: 'Ada', email: 'ada@example.com' }
  const { message, ...people } = publish({ prefix: 'docs: ', signOff: true, author })
  assert.deepEqual(people, { branch, author, committer: author })
  assert.equal(
    message,
    'docs: Rename it\n\nIt had two names.\n\nDocent-Job: job_1/1\nSigned-off-by: Ada <ada@example.com>\n',
  )
  assert.equal(publish({ prefix: 'x' }, { title: 'Merge' }).message, 'xMerge\n')
})

test('a first line that begins with the prefix gets no second one', () => {
  const first = (prefix: string, title: string) => publish({ prefix }, { title }).message.trim()
  assert.equal(first('docs: ', 'docs: rename it'), 'docs: rename it')
  assert.equal(first('docs: ', 'Docs: rename it'), 'docs: rename it')
  assert.equal(first('docs:', 'docs: rename it'), 'docs: rename it')
  assert.equal(first('docs: ', 'docs rename it'), 'docs: docs rename it')
})

test('settings that an earlier release stored have the defaults of this one', () => {
  const { branchPrefix, titlePrefix, draft } = pullSettingsOf({ pull_request: '{"draft":true}' })
  assert.deepEqual([branchPrefix, titlePrefix, draft], ['docent/', null, true])
})

test('only the account that pushes may sign off', () => {
  const author = { name: 'Ada', email: 'Ada@example.com' }
  const given = { author, kind: 'token', account: 'ada', emails: ['ada@users.noreply.github.com', 'ada@example.com'] }
  assert.equal(signOffProblem(given), null)
  const table: readonly [Partial<Parameters<typeof signOffProblem>[0]>, RegExp][] = [
    [{ author: { name: 'Bob', email: 'bob@example.com' } }, /author is Bob <bob@example\.com>, and .* to ada, with/],
    [{ emails: [] }, /does not show/],
    [{ emails: undefined }, /does not say/],
    [{ account: null }, /does not say/],
    [{ kind: null, account: null }, /no credential/],
    [{ kind: 'github_app' }, /App cannot sign off/],
  ]
  for (const [change, words] of table) assert.match(signOffProblem({ ...given, ...change }) ?? '', words)
})
