import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { boundPayload } from './payload.ts'

const bound = (value: unknown) => boundPayload(value, (text) => text)

test('a small payload is whole', () => {
  const payload = { version: '2.0.0', tags: ['a', 1, true, null, {}, []], author: { name: 'x' } }
  assert.deepEqual(bound(payload), { payload, leftOut: 0 })
  for (const value of ['x', 1, null, false, [], {}]) assert.deepEqual(bound(value), { payload: value, leftOut: 0 })
})

test('a long text is cut at 200 characters, and says how many follow', () => {
  const { payload } = bound({ text: 'x'.repeat(1_000), short: 'y'.repeat(200), pair: `${'z'.repeat(199)}😀` })
  assert.deepEqual(payload, {
    text: `${'x'.repeat(200)}… [800 more characters]`,
    short: 'y'.repeat(200),
    pair: `${'z'.repeat(199)}… [2 more characters]`,
  })
  assert.deepEqual(bound({ ['n'.repeat(70)]: 1 }).payload, { [`${'n'.repeat(60)}… [10 more characters]`]: 1 })
})

test('values beyond the first 100, and below six levels, are left out and counted', () => {
  const flat = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${at}`, at]))
  const wide = bound({ deep: { ...flat }, first: 1 })
  assert.deepEqual((wide.payload as { first: number }).first, 1)
  assert.equal(wide.leftOut, 53)
  assert.equal(bound(flat).leftOut, 51)
  assert.equal(bound(Array.from({ length: 1_000 }, () => ({ a: 1 }))).leftOut, 1_000)
  const deep = bound({ a: { a: { a: { a: { a: { a: { gone: [1, 2] } }, kept: 1 } } } } })
  assert.deepEqual(deep, { payload: { a: { a: { a: { a: { a: {}, kept: 1 } } } } }, leftOut: 2 })
})

test('secrets are hidden before a text is cut', () => {
  const hide = (text: string) => text.replace('s3cret', '[hidden]')
  const { payload } = boundPayload({ a: `${'x'.repeat(197)}s3cret` }, hide)
  assert.deepEqual(payload, { a: `${'x'.repeat(197)}[hi… [5 more characters]` })
})

test('two names that begin alike are one value, and the other one is counted', () => {
  const long = 'n'.repeat(80)
  const { payload, leftOut } = bound({ [`${long}a`]: 1, [`${long}b`]: 2 })
  assert.deepEqual([Object.values(payload as object), leftOut], [[1], 1])
})

test('any payload stays small, and what is not counted as left out is there', () => {
  const leaves = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1
    return Math.max(
      1,
      Object.values(value).reduce((sum: number, part) => sum + leaves(part), 0),
    )
  }
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 9 }), (value) => {
      const { payload, leftOut } = bound(value)
      assert.ok(JSON.stringify(payload).length < 60_000)
      assert.ok(leftOut < leaves(value) || leftOut === 0)
      if (leftOut === 0) assert.equal(leaves(payload), leaves(value))
    }),
  )
  const named = JSON.parse('{"__proto__": {"x": 1}, "a\\u0000": "\\ud800"}') as unknown
  assert.equal(JSON.stringify(bound(named).payload), '{"__proto__":{"x":1},"a\\u0000":"\ufffd"}')
})
