// Page views from browsers over HTTP, without a key, and what hostile callers try.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { type Collecting, origin, type Place, type Sent, startCollecting, view } from '../support/collecting.ts'
import { writeMmdb } from '../support/mmdb.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

let t: Collecting
let folder: string
before(async () => {
  folder = await temporaryFolder('countries')
  const database = join(folder, 'country.mmdb')
  await writeFile(database, writeMmdb({ '203.0.113.0/24': 'FR' }))
  t = await startCollecting({
    DOCENT_TRUSTED_PROXIES: '1',
    DOCENT_COLLECTS_PER_MINUTE: '50',
    DOCENT_COUNTRY_HEADER: 'CF-IPCountry',
    DOCENT_COUNTRY_DATABASE: database,
  })
})
after(async () => {
  await t.close()
  await removeFolder(folder)
})

type Rows = { readonly rows: readonly { readonly value: string; readonly total: number }[] }
const breakdown = async ({ projectId }: Place, query: string) => {
  const { rows } = await t.asAdmin<Rows>('GET', `/v1/analytics/${projectId}/breakdown?${query}`)
  return Object.fromEntries(rows.map(({ value, total }) => [value, total]))
}

test('a page view has the country, language, campaign and title that were sent', async () => {
  const place = await t.makePlace()
  const url = `${origin}/a?utm_source=Newsletter&utm_campaign=launch&session=5`
  await t.report(place, {
    body: { url, title: 'Guide' },
    headers: { 'CF-IPCountry': 'DE', 'Accept-Language': 'de-AT,en;q=0.5' },
  })
  const read = { url: `${origin}/b?ref=hn`, headers: { 'accept-language': 'en-GB' } }
  const byPath = view({ url: undefined, path: '/a', address: '198.51.100.9', country: 'us' })
  await t.record(place, [view({ ...read, address: '203.0.113.7' }), byPath])
  assert.deepEqual(await breakdown(place, 'by=country'), { DE: 1, FR: 1, US: 1 })
  assert.deepEqual(await breakdown(place, 'by=language'), { '': 1, de: 1, en: 1 })
  assert.deepEqual(await breakdown(place, 'by=os'), { Linux: 3 })
  const campaign = 'utm_source=newsletter&utm_campaign=launch'
  assert.deepEqual(await breakdown(place, 'by=campaign'), { '': 1, [campaign]: 1, 'ref=hn': 1 })
  assert.deepEqual(await breakdown(place, 'by=title'), { '': 2, Guide: 1 })
  assert.deepEqual(await breakdown(place, 'by=entry'), { '/a': 2, '/b': 1 })
  assert.deepEqual(await breakdown(place, 'by=country&campaign=utm_campaign%3DLaunch'), { DE: 1 })
  assert.deepEqual(await breakdown(place, 'by=entry&country=unknown'), {})
  assert.deepEqual(await breakdown(place, 'by=site'), { [place.siteId]: 2, '': 1 })
})

test('a project keeps no dimension that it has switched off', async () => {
  const place = await t.makePlace({}, { dimensionsOff: ['country', 'os'] })
  const { projectId } = place
  await t.report(place, { headers: { 'CF-IPCountry': 'DE' } })
  assert.deepEqual(await breakdown(place, 'by=country'), { '': 1 })
  assert.deepEqual(await breakdown(place, 'by=os'), { '': 1 })
  assert.deepEqual(await breakdown(place, 'by=browser'), { Chrome: 1 })
  const from = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
  await t.asAdmin('POST', `/v1/analytics/${projectId}/reclassify`, { since: from })
  assert.deepEqual(await breakdown(place, 'by=os'), { '': 1 })
})

test('a page in a browser reports a view, and it is counted when the answer comes', async () => {
  const place = await t.makePlace()
  const answer = await t.report(place)
  assert.equal(answer.status, 202)
  assert.equal(answer.headers.get('Access-Control-Allow-Origin'), '*')
  assert.equal(answer.headers.get('Access-Control-Allow-Credentials'), null)
  assert.equal(answer.headers.get('Set-Cookie'), null)
  assert.deepEqual((await t.visitors(place)).totals, { human: 1, ai: 0, total: 1 })
})

test('a preflight is answered for anyone, without credentials', async () => {
  const { siteId } = await t.makePlace()
  const answer = await fetch(`${t.address}/v1/collect/${siteId}`, { method: 'OPTIONS' })
  assert.equal(answer.status, 204)
  assert.equal(answer.headers.get('Access-Control-Allow-Headers'), 'Content-Type')
  assert.equal(answer.headers.get('Access-Control-Allow-Credentials'), null)
})

