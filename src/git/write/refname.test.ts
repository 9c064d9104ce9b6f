import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { branchProblem, branchRef } from './refname.ts'

test('plain branch names are allowed and become full refs', () => {
  for (const name of ['main', 'docent/job_1a', 'release-1.2', 'a/b/c', 'v1.0', '_x', 'a'.repeat(200), 'refs', 'head']) {
    assert.equal(branchRef(name), `refs/heads/${name}`)
  }
})

for (const name of [
  '',
  '-x',
  '--upload-pack=x',
  'HEAD',
  'refs/heads/x',
  'refs/../x',
  'a..b',
  '../x',
  'x.lock',
  'a.lock/b',
  '/a',
  'a/',
  'a//b',
  '.a',
  'a/.b',
  'a.',
  'a b',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[',
  'a\\b',
  '@{u}',
  '@',
  'ä',
  '🙂',
  'a\n',
  'a\0',
  'a'.repeat(201),
  'a'.repeat(300),
]) {
  test(`the branch name ${JSON.stringify(name.slice(0, 20))} (${name.length}) is refused`, () => {
    assert.throws(() => branchRef(name), { code: 'invalid_input', message: /branch name is refused/ })
  })
}

test('git allows every branch name that is allowed here', () => {
  const name = fc.stringMatching(/^[a-z./@{~-]{1,12}$/)
  fc.assert(
    fc.property(name, (text) => {
      if (branchProblem(text) === null) execFileSync('git', ['check-ref-format', '--branch', text], { stdio: 'pipe' })
    }),
    { numRuns: 300 },
  )
})
