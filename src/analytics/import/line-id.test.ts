import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLineIds } from './line-id.ts'

const idsOf = (lines: readonly string[], scope = '', window?: number) => {
  const idOf = createLineIds(scope, window)
  return lines.map((line) => idOf(Buffer.from(line)))
}

test('two identical requests in a second are two, also when they are read again', () => {
  const lines = ['a', 'b', 'a', 'a', 'b']
  assert.equal(new Set(idsOf(lines)).size, 5)
  assert.deepEqual(idsOf(lines), idsOf(lines))
})

test('a file that begins later has the same ids for the lines that both have', () => {
  const lines = Array.from({ length: 100 }, (_, n) => `line ${n >> 1}`)
  assert.deepEqual(idsOf(lines.slice(20)), idsOf(lines).slice(20))
})

test('lines under another host are other views', () => {
  assert.equal(new Set([...idsOf(['a']), ...idsOf(['a'], 'docs.example.com'), ...idsOf(['a'], 'example.com')]).size, 3)
})

test('what is far back is forgotten, what is near is not', () => {
  const far = ['a', ...Array.from({ length: 20 }, (_, n) => String(n)), 'a']
  const ids = idsOf(far, '', 8)
  assert.equal(ids[0], ids.at(-1))
  const near = idsOf(['a', ...far.slice(1, 8), 'a'], '', 8)
  assert.notEqual(near[0], near.at(-1))
})
