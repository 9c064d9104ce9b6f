import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inWords } from './words.ts'

test('an operation is shown in words', () => {
  assert.equal(inWords('createKey'), 'Created an API key')
  assert.equal(inWords('openGate'), 'Open gate')
})

test('the phrases are those of operations that exist', () => {
  const text = readFileSync(new URL('words.ts', import.meta.url), 'utf8')
  const document = readFileSync(new URL('../../../../client/src/api/types.gen.ts', import.meta.url), 'utf8')
  const names = [...text.matchAll(/^ {2}(\w+): '/gm)].map(([, name]) => name ?? '')
  assert.ok(names.length > 20)
  // Made on the machine of the service, where the document does not reach.
  for (const name of names.filter((one) => one !== 'createSignInLink'))
    assert.match(document, new RegExp(`^    ${name}: \\{`, 'm'), name)
})
