import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultParseSearch } from '@tanstack/react-router'
import { readLedgerFilter, stringifySearch } from './address.ts'

test('an address with an unknown filter shows everything', () => {
  assert.deepEqual(readLedgerFilter({ source: 'api', state: 'set_aside' }), { source: 'api', state: 'set_aside' })
  assert.deepEqual(readLedgerFilter({ source: 5, state: 'lost' }), {})
  assert.deepEqual(readLedgerFilter({ from: 'v1', to: 'v2' }), {})
  const range = { source: 'api', from: 'v1.1', to: 'v1.2' }
  assert.deepEqual(readLedgerFilter(range), range)
  assert.deepEqual(readLedgerFilter({ ...range, to: {} }), { source: 'api', from: 'v1.1' })
})

test('several texts are a repeated parameter, and the router reads what is written', () => {
  assert.equal(stringifySearch({ section: ['/a', '/b'], list: 'agents' }), '?section=%2Fa&section=%2Fb&list=agents')
  assert.equal(stringifySearch({ section: ['/a'] }), '?section=%2Fa')
  assert.equal(stringifySearch({ agent: [], from: undefined }), '')
  for (const text of ['1e3', '{"a":1}', '007', 'true', '"x"', 'a&b=c', 'null']) {
    const { agent } = defaultParseSearch(stringifySearch({ agent: [text] })) as { agent: unknown }
    assert.equal(agent, text)
  }
  assert.deepEqual(
    { ...defaultParseSearch(stringifySearch({ agent: ['1e3', '{"a":1}'] })) },
    { agent: ['1e3', '{"a":1}'] },
  )
  const other = { page: 2, table: true, search: '12' }
  assert.deepEqual({ ...defaultParseSearch(stringifySearch(other)) }, other)
})
