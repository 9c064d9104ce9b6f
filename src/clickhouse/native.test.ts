import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharedStore } from '../../test/support/test-store.ts'
import { type Column, encodeBlock } from './native.ts'

type Row = { readonly text: string; readonly large: bigint; readonly small: number; readonly time: number }

const columns: readonly Column<Row>[] = [
  { name: 'text', type: 'LowCardinality(String)', of: ({ text }) => text },
  { name: 'large', type: 'UInt64', of: ({ large }) => large },
  { name: 'small', type: 'UInt16', of: ({ small }) => small },
  { name: 'tiny', type: 'UInt8', of: ({ small }) => small % 256 },
  { name: 'time', type: "DateTime64(3, 'UTC')", of: ({ time }) => time },
]

test('the store reads every value as it was written', async () => {
  const store = await sharedStore()
  await store.command(`CREATE TABLE IF NOT EXISTS written (run UInt64, place UInt64, text String, large UInt64, small UInt16,
    tiny UInt8, time DateTime64(3, 'UTC')) ENGINE = MergeTree ORDER BY (run, place)`)
  let run = 0n
  const row = fc.record({
    text: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme-ascii', minLength: 60, maxLength: 70 }),
      fc.constantFrom('', '\0', '\ud800', 'a'.repeat(20_000), 'é'.repeat(64), `${'a'.repeat(63)}é`),
    ),
    large: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    small: fc.integer({ min: 0, max: 65_535 }),
    time: fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2200, 0, 1) }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 50 }), async (rows) => {
      run += 1n
      const placed = rows.map((one, place) => ({ ...one, place: BigInt(place) }))
      type Placed = (typeof placed)[number]
      const keys: readonly Column<Placed>[] = [
        { name: 'run', type: 'UInt64', of: () => run },
        { name: 'place', type: 'UInt64', of: ({ place }) => place },
      ]
      await store.insert('written', [...keys, ...columns], placed)
      const found = await store.readWritten(
        `SELECT text, toString(large) AS large, small, tiny, toUnixTimestamp64Milli(time) AS time FROM written
          WHERE run = {run:UInt64} ORDER BY place`,
        { run },
      )
      assert.deepEqual(
        found,
        rows.map(({ text, large, small, time }) => {
          return { text: text.toWellFormed(), large: String(large), small, tiny: small % 256, time }
        }),
      )
    }),
    { numRuns: 60 },
  )
})

test('a column has any number of different texts', async () => {
  const store = await sharedStore()
  await store.command('CREATE TABLE IF NOT EXISTS texts (count UInt64, place UInt64, text String) ENGINE = Memory')
  for (const count of [1, 255, 256, 257, 65_535, 65_536, 65_537]) {
    type Placed = { readonly text: string; readonly place: number }
    const rows = Array.from({ length: 70_000 }, (_, place) => ({ text: `text ${place % count}`, place }))
    const placed: readonly Column<Placed>[] = [
      { name: 'count', type: 'UInt64', of: () => BigInt(count) },
      { name: 'place', type: 'UInt64', of: ({ place }) => BigInt(place) },
      { name: 'text', type: 'LowCardinality(String)', of: ({ text }) => text },
    ]
    await store.insert('texts', placed, rows)
    const found = await store.readWritten(
      `SELECT count() AS rows, uniqExact(text) AS texts, countIf(text = concat('text ', toString(place % count))) AS same
        FROM texts WHERE count = {count:UInt64}`,
      { count: BigInt(count) },
    )
    assert.deepEqual(found, [{ rows: 70_000, texts: count, same: 70_000 }])
  }
})

test('a block may have no rows', async () => {
  const store = await sharedStore()
  await store.command('CREATE TABLE IF NOT EXISTS without_rows (text String) ENGINE = Memory')
  const text: Column<string> = { name: 'text', type: 'LowCardinality(String)', of: (row) => row }
  await store.insert('without_rows', [text], [])
  await store.insert('without_rows', [text], ['a'])
  assert.deepEqual(await store.readWritten('SELECT text FROM without_rows', {}), [{ text: 'a' }])
})

test('a block has a buffer of its own', () => {
  const rows = [{ text: 'a', large: 1n, small: 2, time: 3 }]
  const first = encodeBlock(columns, rows)
  const copy = Buffer.from(first)
  encodeBlock(columns, [{ text: 'b', large: 9n, small: 9, time: 9 }])
  assert.deepEqual(first, copy)
})
