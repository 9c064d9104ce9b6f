import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLineIds } from './line-id.ts'

const idsOf = (lines: readonly string[], scope = '', window?: number) => {
  const idOf = createLineIds(scope, window)
  return lines.map((line) => idOf(Buffer.from(line)))
}

test('identical lines get different ids, and the same ids when read again', () => {
  const lines = ['a', 'b', 'a', 'a', 'b']
  assert.equal(new Set(idsOf(lines)).size, 5)
  assert.deepEqual(idsOf(lines), idsOf(lines))
})

test('a file that starts at a later line has the same ids for the lines in common', () => {
  const lines = Array.from({ length: 100 }, (_, n) => `line ${n >> 1}`)
  assert.deepEqual(idsOf(lines.slice(20)), idsOf(lines).slice(20))
})

test('the same line gets another id for another host', () => {
  assert.equal(new Set([...idsOf(['a']), ...idsOf(['a'], 'docs.example.com'), ...idsOf(['a'], 'example.com')]).size, 3)
})

test('only lines within the window count as repetitions', () => {
  const far = ['a', ...Array.from({ length: 20 }, (_, n) => String(n)), 'a']
  const ids = idsOf(far, '', 8)
  assert.equal(ids[0], ids.at(-1))
  const near = idsOf(['a', ...far.slice(1, 8), 'a'], '', 8)
  assert.notEqual(near[0], near.at(-1))
})

test('the window of an import has 65,536 different lines, and twice that is remembered', () => {
  for (const [others, isRemembered] of [
    [131_070, true],
    [131_071, false],
  ] as const) {
    const ids = idsOf(['a', ...Array.from({ length: others }, (_, n) => String(n)), 'a'])
    assert.equal(ids[0] !== ids.at(-1), isRemembered, String(others))
  }
})
