import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SumSource } from './daily-sums.ts'
import { readSums } from './read-sums.ts'

/** In pieces of one byte, so that every place is a boundary of pieces. */
async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte)
}

const read = (text: string, source?: SumSource) => readSums(pieces(text), { name: 'sums.csv', source })
const sumsOf = async (text: string, source?: SumSource) =>
  (await read(text, source))?.sums.map(({ date, path, visitors, pageViews }) => [date, path, visitors, pageViews])

test('the visitors and the pages of Plausible are daily sums', async () => {
  const visitors = 'date,visitors,pageviews,bounces,visits,visit_duration\n2024-01-01,41,120,9,44,1830\n'
  assert.deepEqual(await sumsOf(`\uFEFF${visitors}"2024-01-02","7","9","1","8","30"\r\n`), [
    ['2024-01-01', null, 41, 120],
    ['2024-01-02', null, 7, 9],
  ])
  const pages =
    'date,hostname,page,visits,visitors,pageviews\n2024-01-01,docs.example.com,/guide/,5,4,7\n' +
    '2024-01-01,docs.example.com,/guide.html,2,2,2\n2024-01-01,docs.example.com,"/a,b?x=1",1,1,1\n'
  assert.deepEqual(await sumsOf(pages), [
    ['2024-01-01', '/guide', 6, 9],
    ['2024-01-01', '/a,b', 1, 1],
  ])
})

test('files of Plausible about browsers, sources and entry pages have no sums', async () => {
  for (const column of ['browser', 'source', 'entry_page', 'country']) {
    const file = `date,${column},visitors,visits,visit_duration,bounces,pageviews\n2024-01-01,x,4,5,10,1,6\n`
    assert.equal(await read(file), undefined, column)
  }
})

test('reports, explorations and rows of the API of Google Analytics are daily sums', async () => {
  const report =
    '# ----------------------------------------\n# Pages and screens\n# Start date: 20240229\n# End date: 20240301\n' +
    'Nth day,Active users\n0000,12\n0001,9\n\n' +
    '# Start date: 20240229\n# End date: 20240301\nPage path and screen class,Views,Active users\n/,30,20\n'
  const found = await read(report)
  assert.deepEqual(found?.source, 'ga4')
  assert.deepEqual(
    found.sums.map(({ date, visitors }) => [date, visitors]),
    [
      ['2024-02-29', 12],
      ['2024-03-01', 9],
    ],
  )
  assert.deepEqual(found.leftOut, { no_heading: 2 })
  const exploration =
    'Date,Page path and screen class,Active users,Views\n,,1234,"5,678"\n20240101,/a/,"1,200",3000\n20240101,(not set),3,4\n'
  assert.deepEqual(await sumsOf(exploration), [['2024-01-01', '/a', 1_200, 3_000]])
  assert.deepEqual((await read(exploration))?.leftOut, { no_date: 1, no_path: 1 })
  assert.deepEqual(await sumsOf('date,screenPageViews\n20240101,5\n'), [['2024-01-01', null, null, 5]])
})

test('rows of another dimension are refused, because their people cannot be added', async () => {
  const byCountry = 'Date,Country,Active users\n20240101,France,4\n20240101,Spain,3\n'
  await assert.rejects(
    read(byCountry),
    /several rows of 2024-01-01 for the same page or site\. Export it by date alone/,
  )
})

test('days that do not exist and texts that are no counts are left out', async () => {
  const file =
    'date,visitors,pageviews\n2024-02-30,1,1\n2024-01-01,-1,x\n2024-01-02,1.5,2\n2024-01-03,99999999999999,3\n'
  const found = await read(file)
  assert.deepEqual(found?.leftOut, { no_date: 1, no_count: 1 })
  assert.deepEqual(
    found?.sums.map(({ visitors, pageViews }) => [visitors, pageViews]),
    [
      [null, 2],
      [null, 3],
    ],
  )
})

test('a file without a heading of a tool, or of the other tool, has no sums', async () => {
  assert.equal(await read('not a csv\nat all\n'), undefined)
  assert.equal(await read(''), undefined)
  assert.equal(await read('date,visitors,pageviews\n2024-01-01,1,1\n', 'ga4'), undefined)
  await assert.rejects(read(`${'x'.repeat(70_000)}\n`), /longer than 64 KiB/)
  await assert.rejects(read(`${','.repeat(300)}\n`), /more than 200 values/)
})

test('values in quotes keep their commas, quotes and line breaks', async () => {
  const file = 'Date,Page path,"Active ""users""",Active users\n20240101,"/a\nb","x,\ny",3\n'
  assert.deepEqual(await sumsOf(file), [['2024-01-01', '/a%0Ab', 3, null]])
})
