import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkForwards } from './forwards.ts'

test('a proxy that is not trusted is named, with both counts', () => {
  assert.equal(checkForwards({ requests: 0, peers: 0, clients: 0, examples: [] }).state, 'ok')
  const finding = checkForwards({ requests: 6_100, peers: 1, clients: 6_000, examples: ['10.0.0.1'] })
  assert.equal(finding.state, 'warning')
  assert.match(finding.says, /^6,100 requests from 1 address \(10\.0\.0\.1\) came for 6,000 forwarded addresses,/)
  const many = checkForwards({ requests: 1, peers: 4, clients: 1, examples: ['::1', '::2', '::3'] })
  assert.match(many.says, /^1 request from 4 addresses \(::1, ::2, ::3, …\) came for 1 forwarded address,/)
})
