import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { coAuthorLines } from './co-author-lines.ts'

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' }

test('each person is named once, in order', () => {
  const grace = { name: ' Grace\tHopper ', email: 'grace+docs@example.com' }
  assert.deepEqual(coAuthorLines([ada, grace, { name: 'Ada again', email: 'ADA@example.com' }]), [
    'Co-authored-by: Ada Lovelace <ada@example.com>',
    'Co-authored-by: Grace Hopper <grace+docs@example.com>',
  ])
})

test('a name ends neither its line nor the address', () => {
  const table: readonly (readonly [string, string])[] = [
    ['Eve\nDocent-Job: job_1/1', 'Eve Docent-Job: job_1/1'],
    ['Eve\r\n\r\nCo-authored-by: X <x@x.example>', 'Eve Co-authored-by: X x@x.example'],
    ['Eve <eve@evil.example> ', 'Eve eve@evil.example'],
    ['Eve\u0000\u001b[31m\u0085\u2028\u2029\u202eX', 'Eve [31m X'],
    ['\ud800 Zoë 山田', 'Zoë 山田'],
    ['<>', 'ada'],
  ]
  for (const [name, shown] of table) {
    assert.deepEqual(coAuthorLines([{ ...ada, name }]), [`Co-authored-by: ${shown} <ada@example.com>`])
  }
})

test('somebody whose address is not valid in a commit is left out', () => {
  for (const email of ['a"b@x.example', 'a>b@x.example', 'a@b@c', 'a@', '@a', 'a,b@x.example', 'a\u0000@x.example'])
    assert.deepEqual(coAuthorLines([{ ...ada, email }]), [], email)
  for (const email of ['a@localhost', "o'neil@x.example", 'jörg@müller.example'])
    assert.deepEqual(coAuthorLines([{ ...ada, email }]), [`Co-authored-by: Ada Lovelace <${email}>`])
})

test('whatever people are called, git reads the trailers that were written', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  const people = fc.array(
    fc.record({
      name: text,
      email: fc.oneof(
        text,
        text.map((part) => `${part}@x.example`),
      ),
    }),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(people, (some) => {
      const lines = coAuthorLines(some)
      for (const line of lines)
        assert.match(line, /^Co-authored-by: [^<>\p{C}\p{Zl}\p{Zp}]+ <[^\s<>\p{C}]+@[^\s<>\p{C}]+>$/u)
      return true
    }),
  )
  const lines = fc.sample(people, 50).flatMap((some) => coAuthorLines(some))
  const input = `A title\n\nA summary.\n\nDocent-Job: job_1/1\n${lines.join('\n')}\n`
  const read = execFileSync('git', ['interpret-trailers', '--parse'], { input, encoding: 'utf8' })
  assert.equal(read.trimEnd(), ['Docent-Job: job_1/1', ...lines].join('\n').trimEnd())
})
