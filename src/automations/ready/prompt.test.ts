// The instructions of the ready-made automations, as files: each is there, is as long as a model needs, and its short form is
// understood by the built-in model.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { parsePrompt } from '../../agent/rules/parse.ts'
import { readyKinds, readyNames, type ReadyKind } from './kinds.ts'
import { promptOf, readInstructions } from './prompt.ts'

for (const name of readyNames) {
  test(`the instructions are whole, and end in one of the three ways: ${name}`, () => {
    const text = readInstructions(name)
    assert.ok(text.length > 500 && text.length < 4_000, String(text.length))
    assert.match(text, /noChange/)
    assert.doesNotMatch(text, /^#/m)
    const { rules }: ReadyKind = readyKinds[name]
    if (rules !== undefined)
      assert.deepEqual(parsePrompt(rules), parsePrompt(promptOf({ kind: name, instructions: '' }, 'docent/rules')))
    if (rules !== undefined) assert.ok('instructions' in parsePrompt(rules))
  })
}

test('every file of instructions is one of a kind', () => {
  const files = readdirSync(new URL('instructions/', import.meta.url)).map((file) => file.replace(/\.md$/, ''))
  assert.deepEqual(files.toSorted(), [...readyNames].toSorted())
})
