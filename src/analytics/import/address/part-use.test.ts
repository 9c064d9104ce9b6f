import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createImportStore, line, run } from '../../../../test/support/import-store.ts'
import type { WirePageView } from '../wire-page-view.ts'
import { createAddressUse } from './address-use.ts'
import { createPartUse } from './part-use.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36'
const googlebot = `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`

const request = (n: number, path: string, more: Partial<WirePageView> = {}): WirePageView => {
  return { timestamp: 1, address: `192.0.2.${n}`, userAgent: chrome, path, ...more }
}

/** `loaders` readers that request a part after their page, and `others` with two pages. */
function shareOf(loaders: number, others: number, { part = '/a.css?v=1', most = 1_000, second = {} } = {}) {
  const use = createPartUse(most)
  for (let n = 0; n < loaders + others; n += 1) {
    use.addPage(request(n, '/a'))
    if (n < loaders) use.addOther(request(n, part))
    else use.addPage(request(n, '/b', second))
  }
  return use.find()
}

test('readers that request no part of a page are a share of those with a browser', () => {
  assert.deepEqual(shareOf(20, 5), { pageViews: 10, of: 30, readers: 5, ofReaders: 25 })
  assert.equal(shareOf(25, 0), undefined)
  assert.equal(shareOf(19, 6), undefined, 'too few: the log probably leaves parts out')
  for (const part of ['/robots.txt', '/sitemap.xml', '/data.json', '/a.css.map', '/guide']) {
    assert.equal(shareOf(20, 5, { part }), undefined, part)
  }
  for (const part of ['https://x.example/b/a.mjs', '/A.PNG', '/f.woff2', '/favicon.ico']) {
    assert.equal(shareOf(20, 5, { part })?.readers, 5, part)
  }
  assert.equal(shareOf(20, 5, { most: 22 })?.readers, 2, 'memory is bounded')
})

test('readers that send a referrer, or have the page already, are people with a cache', () => {
  for (const second of [{ referrer: 'https://docs.example.com/a' }, { status: 304 }]) {
    assert.equal(shareOf(20, 5, { second }), undefined)
  }
  assert.equal(shareOf(20, 5, { second: { status: 200, referrer: '' } })?.readers, 5)
  assert.equal(shareOf(20, 5, { second: { status: 404 } })?.pageViews, 5)
  assert.equal(shareOf(20, 5, { second: { path: '/b.md' } })?.pageViews, 5)
})

test('a reader is an address with the user agent of a browser that names no program', () => {
  const use = createPartUse()
  const cursor = `${chrome} Cursor/1.2.3 Electron/37.7.0`
  for (let n = 0; n < 20; n += 1) {
    use.addOther(request(n, '/a.js'))
    use.addPage(request(n, '/a'))
    use.addPage(request(n, '/a', { userAgent: `${chrome} Edg/144.0.0.0` }))
    for (const userAgent of [googlebot, cursor, 'curl/8.14.1', '', 'Mozilla/5.0', undefined]) {
      use.addPage(request(n, '/a', { userAgent }))
    }
    use.addPage(request(n, '/a', { address: undefined }))
  }
  assert.deepEqual(use.find(), { pageViews: 20, of: 40, readers: 20, ofReaders: 40 })
})

test('the share is known for each day of the project, also where it is nothing', () => {
  const use = createPartUse()
  const midnight = Date.parse('2026-11-20T23:00:00Z')
  use.begin('Europe/Berlin')
  for (let n = 0; n < 20; n += 1) {
    use.addOther(request(n, '/a.css'))
    use.addPage(request(n, '/a', { timestamp: midnight - 86_400_000 }))
    use.addPage(request(n, '/a', { timestamp: new Date(midnight).toISOString() }))
  }
  use.addPage(request(99, '/a', { timestamp: midnight - 1 }))
  use.addPage(request(99, '/b', { timestamp: midnight + 3 * 86_400_000 }))
  assert.deepEqual(use.days(), [
    { day: '2026-11-20', pageViews: 1, of: 21 },
    { day: '2026-11-21', pageViews: 0, of: 20 },
    { day: '2026-11-24', pageViews: 1, of: 1 },
  ])
  assert.deepEqual(createPartUse().days(), [])
})

test('in a zone that a browser does not know, days are those of UTC', () => {
  const use = createPartUse()
  use.begin('Mars/Olympus')
  for (let n = 0; n < 20; n += 1) {
    use.addOther(request(n, '/a.css'))
    use.addPage(request(n, '/a'))
  }
  assert.deepEqual(use.days(), [{ day: '1970-01-01', pageViews: 0, of: 20 }])
})

test('an import says which share of page views of browsers is probably automated', async () => {
  const of = (path: string, address: string) => line(path).replace('192.0.2.1', address).replace('"x"', `"${chrome}"`)
  const people = Array.from(
    { length: 20 },
    (_, n) => `${of('/a', `198.51.100.${n}`)}${of('/a.css', `198.51.100.${n}`)}`,
  )
  const programs = Array.from({ length: 10 }, (_, n) => of(`/${n}`, '203.0.113.5'))
  const addresses = createAddressUse(undefined)
  const store = createImportStore()
  const { finish } = await run(Buffer.from([...people, ...programs].join('')), store.port, { addresses })
  await finish()
  assert.deepEqual(store.automated, [{ day: '2026-11-21', pageViews: 10, of: 30 }])
  const [found, ...others] = addresses.hints()
  const { text = '', ...hint } = found ?? {}
  const share = { pageViews: 10, of: 30, readers: 1, ofReaders: 21 }
  assert.deepEqual([hint, others], [{ kind: 'probably_automated', ...share }, []])
  assert.match(
    text,
    /^Probably automated: 10 of 30 page views with the user agent of a browser \(33 %\), from 1 of 21 readers/,
  )
})

test('nothing is kept of days whose addresses are those of proxies', () => {
  const daysOf = (forwarded: (n: number) => string | undefined) => {
    const addresses = createAddressUse(undefined)
    addresses.begin({ format: 'combined', linesHaveForwarded: true }, 'UTC')
    for (let n = 0; n < 500; n += 1) {
      addresses.seeOther(request(n % 25, '/a.css'))
      addresses.add(`192.0.2.${n % 25}`, forwarded(n), request(n % 25, '/a'))
    }
    return addresses.automatedDays().length
  }
  assert.equal(
    daysOf(() => undefined),
    1,
  )
  assert.equal(
    daysOf((n) => `10.1.${n >> 8}.${n & 255}`),
    0,
  )
})
