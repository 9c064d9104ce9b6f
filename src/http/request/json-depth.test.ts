import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isTooDeep, maxDepth } from './json-depth.ts'

const nested = (depth: number, [open, close]: readonly [string, string]) => open.repeat(depth) + close.repeat(depth)

test('64 levels are read and 65 are not, in arrays and in objects', () => {
  for (const brackets of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    assert.ok(!isTooDeep(nested(maxDepth, brackets)))
    assert.ok(isTooDeep(nested(maxDepth + 1, brackets)))
  }
  assert.ok(!isTooDeep(`[${'[],'.repeat(1_000)}0]`), 'brackets side by side count as depth')
})

test('brackets within strings do not count, with any escapes', () => {
  for (const text of ['[', '\\', '"', '\\"[', '\\\\', 'a"b\\']) {
    assert.ok(!isTooDeep(JSON.stringify(text.repeat(100) + '['.repeat(100))), text)
    assert.ok(isTooDeep(JSON.stringify(text) + '['.repeat(100)), text)
  }
  assert.ok(!isTooDeep(`"${'['.repeat(100)}`), 'a string without an end')
})

test('it finds the depth that a walk over the parsed value finds', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(maxDepth + 8), (value, wrap) => {
      const text = '['.repeat(wrap) + JSON.stringify(value) + ']'.repeat(wrap)
      assert.equal(isTooDeep(text), wrap + depthOf(value) > maxDepth)
    }),
  )
})
