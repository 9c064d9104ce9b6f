import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBatch, parseLines } from './parse-batch.ts'

const ndjson = (text: string) => parseBatch(Buffer.from(text), 'application/x-ndjson')
const json = (text: string) => parseBatch(Buffer.from(text), 'application/json')
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

test('1,000 page views are taken and 1,001 are refused, in both forms', () => {
  const items = Array.from({ length: 1_000 }, () => '{}')
  assert.equal(json(`[${items.join(',')}]`).length, 1_000)
  assert.equal(ndjson(items.join('\n')).length, 1_000)
  assert.equal(ndjson(`${items.join('\n')}\n`).length, 1_000)
  const refusal = { code: 'invalid_input', message: /at most 1,000 page views/ }
  assert.throws(() => json(`[${items.join(',')},{}]`), refusal)
  assert.throws(() => ndjson(`${items.join('\n')}\n{}`), refusal)
})

test('10,000 lines are taken and 10,001 are refused, blank lines included', () => {
  assert.deepEqual(ndjson(`${'\n'.repeat(9_999)}{"a":1}`), [{ a: 1 }])
  assert.throws(() => ndjson(`${'\n'.repeat(10_000)}{"a":1}`), { message: /at most 10,000 lines/ })
})

test('splitting stops at the first line that is too many', () => {
  const taken = (line: string) => {
    let count = 0
    const endless = function* () {
      for (;;) {
        count += 1
        yield line
      }
    }
    assert.throws(() => parseLines(endless()), { code: 'invalid_input' })
    return count
  }
  assert.equal(taken('{}'), 1_001)
  assert.equal(taken(''), 10_001)
})

test('a line that is not JSON, or is nested too deeply, is one invalid page view', () => {
  assert.deepEqual(ndjson(`{"a":1}\n{"b\r\n${deep(65)}\n[1]`), [{ a: 1 }, undefined, undefined, [1]])
  assert.equal(ndjson(deep(64)).length, 1)
  assert.throws(() => json(deep(65)), { message: /nested at most 64 levels/ })
})

test('a body that is not an array of JSON is refused', () => {
  assert.throws(() => json('[{'), { message: 'The body is not JSON.' })
  assert.throws(() => json('{}'), { message: /must be an array of page views/ })
  assert.throws(() => parseBatch(Buffer.from([0xff]), 'application/json'), { message: /is not UTF-8/ })
})

test('columns are page views, and are refused when nested too deeply', () => {
  const columns = (text: string) => parseBatch(Buffer.from(text), 'application/vnd.docent.page-views+json')
  const parsed = columns('{"values":["/a"],"given":{"timestamp":[5]},"places":{"path":[0]}}')
  assert.deepEqual(JSON.parse(JSON.stringify(parsed)), [{ timestamp: 5, path: '/a' }])
  assert.throws(() => columns(`{"values":${deep(65)}}`), { message: /nested at most 64 levels/ })
  assert.throws(() => columns('{'), { message: 'The body is not JSON.' })
})