test('trap: a foreign origin, a foreign host and an unknown site take no page views', async () => {
  const place = await t.makePlace()
  for (const foreign of ['https://evil.example', 'http://docs.example.com', 'null', `${origin}.evil.example`]) {
    assert.equal((await t.report(place, { headers: { Origin: foreign } })).status, 403, foreign)
  }
  assert.equal((await t.report(place, { body: { url: 'https://evil.example/a' } })).status, 403)
  for (const siteId of ['site_00000000000000000000', 'nonsense', 'site.1', '%00', '..%2f..%2fkeys']) {
    const answer = await t.report({ ...place, siteId })
    assert.equal(answer.status, 404, siteId)
    assert.equal(answer.headers.get('Access-Control-Allow-Origin'), '*')
  }
  assert.deepEqual((await t.visitors(place)).totals, { human: 0, ai: 0, total: 0 })
})

test('trap: an opt-out drops the view only on sites that honour it', async () => {
  const honest = await t.makePlace({ honoursOptOut: true })
  const other = await t.makePlace()
  for (const headers of [{ DNT: '1' }, { 'Sec-GPC': '1' }]) {
    assert.equal((await t.report(honest, { headers })).status, 204)
    assert.equal((await t.report(other, { headers })).status, 202)
  }
  assert.equal((await t.report(honest, { body: { url: `${origin}/a`, optOut: true } })).status, 204)
  assert.equal((await t.report(honest, { headers: { DNT: '0' } })).status, 202)
  const reported = [
    view({ headers: { DNT: '1' } }),
    view({ url: undefined, path: '/a', headers: { 'Sec-GPC': '1' } }),
    view({ address: '192.0.2.9', headers: { DNT: '0' } }),
  ]
  const { body } = await t.record(honest, reported)
  assert.deepEqual(
    body.rejected?.map(({ index, reason }) => [index, reason]),
    [
      [0, 'opted_out'],
      [1, 'opted_out'],
    ],
  )
  assert.equal((await t.record(other, reported)).body.accepted, 3)
  const strict = await t.makePlace({}, { privacy: 'strict' })
  assert.equal((await t.report(strict, { headers: { 'Sec-GPC': '1' } })).status, 204)
  assert.equal((await t.record(strict, reported)).body.accepted, 1)
  assert.deepEqual((await t.views(honest)).totals.total, 2)
})

test('trap: prefetched and prerendered pages are not page views', async () => {
  const place = await t.makePlace()
  for (const headers of [{ 'Sec-Purpose': 'prefetch;prerender' }, { Purpose: 'prefetch' }, { 'X-Moz': 'prefetch' }]) {
    assert.equal((await t.report(place, { headers })).status, 204)
  }
  const { body } = await t.record(place, [view({ headers: { 'Sec-Purpose': 'prefetch' } })])
  assert.deepEqual(
    body.rejected?.map(({ reason }) => reason),
    ['prefetch'],
  )
})

test('trap: forged X-Forwarded-For elements make no visitors', async () => {
  const place = await t.makePlace()
  for (const forged of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) await t.report(place, { address: `${forged}, 192.0.2.7` })
  const headers = {
    'X-Real-IP': '9.9.9.9',
    'CF-Connecting-IP': '8.8.8.8',
    'True-Client-IP': '7.7.7.7',
    Forwarded: 'for=6.6.6.6',
  }
  await t.report(place, { address: '192.0.2.7', headers })
  await t.report(place, { address: '::ffff:192.0.2.7' })
  assert.deepEqual((await t.visitors(place)).totals, { human: 1, ai: 0, total: 1 })
})

test('trap: addresses of one IPv6 network of 64 bits are one visitor', async () => {
  const place = await t.makePlace()
  for (const n of [1, 2, 3, 4, 5]) await t.report(place, { address: `2001:db8:0:1::${n}` })
  await t.report(place, { address: '2001:db8:0:2::1' })
  assert.deepEqual((await t.visitors(place)).totals, { human: 2, ai: 0, total: 2 })
})

test('trap: queries, fragments, credentials and spellings of one page are one path', async () => {
  const place = await t.makePlace()
  const spellings = ['/q', '/q/', '/q?token=secret', '/q#part', '/%71', '//q', '/x/../q', '/q.html', '/q/index.html']
  for (const path of spellings) assert.equal((await t.report(place, { body: { url: origin + path } })).status, 202)
  await t.report(place, { body: { url: 'https://user:secret@docs.example.com/q' } })
  assert.deepEqual((await t.views(place)).views, [{ path: '/q', human: 10, ai: 0, total: 10 }])
})

