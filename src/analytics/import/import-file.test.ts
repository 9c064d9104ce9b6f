import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { Failure } from '../../lib/failure.ts'
import type { ImportPort } from './port.ts'
import { createImportStore, line, many, run, slept, writeLog } from '../../../test/support/import-store.ts'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'

let folder: string
before(async () => void (folder = await temporaryFolder('import')))
after(() => removeFolder(folder))

const write = (content: string | Uint8Array, name?: string) => writeLog(folder, content, name)

test('every line counts as accepted or, by its reason, as rejected', async () => {
  const { port, views, sent } = createImportStore()
  const bad = `${line('/b').replace('21/Nov', '30/Feb')}nonsense /a?token=secret\n${'x'.repeat(100_000)}\n\n\r\n`
  const path = await write(line('/a') + bad + line('/c.png') + line('/refused') + line('/a') + line('/d').trimEnd())
  const { summary, news } = await run(path, port)
  assert.deepEqual(
    { ...summary, rejected: summary.rejected.map(({ reason, count }) => [reason, count]) },
    {
      lines: 8,
      linesBefore: 0,
      accepted: 3,
      rejected: [
        ['bad_time', 1],
        ['not_a_page', 1],
        ['not_this_format', 1],
        ['too_long', 1],
        ['too_old', 1],
      ],
      outcome: 'done',
      format: 'combined',
      importId: 'imp_0',
      from: 0,
      position: summary.position,
      damage: undefined,
    },
  )
  const examples = summary.rejected.flatMap(({ examples }) => examples)
  assert.ok(
    examples.some((one) => one.includes('nonsense /a?…')),
    'the query of an example is left out',
  )
  assert.ok(examples.every((one) => one.length <= 200))
  assert.equal(views.size, 4)
  assert.equal(sent.calls, 1)
  assert.deepEqual(news[0], { kind: 'began', format: 'combined', isDetected: true, position: 0 })
})

test('a last line without a line break is taken when whole, and read again later', async () => {
  const { port, views } = createImportStore()
  const path = await write(line('/a') + line('/b').slice(0, 60))
  const { summary } = await run(path, port)
  assert.deepEqual(
    summary.rejected.map(({ reason }) => reason),
    ['incomplete'],
  )
  await write(line('/a') + line('/b').trimEnd(), path.slice(folder.length + 1))
  assert.equal((await run(path, port)).summary.accepted, 1)
  await write(line('/a') + line('/b') + line('/c'), path.slice(folder.length + 1))
  const { summary: last } = await run(path, port)
  assert.deepEqual([last.from, last.accepted], [line('/a').length, 2])
  assert.deepEqual(
    [...views.values()].map(({ path }) => path),
    ['/a', '/b', '/c'],
  )
})

test('an empty log is no import', async () => {
  const { port, imports } = createImportStore()
  for (const content of ['', '\n\r\n', gzipSync('')]) {
    assert.equal((await run(await write(content), port)).summary.lines, 0)
    assert.equal((await run(Buffer.from(content), port)).summary.importId, undefined)
  }
  assert.equal(imports.length, 0)
})

test('a log in an unknown format is refused with advice, unless it is named', async () => {
  const { port } = createImportStore()
  const path = await write('a\nb\n')
  await assert.rejects(
    run(path, port),
    /unknown log format; name it with --format: Docent reads combined, .* '\$remote_addr/,
  )
  const { summary } = await run(path, port, { format: 'caddy' })
  assert.deepEqual([summary.lines, summary.rejected.length], [2, 1])
})

test('the format is the one of the first hundred lines', async () => {
  const { port } = createImportStore()
  const { summary } = await run(await write('a\n'.repeat(99) + line('/a')), port)
  assert.deepEqual([summary.format, summary.accepted], ['combined', 1])
  await assert.rejects(run(await write('a\n'.repeat(100) + line('/a')), port), /unknown log format/)
})

test('arrays of a drain are read as lines are', async () => {
  const { port, views } = createImportStore()
  const entry = (n: number) => ({
    id: String(n),
    source: 'static',
    timestamp: 1,
    proxy: { path: `/${n}`, timestamp: 1 },
  })
  const whole = JSON.stringify(Array.from({ length: 2_500 }, (_, n) => entry(n)))
  const { summary } = await run(await write(whole), port)
  assert.deepEqual([summary.format, summary.accepted, views.size], ['vercel', 2_500, 2_500])
  const grown = `${whole}\n[${JSON.stringify(entry(9_999))}]`
  const { summary: again } = await run(await write(grown), port)
  assert.deepEqual([again.lines, again.linesBefore, again.accepted, views.size], [2_501, 2_500, 1, 2_501])
})

test('truncated gzip data yield their content and are reported', async () => {
  const { port } = createImportStore()
  const whole = gzipSync(many(5_000))
  const { summary } = await run(await write(whole.subarray(0, whole.length - 20)), port)
  assert.equal(summary.damage, 'truncated')
  assert.ok(summary.accepted > 4_000)
})

test('batches overlap, and a position is reported once all before it is stored', async () => {
  const log = many(20_000)
  const { port, views, sent } = createImportStore()
  const stored = { until: 0 }
  const checked: ImportPort = {
    ...port,
    send: async (importId, position, body) => {
      const response = await port.send(importId, position, body)
      const end = log.slice(0, position).split('\n').length - 1
      for (let n = stored.until; n < end; n += 1)
        assert.ok([...views.values()].some(({ path }) => path === `/page-${n}`))
      stored.until = Math.max(stored.until, end)
      return response
    },
  }
  const { summary } = await run(await write(log.slice(0, many(6_000).length)), checked)
  assert.ok(sent.most > 1 && sent.most <= 4)
  assert.equal(sent.positions.at(-1), summary.position, 'the last one says the end')
})

