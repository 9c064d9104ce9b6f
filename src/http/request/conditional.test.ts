import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityTag, matchesTag } from './conditional.ts'

test('a tag is strong and differs by version and by salt', () => {
  assert.match(entityTag(3, 'a'), /^"3-[\w-]{8}"$/)
  assert.equal(entityTag(3, 'a'), entityTag(3, 'a'))
  assert.notEqual(entityTag(3, 'a'), entityTag(4, 'a'))
  assert.notEqual(entityTag(3, 'a'), entityTag(3, 'b'))
})

test('If-None-Match is compared weakly, as a list', () => {
  const table: [string | undefined, boolean][] = [
    [undefined, false],
    ['', false],
    ['"a"', true],
    ['W/"a"', true],
    ['"b"', false],
    ['"b", "a"', true],
    ['"b","c" , W/"a"', true],
    ['*', true],
    [' * ', true],
    ['"*"', false],
    ['a', false],
    ['"ab"', false],
    ['"b,a"', false],
    ['w/"a"', true],
  ]
  for (const [header, expected] of table) assert.equal(matchesTag(header, '"a"'), expected, String(header))
})