test('hostile bodies of the public endpoint are refused, each with its status', async () => {
  const place = await t.makePlace()
  const cases: readonly (readonly [Sent, number])[] = [
    [{ body: '{' }, 400],
    [{ body: '' }, 400],
    [{ body: '[]' }, 400],
    [{ body: 'null' }, 400],
    [{ body: '{"url":1}' }, 400],
    [{ body: { url: 'javascript:alert(1)' } }, 400],
    [{ body: { path: '/a' } }, 400],
    [{ body: { url: `${origin}/${'a'.repeat(3_000)}` } }, 400],
    [{ body: { url: `${origin}/a`, id: 'x'.repeat(201) } }, 400],
    [{ body: 'x'.repeat(40_000) }, 413],
    [{ headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 415],
    [{ headers: { 'Content-Encoding': 'br' } }, 415],
  ]
  for (const [sent, status] of cases) {
    const answer = await t.report(place, sent)
    assert.equal(answer.status, status, JSON.stringify(sent).slice(0, 60))
    assert.match(answer.headers.get('Content-Type') ?? '', /problem\+json/)
    assert.equal(answer.headers.get('Access-Control-Allow-Origin'), '*')
  }
  assert.equal((await t.views(place)).totals.total, 0)
})

test('a chunked body that is too long gets 413, and the connection stays open', async () => {
  const place = await t.makePlace()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { Origin: origin, 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' }
  for (const size of [60_000, 2_000_000, 40_000]) {
    const sent = request(`${t.address}/v1/collect/${place.siteId}`, { agent, method: 'POST', headers })
    const answered = once(sent, 'response')
    for (let left = size; left > 0; left -= 10_000) sent.write('x'.repeat(10_000))
    sent.end()
    const [response] = (await answered) as [IncomingMessage]
    assert.equal(response.statusCode, 413)
    await buffer(response)
  }
  agent.destroy()
})

test('a report gets the same response whether its body comes in one piece or in chunks', async () => {
  const place = await t.makePlace({ honoursOptOut: true })
  const url = `${origin}/same`
  const cases: readonly {
    readonly siteId?: string
    readonly headers?: Record<string, string>
    readonly body: string
  }[] = [
    { body: JSON.stringify({ url }) },
    { body: JSON.stringify({ url }), headers: { DNT: '1' } },
    { body: JSON.stringify({ url }), headers: { Origin: 'https://evil.example' } },
    { body: JSON.stringify({ url: 'https://evil.example/' }) },
    { body: JSON.stringify({ url }), siteId: 'site_00000000000000000000' },
    { body: '{' },
    { body: '[1]', headers: { 'Content-Type': 'application/json; charset=utf-8' } },
  ]
  const statuses: (number | undefined)[] = []
  for (const { siteId = place.siteId, headers = {}, body } of cases) {
    const ask = async (framing: Record<string, string>) => {
      const all = { Origin: origin, 'Content-Type': 'text/plain', 'User-Agent': 'x', ...headers, ...framing }
      const sent = request(`${t.address}/v1/collect/${siteId}`, { method: 'POST', headers: all }).end(body)
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      const { 'x-request-id': id = '', date: _date, ...others } = response.headers
      assert.match(String(id), /^req_[0-9a-z]{20}$/)
      const text = (await buffer(response)).toString().replaceAll(String(id), 'ID')
      return { status: response.statusCode, text, headers: withoutFraming(others) }
    }
    const whole = await ask({ 'Content-Length': String(Buffer.byteLength(body)) })
    assert.deepEqual(whole, await ask({ 'Transfer-Encoding': 'chunked' }))
    statuses.push(whole.status)
  }
  assert.deepEqual(statuses, [202, 204, 403, 403, 404, 400, 400])
})

function withoutFraming({
  'content-length': _length,
  'transfer-encoding': _encoding,
  ...others
}: IncomingMessage['headers']): object {
  return others
}

test('an address that reports too much waits, and others do not', async () => {
  const place = await t.makePlace()
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async () => (await t.report(place, { address: '198.51.100.1' })).status),
  )
  assert.equal(statuses.filter((status) => status === 202).length, 50)
  const refused = await t.report(place, { address: '198.51.100.1' })
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('Retry-After') ?? '', /^\d+$/)
  assert.equal((await t.report(place, { address: '198.51.100.2' })).status, 202)
})

test('trap: a page view sent again with its id counts once', async () => {
  const place = await t.makePlace()
  for (let n = 0; n < 3; n += 1) await t.report(place, { body: { url: `${origin}/b`, id: 'b-1' } })
  const batch = [view({ id: 's-1' }), view({ id: 's-2' }), view({ id: 's-1' })]
  for (let n = 0; n < 2; n += 1) assert.equal((await t.record(place, batch)).body.accepted, 3)
  assert.equal((await t.views(place)).totals.total, 3)
})

test('trap: fields that browsers may not send are accepted from servers', async () => {
  const place = await t.makePlace()
  for (const n of [1, 2, 3]) {
    await t.report(place, {
      body: { url: `${origin}/a`, address: `203.0.113.${n}`, userAgent: `Other/${n}`, visitorId: `${n}` },
    })
  }
  assert.deepEqual((await t.visitors(place)).totals, { human: 1, ai: 0, total: 1 })
  await t.record(
    place,
    [1, 2, 3].map((n) => view({ address: `203.0.113.${n}` })),
  )
  assert.deepEqual((await t.visitors(place)).totals, { human: 4, ai: 0, total: 4 })
  await t.record(
    place,
    [1, 1, 2].map((n) => view({ address: undefined, visitorId: `person-${n}` })),
  )
  await t.record(place, [view({ address: undefined }), view({ address: 'nonsense' })])
  assert.deepEqual((await t.visitors(place)).totals, { human: 6, ai: 0, total: 6 })
})
