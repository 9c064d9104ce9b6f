import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromLines, fromNumber, numberPattern, toLines, toNames, toNumber } from './drafts.ts'

test('lists are lines, without blank ones', () => {
  assert.deepEqual(toLines(' docs/ \n\n *.md\r\n'), ['docs/', '*.md'])
  assert.deepEqual(toLines(''), [])
  assert.deepEqual(toLines(fromLines(['a', 'b'])), ['a', 'b'])
  assert.deepEqual(toNames('docs, needs review\nbug'), ['docs', 'needs review', 'bug'])
})

test('numbers come back as they were, and blank is the default', () => {
  for (const number of [null, 0.5, 1, 20, 1_000_000, 12_345.678_9]) assert.equal(toNumber(fromNumber(number)), number)
  assert.equal(fromNumber(1_000_000), '1,000,000')
  assert.equal(toNumber('  '), null)
  assert.ok(Number.isNaN(toNumber('many')))
})

test('the pattern of a number lets through what is one', () => {
  const pattern = new RegExp(`^(?:${numberPattern})$`, 'v')
  for (const text of ['1', '1,000', ' 0.5 ', '12_000']) assert.ok(pattern.test(text) && toNumber(text) !== null, text)
  for (const text of ['many', '-1', '1e3', '.', '1.2.3']) assert.ok(!pattern.test(text), text)
})
