import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RawPageView } from '../page-view.ts'
import { admit, type AdmissionRules } from './admit.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const rules: AdmissionRules = {
  keptSince: now - 86_400_000,
  now,
  hosts: new Set(['docs.example.com', 'private.example.com']),
  hostsWithOptOut: new Set(['private.example.com']),
}
const view: RawPageView = {
  id: undefined,
  time: now,
  source: 'server',
  siteId: undefined,
  scheme: 'https',
  host: 'docs.example.com',
  path: '/guide',
  userAgent: '',
  address: undefined,
  visitorId: undefined,
  referrer: undefined,
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
  ]
  for (const [change, expected] of table) {
    const admitted = admit({ ...view, ...change }, rules)
    assert.equal('page' in admitted ? admitted.page.path : admitted.dropped, expected, JSON.stringify(change))
  }
  const anywhere = admit({ ...view, host: 'example.org' }, { ...rules, hosts: new Set() })
  assert.ok('page' in anywhere, 'a project without sites takes any host')
})
