import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/support/linear.ts'
import { findPullRequests, readCommitText } from './message.ts'

const cases: readonly (readonly [subject: string, body: string, found: readonly number[]])[] = [
  ['Merge pull request #12 from acme/flags', 'Rename a flag', [12]],
  ['Rename a flag (#13)', '', [13]],
  ["Merge branch 'flags' into 'main'", 'Rename a flag\n\nSee merge request acme/api!14', [14]],
  ['Merged PR 15: Rename a flag', '', [15]],
  ['Merged in flags (pull request #16)', 'Rename a flag', [16]],
  ["Merge pull request 'Rename a flag' (#17) from flags into main", '', [17]],
  ["Merge pull request 'Rename a flag' (#17) from acme/flags", '', [17]],
  ['Revert "Rename a flag (#13)" (#18)', '', [18]],
  ['Fix #19 and #20', 'Closes #21', []],
  ['Rename (#999999999999)', '', []],
]

for (const [subject, body, found] of cases) {
  test(`the pull requests of ${JSON.stringify(subject)}`, () => {
    assert.deepEqual(findPullRequests(subject, body), found)
  })
}

function commitOf(message: string | Buffer, author = 'Person <p@example.com> 1700000000 +0100', extra = ''): Buffer {
  const head = `tree ${'1'.repeat(40)}\nauthor ${author}\ncommitter C <c@example.com> 1700000001 +0000\n${extra}\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(message)])
}

test('a message is a subject and a body, without control characters', () => {
  const text = readCommitText(commitOf('One\nline\u001b[31m\n\nTwo\r\nthree\u0007\n\nFour\n'))
  assert.deepEqual(text, {
    author: 'Person',
    date: new Date(1_700_000_001_000),
    subject: 'One line\ufffd[31m',
    body: 'Two\nthree\ufffd\n\nFour',
    pullRequests: [],
  })
})

test('a message in another encoding, without a date or without anything is read', () => {
  const latin = readCommitText(commitOf(Buffer.from([0x47, 0xfc, 0x6e]), undefined, 'encoding ISO-8859-1\n'))
  assert.equal(latin.subject, 'Gün')
  assert.equal(readCommitText(commitOf('x', undefined, 'encoding no-such-thing\n')).subject, 'x')
  assert.deepEqual(readCommitText(Buffer.from('')), {
    author: '',
    date: new Date(0),
    subject: '',
    body: '',
    pullRequests: [],
  })
})

test('long messages are cut, and take linear time', () => {
  const text = readCommitText(commitOf(`${'s'.repeat(400)}\n\n${'b'.repeat(30_000)}`, `${'a'.repeat(300)} <x> 1 +0`))
  assert.deepEqual([text.subject.length, text.body.length, text.author.length], [301, 10_001, 201])
  const message = (size: number) => commitOf('Merge pull request \n (#1) from ('.repeat(size / 10), ` <`.repeat(size))
  assertLinear(message, readCommitText, { size: 5_000, name: 'a long message' })
})
