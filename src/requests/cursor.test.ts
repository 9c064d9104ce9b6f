import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCursor, toPage } from './cursor.ts'

test('a page has the cursor of its last row if another row follows', () => {
  const cursor = createCursor('n', String.raw`\d+`)
  const options = { limit: 2, cursor, keyOf: String }
  assert.deepEqual(toPage([7, 8, 9], options), { page: [7, 8], nextCursor: cursor.write('8') })
  assert.deepEqual(toPage([7, 8], options), { page: [7, 8], nextCursor: null })
  assert.deepEqual(toPage([], options), { page: [], nextCursor: null })
  assert.equal(cursor.read(cursor.write('8')), '8')
  assert.throws(() => cursor.read('8'), /is not a cursor/)
})
