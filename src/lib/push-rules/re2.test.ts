import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePattern } from './re2.ts'

const matches = async (pattern: string, text: string, isMultiline = false) =>
  (await compilePattern(pattern, { isMultiline }))?.(text)

test('a pattern matches as in RE2, and another one is refused', async () => {
  assert.equal(await matches('^docs:', 'docs: a'), true)
  assert.equal(await matches('^docs:', 'a docs:'), false)
  assert.equal(await matches('^b$', 'a\nb\nc'), false)
  assert.equal(await matches('^b$', 'a\nb\nc', true), true)
  for (const pattern of ['(?=x)', String.raw`(a)\1`, '(', 'a{1,2000}', 'x'.repeat(1_001)]) {
    assert.equal(await compilePattern(pattern), undefined, pattern.slice(0, 20))
  }
})

test('a pattern that makes others wait for years takes linear time', async () => {
  const matcher = (await compilePattern('^(a+)+$')) ?? assert.fail()
  // A hundred times the text of which a backtracking engine needs longer than the universe is old.
  assert.equal(matcher(`${'a'.repeat(9_000)}b`), false)
  assert.equal(matcher('a'.repeat(20_000)), true)
})
