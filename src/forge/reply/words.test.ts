import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { wordsOf } from './words.ts'

const rows: readonly (readonly [body: unknown, words: string])[] = [
  [{ message: 'Bad credentials', documentation_url: 'https://x' }, 'Bad credentials'],
  [
    {
      message: 'Validation Failed',
      errors: [{ resource: 'PullRequest', code: 'custom', message: 'A pull request already exists for a:b.' }],
    },
    'Validation Failed; resource: PullRequest; code: custom; A pull request already exists for a:b.',
  ],
  [
    { message: 'Validation Failed', errors: [{ field: 'base', code: 'invalid' }] },
    'Validation Failed; field: base; code: invalid',
  ],
  [{ message: ['Another open merge request already exists: !5'] }, 'Another open merge request already exists: !5'],
  [{ message: { title: ["can't be blank"], base: ['is odd'] } }, "title can't be blank; is odd"],
  [{ error: 'insufficient_scope', error_description: 'It needs api.' }, 'insufficient_scope; It needs api.'],
  [{ message: '401 Unauthorized' }, '401 Unauthorized'],
  [{ message: 'gone', url: 'https://try.gitea.io/api/swagger' }, 'gone'],
  [undefined, ''],
  [7, ''],
  [{ message: 7 }, ''],
]

test('the words of an error are found in the shapes of every host', () => {
  for (const [body, words] of rows) assert.equal(wordsOf(body), words)
})

test('any JSON has words, and deep or long ones end', () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 9 }), (body) => typeof wordsOf(body) === 'string'))
  assert.equal(wordsOf({ errors: Array.from({ length: 1_000 }, (_, at) => `e${at}`) }).split('; ').length, 20)
})
