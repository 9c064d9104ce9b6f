import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharedStore } from '../../test/support/test-store.ts'
import { writeParams } from './write-params.ts'

const [embedded, server] = await Promise.all([sharedStore('embedded'), sharedStore('server')])

const types = {
  String: { value: fc.string({ unit: 'binary' }), show: 'hex(v)' },
  'Array(String)': {
    value: fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }),
    show: 'arrayMap(t -> hex(t), v)',
  },
  Int64: { value: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), show: 'toString(v)' },
  UInt64: { value: fc.bigInt(0n, 2n ** 64n - 1n), show: 'toString(v)' },
  UInt32: { value: fc.nat(2 ** 32 - 1), show: 'toString(v)' },
  Date: { value: moment(10), show: 'toString(v)' },
  "DateTime64(3, 'UTC')": { value: moment(23), show: 'toString(v)' },
} as const

/** Texts of times that the store can hold, cut to `length`. */
function moment(length: number) {
  const range = { min: Date.UTC(1970), max: Date.UTC(2149, 5, 6), noInvalidDate: true }
  const toText = (time: number) => new Date(time).toISOString().replace('T', ' ').slice(0, length)
  return fc.integer({ min: range.min, max: range.max }).map(toText)
}

/** The type and the bytes of a parameter, and whether a comparison of a column with it is right. */
function query(type: string): string {
  const { show } = types[type as keyof typeof types]
  return `SELECT ${show} AS shown, toTypeName(v) AS type FROM (SELECT {v:${type}} AS v)`
}

for (const [type, { value }] of Object.entries(types)) {
  test(`a parameter of the type ${type} is the same on both stores`, async () => {
    await fc.assert(
      fc.asyncProperty(value as fc.Arbitrary<unknown>, async (v) => {
        const [own, bound] = await Promise.all([embedded.read(query(type), { v }), server.read(query(type), { v })])
        assert.deepEqual(own, bound)
      }),
      { numRuns: 60 },
    )
  })
}

test('every byte and lone surrogates come back from the text of a statement', async () => {
  const all = String.fromCharCode(...Array.from({ length: 0x3_00 }, (_, code) => code))
  for (const v of [
    all,
    `'${all}\\`,
    '\uD800',
    'a\uDFFFb',
    '\uDC00\uD800',
    '😀',
    "\\'",
    '\\0',
    "''",
    '{v:String}',
    '--',
    '/*',
  ]) {
    const expected = [{ shown: Buffer.from(v.toWellFormed()).toString('hex').toUpperCase(), type: 'String' }]
    for (const store of [embedded, server]) assert.deepEqual(await store.read(query('String'), { v }), expected)
  }
})

test('a placeholder in a text, a name or a comment stays as it is', () => {
  const others = [
    `'{a:String}'`,
    `'it''s {a:String}'`,
    String.raw`'\'{a:String}'`,
    '"{a:String}"',
    '`{a:String}`',
    '/* {a:String} */',
    '-- {a:String}',
    '# {a:String}',
    '$x$ {a:String} $x$',
    '{a}',
  ]
  for (const other of others) assert.equal(writeParams(`${other}\n{a:String}`, { a: 'x' }), `${other}\n'x'`)
})

test('a missing parameter, an unknown type and a value of another type throw', () => {
  const wrong = [
    ['{b:String}', { a: 'x' }],
    ['{toString:String}', {}],
    ['{a:Identifier}', { a: 'x' }],
    ['{a:toString}', { a: 'x' }],
    ['{a:String}', { a: 1 }],
    ['{a:String}', { a: null }],
    ['{a:Array(String)}', { a: ['x', 1] }],
    ['{a:Array(String)}', { a: 'x' }],
    ['{a:Int64}', { a: '1' }],
    ['{a:Int64}', { a: 1.5 }],
    ['{a:Int64}', { a: 2 ** 63 }],
    ['{a:UInt32}', { a: -1 }],
    ['{a:UInt32}', { a: 2 ** 32 }],
    ['{a:UInt64}', { a: 2n ** 64n }],
    ['{a:Date}', { a: '2026-11-01 00:00:00' }],
    ["{a:DateTime64(3, 'UTC')}", { a: "2026-11-01 00:00:00' OR 1" }],
  ] as const
  for (const [sql, params] of wrong) assert.throws(() => writeParams(sql, params), TypeError, sql)
})

test('a short query with parameters does not wait for a long one', async () => {
  const gone = new AbortController()
  const endless = 'SELECT uniqExact(number + {n:UInt64}) AS n FROM numbers(1000000000000)'
  const long = embedded.read(endless, { n: 1 }, gone.signal)
  const short = await embedded.read('SELECT {n:UInt32} AS n', { n: 2 })
  gone.abort(new Error('gone'))
  assert.deepEqual(short, [{ n: 2 }])
  await assert.rejects(long, /gone/)
})
