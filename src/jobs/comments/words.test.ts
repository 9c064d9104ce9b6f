import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Standing, wordsOf } from './words.ts'

const links = { jobLink: 'https://docent.example/job', pullLink: undefined, call: '@docent' }
const say = (standing: Standing) => wordsOf({ ...links, standing })
const change = { kind: 'change', title: 'Say less', summary: 'A summary.', reply: 'For you alone.' } as const
const question = { kind: 'question', question: 'Is `db.internal` right?' } as const

test('words of the model are shown only if the run read no source, and a reply never', () => {
  const ended = { kind: 'ended', commit: 'abcdef0123456789' } as const
  assert.deepEqual(say({ ...ended, finish: change, isOpen: true }), {
    own: 'Done: commit abcdef0123, [job](https://docent.example/job).',
    quoted: 'Say less',
    isLast: true,
  })
  assert.equal(say({ ...ended, finish: question, isOpen: true }).quoted, question.question)
  for (const finish of [change, question]) assert.equal(say({ ...ended, finish, isOpen: false }).quoted, '')
})

test('a failure has only the title of its code', () => {
  const { own, quoted } = say({ kind: 'failed', title: 'A source cannot be read' })
  assert.equal(
    own,
    'This failed, so nothing is changed: A source cannot be read. See the [job](https://docent.example/job).',
  )
  assert.equal(quoted, '')
})
