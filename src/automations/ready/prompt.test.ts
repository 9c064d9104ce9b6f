// The instructions of the ready-made automations, as files: each is there, is as long as a model needs, and its short form is
// understood by the built-in model.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { parsePrompt } from '../../agent/rules/parse.ts'
import { readyKinds, readyNames, type ReadyKind } from './kinds.ts'
import { kindReadsOutsiders, optionsOf } from './options.ts'
import { promptOf, readInstructions } from './prompt.ts'

for (const name of readyNames) {
  test(`the instructions are whole, and say when nothing is to be done: ${name}`, () => {
    const text = readInstructions(name, optionsOf(name, {}))
    assert.ok(text.length > 500 && text.length < 5_000, String(text.length))
    assert.match(text, /noChange/)
    assert.doesNotMatch(text, /^#/m)
    const { rules }: ReadyKind = readyKinds[name]
    if (rules !== undefined) assert.ok('instructions' in parsePrompt(rules), rules)
  })
}

test('every file of instructions is one of a kind or of an option', () => {
  const files = readdirSync(new URL('instructions/', import.meta.url)).map((file) => file.replace(/\.md$/, ''))
  const optionsOfAll = readyNames.flatMap((name) =>
    Object.keys(optionsOf(name, {})).map((option) => `${name}-${option}`),
  )
  assert.deepEqual(files.toSorted(), [...readyNames, ...optionsOfAll].toSorted())
})

test('only options that are on are in the prompt, and read words of outsiders', () => {
  const options = optionsOf('maintain', { style: false, outdated: false })
  const prompt = promptOf({ kind: 'maintain', options, instructions: 'Only docs/.' }, 'openai/gpt')
  assert.deepEqual(
    Array.from(prompt.matchAll(/^\*\*(.*?)\.\*\*/gm), ([, title]) => title),
    ['Grammar', 'Titles and descriptions'],
  )
  assert.match(prompt, /\n\nOnly docs\/\.$/)
  assert.equal(kindReadsOutsiders('maintain', options), false)
  assert.equal(kindReadsOutsiders('maintain', optionsOf('maintain', {})), true)
  assert.throws(
    () => promptOf({ kind: 'maintain', options, instructions: '' }, 'docent/rules'),
    /needs a language model/,
  )
})

test('the words of what started a run are for a model that reads', () => {
  const own = { kind: 'custom', options: {}, instructions: 'Update the docs.' } as const
  assert.equal(promptOf(own, 'openai/gpt', 'One commit started this.'), 'Update the docs.\n\nOne commit started this.')
  assert.equal(promptOf(own, 'docent/rules', 'One commit started this.'), 'Update the docs.')
})
