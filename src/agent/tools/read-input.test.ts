import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { createTools } from './all.ts'
import { readInput } from './read-input.ts'

function read(name: string, given: unknown): string {
  const tool = createTools().find((one) => one.name === name)
  const result = tool ? readInput(tool.input, given) : { problem: 'no tool' }
  return 'problem' in result ? result.problem : `read ${JSON.stringify(result.input)}`
}

test('a wrong input is explained by field in one sentence each', () => {
  const told: readonly (readonly [tool: string, given: unknown, words: string])[] = [
    ['read_file', {}, '`path` is missing.'],
    ['read_file', { path: 'a', startLine: 0 }, '`startLine` must be at least 1.'],
    ['read_file', { path: 'a', startLine: 1.5 }, '`startLine` must be a whole number.'],
    ['read_file', { path: '' }, '`path` must have at least 1 character.'],
    ['read_file', 'a.md', 'The input must be an object.'],
    ['search', { pattern: 'x', filesOnly: 'yes' }, '`filesOnly` must be true or false.'],
    ['edit_file', { path: 'a', edits: [] }, '`edits` must have at least 1 entry.'],
  ]
  for (const [tool, given, words] of told) assert.equal(read(tool, given), `Wrong input. ${words}`)
  assert.match(read('search', { patern: 'x' }), /There is no field `patern`; the fields are pattern, regex, /)
})

test('the sentences that a tool gives for its own rules are passed on', () => {
  const line = z.object({ a: z.string().regex(/^x/, 'Begin with x.') }).refine(({ a }) => a !== 'xx', 'Give less.')
  assert.deepEqual(readInput(line, { a: 'y' }), { problem: 'Wrong input. Begin with x.' })
  assert.deepEqual(readInput(line, { a: 'xx' }), { problem: 'Wrong input. Give less.' })
})

test('a field that is null counts as left out', () => {
  assert.equal(read('read_file', { path: 'a', startLine: null }), 'read {"path":"a"}')
})
