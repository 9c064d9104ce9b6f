import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sitesByHost } from './own-hosts.ts'

test('a host is of a site if no other site has it', () => {
  const sites = [
    {
      id: 'site_a',
      origins: ['https://docs.example.com', 'https://docs.example.com:8443', 'https://shared.example.com'],
    },
    { id: 'site_b', origins: ['https://API.example.com', 'http://shared.example.com'] },
  ]
  assert.deepEqual(Object.fromEntries(sitesByHost(sites)), {
    'docs.example.com': 'site_a',
    'api.example.com': 'site_b',
  })
})
