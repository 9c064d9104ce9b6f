import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOfJson } from './listed.ts'

test('the start of a stored prompt is read wherever it is cut', () => {
  const prompt = 'Say "hi" \\ to\n\u0000 \ud83d\ude80 é'
  const stored = JSON.stringify(prompt)
  for (let end = 1; end <= stored.length; end += 1) {
    assert.ok(prompt.startsWith(startOfJson(stored.slice(0, end))), stored.slice(0, end))
  }
  assert.equal(startOfJson(stored), prompt)
  assert.equal(startOfJson(''), '')
})
