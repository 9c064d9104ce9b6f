import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { removeFolder, temporaryFolder } from '../../../../test/support/temporary.ts'
import { loadRanges } from './load-ranges.ts'
import { rangeSources } from './range-sources.ts'
import { type Fetch, refreshRanges } from './refresh-ranges.ts'
import { createVerify } from './verify.ts'

const sources = rangeSources.filter(({ id }) => id === 'ccbot')
const label = { agent: 'CCBot', operator: 'Common Crawl' }

async function inFolder(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = await temporaryFolder('ranges')
  try {
    await work(directory)
  } finally {
    await removeFolder(directory)
  }
}

const documentOf = (prefixes: readonly unknown[], creationTime: unknown = '2026-11-01T10:00:00.000000') =>
  JSON.stringify({ creationTime, prefixes })
const answer =
  (text: string | Uint8Array<ArrayBuffer>, status = 200): Fetch =>
  () =>
    Promise.resolve(new Response(text, { status }))

test('a refreshed list replaces the built-in one and reports the changes', () =>
  inFolder(async (directory) => {
    const before = await loadRanges(directory, sources)
    assert.equal(createVerify(before)(label, '192.0.2.7'), 'failed')
    const document = documentOf([
      { ipv4Prefix: '192.0.2.0/24' },
      { ipv4Prefix: '3.41.188.32/29' },
      { ipv6Prefix: '2001:DB8::/40' },
    ])
    const [one] = await refreshRanges(directory, answer(document), createManualClock(), sources)
    assert.deepEqual([one?.added, one?.removed, one?.ageDays, one?.problem], [2, 4, 19, undefined])
    const after = await loadRanges(directory, sources)
    assert.deepEqual(after[0]?.prefixes, ['192.0.2.0/24', '3.41.188.32/29', '2001:db8::/40'])
    assert.equal(createVerify(after)(label, '192.0.2.7'), 'address')
    const [again] = await refreshRanges(directory, answer(document), createManualClock(), sources)
    assert.deepEqual([again?.added, again?.removed], [0, 0])
  }))

const hostile: readonly (readonly [what: string, fetch: Fetch])[] = [
  ['no JSON', answer('<html>')],
  ['null', answer('null')],
  ['a list', answer('[]')],
  ['no prefixes', answer('{"creationTime":"2026-11-01"}')],
  ['an empty list', answer(documentOf([]))],
  ['a prefix that is none', answer(documentOf([{ ipv4Prefix: '192.0.2.0/24' }, { ipv4Prefix: '192.0.2.0/33' }]))],
  ['a number', answer(documentOf([{ ipv4Prefix: 7 }]))],
  ['everything', answer(documentOf([{ ipv4Prefix: '0.0.0.0/0' }]))],
  ['all of IPv6', answer(documentOf([{ ipv6Prefix: '2000::/3' }]))],
  ['a long prefix', answer(documentOf([{ ipv4Prefix: `192.0.2.0/${'0'.repeat(1_000)}24` }]))],
  [
    'too many',
    answer(
      documentOf(Array.from({ length: 20_001 }, (_, at) => ({ ipv4Prefix: `10.0.${(at >> 8) & 255}.${at & 255}` }))),
    ),
  ],
  ['no date', answer(documentOf([{ ipv4Prefix: '192.0.2.0/24' }], 'yesterday'))],
  ['a day that does not exist', answer(documentOf([{ ipv4Prefix: '192.0.2.0/24' }], '2026-02-30'))],
  ['an older one', answer(documentOf([{ ipv4Prefix: '192.0.2.0/24' }], '2020-01-01'))],
  ['an error', answer('{}', 500)],
  ['a redirect that was not followed', answer('', 302)],
  ['three megabytes', answer(' '.repeat(3 * 1024 * 1024))],
  ['no UTF-8', answer(new Uint8Array([0xff, 0xfe]))],
  ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
]

test('a document is read to its two megabytes and no further', () =>
  inFolder(async (directory) => {
    const document = `${documentOf([{ ipv4Prefix: '192.0.2.0/24' }])}${' '.repeat(2 * 1024 * 1024)}`
    const [one] = await refreshRanges(directory, answer(document), createManualClock(), sources)
    assert.match(one?.problem ?? '', /larger than 2 MiB/)
  }))

test('an invalid list leaves the previous one in place', () =>
  inFolder(async (directory) => {
    const before = await loadRanges(directory, sources)
    for (const [what, fetch] of hostile) {
      const [one] = await refreshRanges(directory, fetch, createManualClock(), sources)
      assert.ok(one?.problem, what)
      assert.deepEqual([one.added, one.removed], [0, 0], what)
      assert.deepEqual(await loadRanges(directory, sources), before, what)
    }
    assert.deepEqual(await readdir(directory), [])
  }))

test('it refuses redirects and http, and gives up on an operator after 15 seconds', () =>
  inFolder(async (directory) => {
    const clock = createManualClock()
    const asked: RequestInit[] = []
    const silent: Fetch = (_, options) => {
      asked.push(options)
      const { promise, reject } = Promise.withResolvers<Response>()
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
      return promise
    }
    const refreshed = refreshRanges(directory, silent, clock, sources)
    while (clock.sleepers() === 0) await new Promise((resolve) => setImmediate(resolve))
    await clock.pass(15_000)
    assert.match((await refreshed)[0]?.problem ?? '', /too long/)
    assert.equal(asked[0]?.redirect, 'error')
    const plain = sources.map((source) => ({ ...source, address: 'http://index.commoncrawl.org/ccbot.json' }))
    assert.match((await refreshRanges(directory, answer(''), clock, plain))[0]?.problem ?? '', /https/)
    assert.equal(clock.sleepers(), 0)
  }))

test('a refreshed file that is broken or older counts as not there', () =>
  inFolder(async (directory) => {
    const before = await loadRanges(undefined, sources)
    for (const text of ['', '{', JSON.stringify({ date: '2020-01-01', prefixes: ['192.0.2.0/24'] })]) {
      await writeFile(join(directory, 'ccbot.json'), text)
      assert.deepEqual(await loadRanges(directory, sources), before)
    }
  }))
