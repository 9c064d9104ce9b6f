import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RawPageView } from '../page-view.ts'
import { admit, type AdmissionRules } from './admit.ts'
import { fileKindOf } from './target/file-kind.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const rules: AdmissionRules = {
  keptSince: now - 86_400_000,
  now,
  hosts: new Set(['docs.example.com', 'private.example.com']),
  privacy: 'standard' as const,
  hostsWithOptOut: new Set(['private.example.com']),
}
const view: RawPageView = {
  id: undefined,
  lineId: undefined,
  sameAs: [],
  time: now,
  source: 'server',
  siteId: undefined,
  scheme: 'https',
  host: 'docs.example.com',
  path: '/guide',
  query: '',
  title: undefined,
  country: undefined,
  userAgent: '',
  address: undefined,
  visitorId: undefined,
  referrer: undefined,
  referrerPath: undefined,
  representation: undefined,
  method: undefined,
  status: undefined,
  optedOut: false,
  signals: {},
}

test('a page view counts or is dropped for the first reason against it', () => {
  const table: readonly (readonly [Partial<RawPageView>, string])[] = [
    [{}, '/guide'],
    [{ time: now - 86_400_000 }, '/guide'],
    [{ time: now - 86_400_001 }, 'too_old'],
    [{ time: now + 300_000 }, '/guide'],
    [{ time: now + 300_001 }, 'in_future'],
    [{ host: undefined }, '/guide'],
    [{ host: 'example.org' }, 'foreign_host'],
    [{ optedOut: true }, '/guide'],
    [{ optedOut: true, host: 'private.example.com' }, 'opted_out'],
    [{ optedOut: true, host: undefined }, 'opted_out'],
    [{ signals: { purpose: 'prefetch' }, path: '/a.css' }, 'prefetch'],
    [{ method: 'POST', path: '/a.css' }, 'method'],
    [{ status: 500, path: '/a.css' }, 'status'],
    [{ path: '/a.css' }, 'not_a_page'],
    [{ path: '/a.css', source: 'browser' }, '/a.css'],
    [{ path: '/llms.txt' }, '/llms.txt'],
    [{ path: '/healthz', status: 404 }, 'health_check'],
    [{ path: '/health' }, '/health'],
    [{ path: '/healthz', source: 'browser' }, '/healthz'],
    [{ userAgent: 'kube-probe/1.33' }, 'health_check'],
    [{ userAgent: 'ELB-HealthChecker/2.0', path: '/' }, 'health_check'],
    [{ userAgent: 'GoogleHC/1.0' }, 'health_check'],
    [{ userAgent: 'Amazon-Route53-Health-Check-Service (ref 1; report http://amzn.to/1vsZADi)' }, 'health_check'],
    [{ userAgent: 'Mozilla/5.0 HealthyReader/1.0' }, '/guide'],
    [{ signals: { 'x-moz': 'prefetch' } }, 'prefetch'],
    [{ signals: { 'sec-purpose': 'prefetch;prerender' } }, 'prefetch'],
    [{ path: '/app.jar', status: 404 }, 'not_a_page'],
    [{ path: '/docs/node.js' }, 'not_a_page'],
    [{ path: '/docs/node.js', representation: 'html' }, '/docs/node.js'],
    [{ path: '/docs/node.js', representation: 'html', signals: { 'sec-fetch-dest': 'document' } }, '/docs/node.js'],
    [{ path: '/old/chunk.js', representation: 'html', signals: { 'sec-fetch-dest': 'script' } }, 'not_a_page'],
    [{ path: '/docs/node.js', representation: 'html', status: 404 }, 'not_a_page'],
    [{ path: '/_next/data/a.json', representation: 'html' }, 'not_a_page'],
    [{ path: '/config/package.json', representation: 'markdown' }, '/config/package.json'],
    [{ path: '/.well-known/llms.txt' }, '/.well-known/llms.txt'],
    [{ path: '/.well-known/security.txt' }, 'not_a_page'],
    [{ path: '/guide.markdown' }, '/guide'],
  ]
  for (const [change, expected] of table) {
    const admitted = admit({ ...view, ...change }, rules)
    assert.equal('page' in admitted ? admitted.page.path : admitted.dropped, expected, JSON.stringify(change))
  }
  const anywhere = admit({ ...view, host: 'example.org' }, { ...rules, hosts: new Set() })
  assert.ok('page' in anywhere, 'a project without sites takes any host')
})

test('a path is a page, a download or an asset by the end of its name', () => {
  const table = {
    download: [
      '/app.jar',
      '/setup.exe',
      '/a.deb',
      '/a.dmg',
      '/a.zip',
      '/a.whl',
      '/a.py',
      '/a.log',
      '/a.tar.gz',
      '/A.ZIP',
      '/guide.pdf',
      '/a.tgz?x=1',
      '/install.sh',
      '/a.msi',
      '/sums.sha256',
      '/a.7z',
      '/a.docx',
    ],
    asset: ['/a.css', '/a.js.gz', '/sitemap.xml.gz', '/a.png', '/robots.txt', '/_next/static/a.zip', '/openapi.yaml'],
    page: ['/', '/guide', '/guide.html', '/_modules/setup.py.html', '/v1.2', '/jar', '/zip/', '/llms.txt', '/asp.net'],
  } as const
  for (const [kind, paths] of Object.entries(table)) {
    for (const path of paths) assert.equal(fileKindOf(path), kind, path)
  }
  const isDownload = (change: Partial<RawPageView>) => {
    const admitted = admit({ ...view, ...change }, rules)
    return 'page' in admitted && admitted.page.isDownload
  }
  assert.equal(isDownload({ path: '/app.jar' }), true)
  assert.equal(isDownload({ path: '/app.jar', source: 'browser' }), false)
  assert.equal(isDownload({ path: '/guide' }), false)
  assert.equal(isDownload({ path: '/api/console.log', representation: 'html' }), false)
  assert.equal(isDownload({ path: '/api/console.log' }), true)
})

test('the referring page of a 404 is kept if it is of the project, in normal form', () => {
  for (const [referrer, path, expected] of [
    [undefined, '/Guide/./start.html', '/Guide/start'],
    ['private.example.com', '/start/index.md', '/start'],
    ['example.org', '/start', ''],
    ['docs.example.com', undefined, ''],
    [undefined, `/${'a'.repeat(2_048)}`, ''],
  ] as const) {
    const result = admit({ ...view, status: 404, referrer, referrerPath: path }, rules)
    assert.equal('page' in result && result.page.referrerPath, expected, String(path))
  }
  const noSites = admit({ ...view, referrer: 'example.org', referrerPath: '/a' }, { ...rules, hosts: new Set() })
  assert.equal('page' in noSites && noSites.page.referrerPath, '')
})
