import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt } from '../../../../src/agent/rules/parse.ts'
import { builtInModel, examplesFor, placeOf } from './examples.ts'

test('the built-in model understands each of its examples', () => {
  const kinds = examplesFor(builtInModel).flatMap(({ prompt }) => {
    const parsed = parsePrompt(prompt)
    return 'instructions' in parsed ? parsed.instructions.map(({ kind }) => kind) : [parsed.problem]
  })
  assert.deepEqual(kinds, ['fix', 'list', 'replace', 'move', 'delete', 'field'])
})

test('the place to fill in is the first quoted text or path', () => {
  const place = (prompt: string) => prompt.slice(...placeOf(prompt))
  assert.equal(place('Rename "Old name" to "New name"'), 'Old name')
  assert.equal(place('Move guides/a.md to guides/b.md'), 'guides/a.md')
  assert.equal(place('Fix spelling.'), '')
})
