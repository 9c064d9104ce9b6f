import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../lib/failure.ts'
import type { Api } from '../api/api.ts'
import { printDiffstat } from './diffstat.ts'

async function printed(send: Api['send']): Promise<readonly string[]> {
  const lines: string[] = []
  const warn = (line: string) => void lines.push(line)
  await printDiffstat({ send }, '/job', { print: () => assert.fail('standard output'), warn, colours: false })
  return lines
}

const diffOf = (count: number): Api['send'] => {
  const files = Array.from({ length: count }, (_, at) => ({
    path: at === 0 ? 'a\u001b[2J\nb.md' : `${at}.md`,
    status: 'modified',
    additions: at,
    deletions: 1,
  }))
  return () => Promise.resolve({ status: 200, headers: {}, body: JSON.stringify({ files }) })
}

test('the summary has a line per file, and at most twenty', async () => {
  assert.deepEqual(await printed(diffOf(0)), [])
  const twenty = await printed(diffOf(20))
  assert.equal(twenty.length, 20)
  assert.match(twenty[0] ?? '', /^modified  a[^\u001b\n]*b\.md  \+0 -1$/)
  assert.deepEqual((await printed(diffOf(21))).slice(20), ['… and 1 more'])
})

test('a failure to read the changes is a warning, and an unexpected error is thrown', async () => {
  const failure = new Failure('unavailable', 'The host does not respond.')
  const lines = await printed(() => Promise.reject(failure))
  assert.deepEqual(lines, ['The changes cannot be shown: The host does not respond.'])
  await assert.rejects(
    printed(() => Promise.reject(new TypeError('x'))),
    TypeError,
  )
})
