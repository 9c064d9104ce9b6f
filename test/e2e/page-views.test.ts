// Page views from servers and logs over HTTP, with a key: batches, imports, and what hostile callers try.

import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { after, before, test } from 'node:test'
import { type Collecting, origin, startCollecting, view } from '../support/collecting.ts'

let t: Collecting
before(async () => {
  t = await startCollecting({ DOCENT_TRUSTED_PROXIES: '1', DOCENT_COLLECTS_PER_MINUTE: '50' })
})
after(() => t.close())

test('a batch stores its good page views and names the bad ones', async () => {
  const place = await t.makePlace()
  const month = 31 * 86_400_000
  const { status, body } = await t.record(place, [
    view(),
    null,
    view({ timestamp: Date.now() + 10 * 60_000 }),
    view({ timestamp: Date.now() - 30 * month }),
    view({ timestamp: '2026-02-30T00:00:00Z' }),
    view({ url: 'https://evil.example/a' }),
    view({ url: `${origin}/logo.svg` }),
    view({ method: 'POST' }),
    view({ status: 301 }),
    view({ status: 500 }),
    view({ status: 304, url: undefined, path: '/alone' }),
    view({ timestamp: Date.now() + 4 * 60_000 }),
  ])
  assert.equal(status, 202)
  assert.equal(body.accepted, 3)
  assert.deepEqual(
    body.rejected?.map(({ index, reason }) => [index, reason]),
    [
      [1, 'invalid'],
      [2, 'in_future'],
      [3, 'too_old'],
      [4, 'invalid'],
      [5, 'foreign_host'],
      [6, 'not_a_page'],
      [7, 'method'],
      [8, 'status'],
      [9, 'status'],
    ],
  )
})

test('lines of JSON, and gzip, are taken; a bad line is one bad page view', async () => {
  const place = await t.makePlace()
  const lines = `${JSON.stringify(view())}\r\n\n{"bro\n${JSON.stringify(view({ path: '/b', url: undefined }))}`
  const type = { 'Content-Type': 'application/x-ndjson; charset=utf-8' }
  const plain = await t.record(place, lines, type)
  assert.deepEqual([plain.body.accepted, plain.body.rejected?.map(({ index }) => index)], [2, [1]])
  const packed = await t.record(place, gzipSync(lines), { ...type, 'Content-Encoding': 'gzip' })
  assert.equal(packed.body.accepted, 2)
})

