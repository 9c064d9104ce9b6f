import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharesOf } from '../../../lib/memory/budget.ts'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import { streamCsv, toCsv } from './csv.ts'
import type { Plan } from './plan.ts'
import type { Known } from '../uniques/memory.ts'
import type { Export } from './rows.ts'

const cell = (text: string) => toCsv(['a'], [{ a: text }]).slice('a\r\n'.length, -2)

test('cells are quoted where they must be, and never run', () => {
  const table: [string, string][] = [
    ['/docs', '/docs'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['\tx', "'\tx"],
    ['\rx', `"'\rx"`],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['  =1', "'  =1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['\n=1', `"'\n=1"`],
    ['=1,"', `"'=1,"""`],
    ['a=1', 'a=1'],
    ["'x", "'x"],
  ]
  for (const [text, expected] of table) assert.equal(cell(text), expected, JSON.stringify(text))
})

test('a number is never defused, a column is where its name is', () => {
  assert.equal(toCsv(['b', 'a'], [{ a: 1, b: -2 }]), 'b,a\r\n-2,1\r\n')
})

test('an RFC 4180 parser reads the written cells, except for added apostrophes', () => {
  const rows = fc.array(fc.record({ a: fc.string({ unit: 'binary' }), b: fc.string() }))
  fc.assert(
    fc.property(rows, (rows) => {
      const read = readCsv(toCsv(['a', 'b'], rows))
      assert.deepEqual(read.shift(), ['a', 'b'])
      const bare = (text: string, original: string) => (text === `'${original}` ? original : text)
      assert.deepEqual(
        read.map(([a = '', b = ''], index) => [bare(a, rows[index]?.a ?? ''), bare(b, rows[index]?.b ?? '')]),
        rows.map(({ a, b }) => [a, b]),
      )
      for (const text of read.flat()) assert.doesNotMatch(text, /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/)
    }),
  )
})

test('20,000 rows are one statement, and one row more is another', async () => {
  const exported: Export = { name: 'x', columns: ['row'], sql: () => '', order: [] }
  for (const [count, statements] of [
    [0, 1],
    [20_000, 1],
    [20_001, 2],
  ] as const) {
    const asked: unknown[] = []
    const read = async (_: string, { offset, end }: Readonly<Record<string, unknown>>) => {
      asked.push(offset)
      const length = Math.max(0, Math.min(count, Number(end)) - Number(offset))
      return Array.from({ length }, (_, index) => ({ isTotal: 0, row: Number(offset) + index }))
    }
    const plan = { from: 0, to: 1, filters: [] as Plan['filters'] } as Plan
    const store = { read, memory: sharesOf(undefined) } as unknown as ClickHouse
    let text = ''
    const question = { store, plan, known: {} as Known }
    for await (const piece of streamCsv(question, exported, new AbortController().signal)) text += piece
    assert.deepEqual(asked, [0, 20_000].slice(0, statements))
    assert.deepEqual(text.split('\r\n'), ['row', ...Array.from({ length: count }, (_, row) => `${row}`), ''])
  }
})

/** Written after the grammar of the RFC, and knows nothing of `toCsv`. */
function readCsv(text: string): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    const [, content = '', end] = found
    line.push(content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content)
    if (end === ',') continue
    lines.push(line)
    line = []
  }
  return lines
}