test('temporary failures are retried after the requested time, others are not', async () => {
  slept.length = 0
  const { port, views } = createImportStore((moment, calls) => {
    if (moment === 'early' && calls === 1) throw new Failure('rate_limited', 'Wait.', { retryAfter: 7 })
    if (moment === 'late' && calls === 2) throw new Failure('unavailable', 'Gone.')
  })
  const { summary, news } = await run(await write(many(10)), port)
  assert.deepEqual([summary.accepted, views.size], [10, 10])
  assert.deepEqual(slept, [7_000, 1_000])
  assert.equal(news.filter(({ kind }) => kind === 'waits').length, 2)
  const forbidden = createImportStore(() => {
    throw new Failure('forbidden', 'No.')
  })
  await assert.rejects(run(await write(many(10)), forbidden.port), /No\./)
  assert.equal(forbidden.sent.calls, 1)
  const away = createImportStore(() => {
    throw new Failure('unavailable', 'Gone for good.')
  })
  await assert.rejects(run(await write(many(10)), away.port), /Gone for good/)
  assert.equal(away.sent.calls, 9)
})

test('a stopped import and its continuation add up to the log', async () => {
  const stop = new AbortController()
  const store = createImportStore((moment, calls) => void (moment === 'late' && calls === 3 && stop.abort()))
  const path = await write(many(20_000))
  const { summary } = await run(path, store.port, { stop: stop.signal })
  assert.equal(summary.outcome, 'stopped')
  assert.ok(summary.accepted >= 3_000 && summary.accepted < 20_000)
  const { summary: rest } = await run(path, store.port)
  assert.equal(rest.from, summary.position)
  assert.equal(rest.linesBefore, summary.lines)
  assert.deepEqual([rest.lines, rest.linesBefore + rest.accepted], [20_000, 20_000])
  assert.equal(store.views.size, 20_000)
})

test('values that are long, or not texts, leave a request within its size', async () => {
  const { port, sent } = createImportStore()
  const long = (n: number) => `${n}`.padEnd(20_000, 'x')
  const lines = Array.from({ length: 1_000 }, (_, n) => {
    const odd = n % 2 === 0 ? { representation: long(n) } : { headers: { accept: [long(n)], dnt: long(n) } }
    return JSON.stringify({ timestamp: 1, path: '/a', ...odd })
  })
  const { summary } = await run(Buffer.from(`${lines.join('\n')}\n`), port, { format: 'ndjson' })
  assert.equal(summary.lines, 1_000)
  assert.ok(sent.calls > 20)
})

test('for any bytes, all lines are accepted or rejected', async () => {
  const pieces = fc.oneof(
    fc.uint8Array({ maxLength: 30 }),
    fc
      .constantFrom(line('/a'), line('/b').slice(0, 50), '\n', '\r\n', '{"a":1}\n', '[{"b":', '\0\0', '"', 'é\n')
      .map((text) => Buffer.from(text)),
  )
  const property = fc.asyncProperty(fc.array(pieces, { maxLength: 20 }), fc.boolean(), async (all, isPacked) => {
    const bytes = Buffer.concat(all)
    const { port } = createImportStore()
    const { summary } = await run(isPacked ? gzipSync(bytes) : bytes, port, { format: 'combined' })
    const isArray = /^\s*\[\s*(?:\{|\]|$)/.test(bytes.toString('latin1'))
    const lines = bytes
      .toString('latin1')
      .split('\n')
      .filter((one) => one.replace(/\r$/, '') !== '').length
    const rejected = summary.rejected.reduce((sum, { count }) => sum + count, 0)
    assert.equal(summary.lines, summary.accepted + rejected)
    // Two first bytes of gzip make it packed, and broken.
    if (!isArray && summary.damage === undefined) assert.equal(summary.lines, lines)
  })
  await fc.assert(property, { numRuns: 300 })
})

test('readers behind a proxy keep their own addresses, where the lines have them', async () => {
  const { port, views } = createImportStore()
  const readers = ['203.0.113.1', '203.0.113.2', '2001:db8::3']
  const lines = readers.map((reader) => `${line('/a').trimEnd()} "198.51.100.66, ${reader}"\n`)
  const path = await write(lines.join(''))
  await run(path, port, { addressFrom: { kind: 'forwarded', hops: 1 } })
  assert.deepEqual(
    [...views.values()].map(({ address }) => address),
    readers,
  )
  const format = '[$time_local] "$request" $status "$http_user_agent" "$http_x_forwarded_for"'
  const named = createImportStore()
  const text = '[21/Nov/2026:10:00:00 +0000] "GET /a" 200 "x" "198.51.100.66, 203.0.113.1"\n'
  const { summary } = await run(await write(text), named.port, { format, addressFrom: { kind: 'forwarded', hops: 1 } })
  assert.equal(summary.format, 'nginx string')
  assert.deepEqual(
    [...named.views.values()].map(({ address }) => address),
    ['203.0.113.1'],
  )
  const other = await write('{"timestamp":"2026-11-20T09:00:00Z","path":"/a"}\n')
  await assert.rejects(
    run(other, port, { addressFrom: { kind: 'forwarded', hops: 1 } }),
    /the format ndjson, which has no X-Forwarded-For for --address-from/,
  )
})