test('hostile batches are refused whole, each with its status', async () => {
  const place = await t.makePlace()
  const many = Array.from({ length: 1_001 }, () => view())
  const gzip = { 'Content-Encoding': 'gzip' }
  const cases: readonly (readonly [unknown, Readonly<Record<string, string>>, number, string])[] = [
    ['{"a":1}', {}, 400, 'invalid_input'],
    ['[', {}, 400, 'invalid_input'],
    [Buffer.from([0xff, 0xfe]), {}, 400, 'invalid_input'],
    [many, {}, 400, 'invalid_input'],
    ['x'.repeat(5 * 1024 * 1024 + 1), {}, 413, 'payload_too_large'],
    [gzipSync(Buffer.alloc(5 * 1024 * 1024 + 1)), gzip, 413, 'payload_too_large'],
    ['not gzip', gzip, 400, 'invalid_input'],
    ['[]', { 'Content-Type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['[]', { 'Content-Encoding': 'br' }, 415, 'unsupported_media_type'],
  ]
  for (const [body, headers, status, code] of cases) {
    const answer = await t.record(place, body, headers)
    assert.deepEqual([answer.status, answer.body.code], [status, code])
  }
  assert.deepEqual((await t.record(place, [])).body, { accepted: 0, rejected: [] })
})

test('page views need a key that may write, of this project', async () => {
  const place = await t.makePlace()
  const path = `${t.address}/v1/analytics/${place.projectId}/page-views`
  const send = async (Authorization?: string) =>
    (
      await fetch(path, {
        method: 'POST',
        body: '[]',
        headers: { 'Content-Type': 'application/json', ...(Authorization ? { Authorization } : {}) },
      })
    ).status
  const make = async (body: object) =>
    (await t.asAdmin<{ key: string }>('POST', '/v1/keys', { name: 'k', ...body })).key
  assert.equal(await send(), 401)
  assert.equal(await send(`Bearer ${await make({ scope: 'read' })}`), 403)
  assert.equal(await send(`Bearer ${t.service.client.key}`), 404)
  assert.equal(await send(`Bearer ${await make({ scope: 'write' })}`), 202)
})

test('trap: 404s count for broken pages only, files for downloads only', async () => {
  const place = await t.makePlace()
  const file = (name: string, more = {}) => view({ url: `${origin}${name}`, ...more })
  const sent = [
    file('/gone', { status: 404 }),
    file('/app.jar', { status: 404 }),
    file('/app.zip'),
    file('/healthz'),
    view(),
  ]
  const { rejected } = (await t.record(place, sent)).body
  assert.deepEqual(
    (await t.views(place)).views.map(({ path }) => path),
    ['/a'],
  )
  const broken = await t.asAdmin<{ brokenPages: readonly { path: string; human: number; total: number }[] }>(
    'GET',
    `/v1/analytics/${place.projectId}/broken-pages`,
  )
  assert.deepEqual(
    broken.brokenPages.map(({ path, total }) => [path, total]),
    [['/gone', 1]],
  )
  assert.deepEqual(
    rejected?.map(({ index, reason }) => [index, reason]),
    [
      [1, 'not_a_page'],
      [3, 'health_check'],
    ],
  )
  const { downloads } = await t.asAdmin<{ downloads: readonly object[] }>(
    'GET',
    `/v1/analytics/${place.projectId}/downloads`,
  )
  assert.deepEqual(downloads, [{ path: '/app.zip', human: 1, ai: 0, neither: 0, total: 1 }])
})

test('an import counts what it stored, and continues from its position', async () => {
  const place = await t.makePlace()
  const imports = `/v1/analytics/${place.projectId}/imports`
  const file = { name: 'access.log', format: 'combined', fingerprint: 'sha256:1' }
  const opened = await t.asAdmin<{ id: string; position: number }>('POST', imports, file)
  assert.equal(opened.position, 0)
  const old = Date.now() - 200 * 86_400_000
  const { status } = await t.record(place, [view({ timestamp: old }), null], {}, `?import=${opened.id}&position=4096`)
  assert.equal(status, 202)
  const again = await t.asAdmin<{ id: string; position: number; accepted: number; rejected: number }>(
    'POST',
    imports,
    file,
  )
  assert.deepEqual([again.id, again.position, again.accepted, again.rejected], [opened.id, 4096, 1, 1])
  await t.record(place, [view({ timestamp: old, url: `${origin}/b` })], {}, `?import=${opened.id}&position=5000`)
  assert.deepEqual((await t.visitors(place)).totals, { human: 1, ai: 0, total: 1 })
  const finished = await t.asAdmin<{ finishedAt: string | null }>('POST', `${imports}/${opened.id}/finish`)
  assert.notEqual(finished.finishedAt, null)
  assert.equal((await t.record(place, [view()], {}, `?import=${opened.id}`)).status, 404)
  const next = await t.asAdmin<{ id: string }>('POST', imports, file)
  assert.notEqual(next.id, opened.id)
  await t.record(place, [view({ timestamp: old, url: `${origin}/c` })], {}, `?import=${next.id}`)
  assert.deepEqual((await t.visitors(place)).totals, { human: 2, ai: 0, total: 2 })
  assert.equal((await t.record(place, [view()], {}, `?import=${next.id}&position=x`)).status, 400)
  for (const none of ['', '%00', '__proto__', `${next.id}%00`]) {
    assert.equal((await t.record(place, [view()], {}, `?import=${none}`)).status, 404)
  }
})

test('imports open together share the visitors of old windows, later ones do not', async () => {
  const place = await t.makePlace()
  const imports = `/v1/analytics/${place.projectId}/imports`
  const open = (fingerprint: string, group?: string) =>
    t.asAdmin<{ id: string; group: string }>('POST', imports, { name: 'a.log', format: 'combined', fingerprint, group })
  const timestamp = Date.now() - 200 * 86_400_000
  const first = await open('sha256:1')
  const second = await open('sha256:2', first.group)
  const unnamed = await open('sha256:0')
  assert.deepEqual([first.group, second.group, unnamed.group], [first.id, first.id, first.id])
  await t.asAdmin('POST', `${imports}/${unnamed.id}/finish`)
  await t.record(place, [view({ timestamp })], {}, `?import=${first.id}`)
  await t.asAdmin('POST', `${imports}/${first.id}/finish`)
  await t.record(place, [view({ timestamp, path: '/b', url: undefined })], {}, `?import=${second.id}`)
  assert.deepEqual((await t.visitors(place)).totals, { human: 1, ai: 0, total: 1 })
  await t.asAdmin('POST', `${imports}/${second.id}/finish`)
  const third = await open('sha256:3', first.group)
  assert.equal(third.group, third.id)
  await t.record(place, [view({ timestamp, path: '/c', url: undefined })], {}, `?import=${third.id}`)
  assert.deepEqual((await t.visitors(place)).totals, { human: 2, ai: 0, total: 2 })
})

test('strict privacy stores a visitor of the day, and no referring site', async () => {
  const day = 86_400_000
  const sent = { visitorId: 'ada', referrer: 'https://www.example.org/list', address: undefined }
  const views = [
    view({ ...sent, timestamp: Date.now() - day }),
    view(sent),
    view({ ...sent, url: `${origin}/b`, headers: { accept: 'text/html' } }),
  ]
  const read = async (settings: object) => {
    const place = await t.makePlace({}, settings)
    assert.equal((await t.record(place, views)).body.accepted, 3)
    const path = `/v1/analytics/${place.projectId}/page-views?visitorIds=true`
    const lines = (await t.asOperator('GET', path)).body.trim().split('\n')
    return lines.map((line) => JSON.parse(line) as { visitor: string; referrer: string | null; path: string })
  }
  const [usual, strict] = [await read({}), await read({ privacy: 'strict' })]
  assert.deepEqual([...new Set(usual.map(({ referrer }) => referrer))], ['www.example.org'])
  assert.deepEqual([...new Set(strict.map(({ referrer }) => referrer))], [null])
  const visitors = (rows: typeof usual) => new Set(rows.map(({ visitor }) => visitor)).size
  assert.deepEqual([visitors(usual), visitors(strict)], [1, 2])
})

test('a shared link gets no referring sites of fewer than five visitors', async () => {
  const place = await t.makePlace()
  const from = (host: string, visitors: number) =>
    Array.from({ length: visitors }, (_, at) =>
      view({ visitorId: `${host} ${at}`, referrer: `https://${host}/`, url: `${origin}/${host}` }),
    )
  await t.record(place, [...from('four.example', 4), ...from('five.example', 5)])
  const shares = `/v1/projects/${place.projectId}/shares`
  const { link } = await t.asAdmin<{ link: string }>('POST', shares, { name: 'Team' })
  const [, token = ''] = link.split('#')
  const get = async (name: string) => {
    const headers = { Authorization: `Bearer ${token}` }
    const response = await fetch(`${t.address}/v1/analytics/${place.projectId}/${name}`, { headers })
    return response.status === 200 ? response.text() : response.status
  }
  assert.equal(await get('referrers.csv'), 'referrer,visitors\r\nfive.example,5\r\n')
  const page = JSON.parse(String(await get('referrers?limit=1'))) as { hasMore: boolean }
  assert.equal(page.hasMore, false)
  assert.match(String(await get('visitors.csv')), /\/four\.example,4,0,4/)
  assert.equal(await get('referrers.csv?path=/four.example'), 'referrer,visitors\r\n')
  assert.equal(await get('visitors?referrer=four.example'), 403)
  for (const closed of ['page-views', 'broken-pages/links?path=/a']) assert.equal(await get(closed), 403, closed)
})
