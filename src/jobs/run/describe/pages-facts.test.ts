import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPagesRead, parsePagesRead } from '../../pages-read.ts'
import { sayPagesRead } from './pages-facts.ts'

const [a, b] = ['https://example.com/a', 'https://example.com/@all`']
const read = (address: string, status: number | null = 200, bytes = 0) => ({ address, status, bytes })

test('each page that was read is named once, as it was last', () => {
  assert.equal(
    sayPagesRead([read(a, 404), read(b, null), read(a, 200, 12_345)]),
    "**Pages read:**\n\n- `https://example.com/a`: status 200, 12.3 kB\n- `https://example.com/@all'`: no response",
  )
  assert.equal(sayPagesRead([]), '')
  const many = Array.from({ length: 21 }, (_, at) => read(`https://example.com/${at}`))
  assert.match(sayPagesRead(many), /\n- and \d+ more$/)
})

test('a job keeps the last 100 pages with their runs, and 500 characters of an address', () => {
  const first = addPagesRead(null, 1, [read(a), read(`${a}${'x'.repeat(600)}`)])
  const kept = parsePagesRead(addPagesRead(first, 2, [read(b, null)]))
  assert.deepEqual(
    kept.map(({ run, address }) => [run, address.length]),
    [
      [1, a.length],
      [1, 501],
      [2, b.length],
    ],
  )
  const full = addPagesRead(
    first,
    2,
    Array.from({ length: 100 }, () => read(b)),
  )
  assert.deepEqual([...new Set(parsePagesRead(full).map(({ run }) => run))], [2])
  assert.equal(parsePagesRead(full).length, 100)
  assert.deepEqual(parsePagesRead(null), [])
})
