import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCountryHeader } from './country-header.ts'

test('a country counts from a trusted proxy only, in the header that is named', () => {
  const networks = ['203.0.113.0/24']
  const countryOf = createCountryHeader({ trustedProxies: { networks }, countryHeader: 'CF-IPCountry' })
  const headers = { 'cf-ipcountry': 'de', 'x-vercel-ip-country': 'FR' }
  assert.equal(countryOf({ peer: '203.0.113.7', headers }), 'DE')
  assert.equal(countryOf({ peer: '::ffff:203.0.113.7', headers }), 'DE')
  assert.equal(countryOf({ peer: '192.0.2.1', headers }), undefined)
  for (const value of ['XX', 'T1', 'Germany', ['DE'], undefined]) {
    assert.equal(countryOf({ peer: '203.0.113.7', headers: { 'cf-ipcountry': value } }), undefined, String(value))
  }
  const unnamed = createCountryHeader({ trustedProxies: { networks }, countryHeader: undefined })
  assert.equal(unnamed({ peer: '203.0.113.7', headers }), undefined)
})
