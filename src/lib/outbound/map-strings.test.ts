import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapStrings } from './map-strings.ts'

const value = { a: ['x', { b: 'x', x: null }], x: 1, c: [true] }
const change = (text: string) => text.replace('x', 'y')

test('the strings of a value are changed wherever they are, and names only if wanted', () => {
  assert.deepEqual(mapStrings(value, change), { a: ['y', { b: 'y', x: null }], x: 1, c: [true] })
  assert.deepEqual(mapStrings(value, change, change), { a: ['y', { b: 'y', y: null }], y: 1, c: [true] })
  assert.equal(mapStrings('x', change), 'y')
})

test('a value without a change is the same one', () => {
  assert.equal(
    mapStrings(value, (text) => text),
    value,
  )
})
