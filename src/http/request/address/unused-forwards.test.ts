import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { createClientAddress } from './client-address.ts'
import { createUnusedForwards } from './unused-forwards.ts'

function open() {
  const lines: Record<string, unknown>[] = []
  const clock = createManualClock()
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) })
  return { lines, clock, forwards: createUnusedForwards({ log, clock }) }
}

test('a forwarded address that is not used is counted, and logged once a day', async () => {
  const { lines, clock, forwards } = open()
  const addressOf = createClientAddress({ hops: 0 }, forwards)
  for (const forwardedFor of ['192.0.2.1', '192.0.2.2', '192.0.2.2', 'x, [2001:db8::1]:80']) {
    assert.equal(addressOf({ peer: '::ffff:10.0.0.1', forwardedFor }), '10.0.0.1')
  }
  assert.deepEqual(forwards.counts(), { requests: 4, peers: 1, clients: 3, examples: ['10.0.0.1'] })
  assert.deepEqual(lines, [
    {
      level: 40,
      forwarded: { requests: 1, peers: 1, clients: 1, examples: ['10.0.0.1'] },
      msg: 'requests carry X-Forwarded-For, which is not used: if they come from your proxy, set DOCENT_TRUSTED_PROXIES',
    },
  ])
  await clock.pass(86_399_999)
  addressOf({ peer: '10.0.0.1', forwardedFor: '192.0.2.1' })
  assert.equal(lines.length, 1)
  await clock.pass(1)
  addressOf({ peer: '10.0.0.2', forwardedFor: '192.0.2.1' })
  assert.partialDeepStrictEqual(lines[1], { forwarded: { requests: 6, peers: 2, clients: 3 } })
})

test('a header that is used, missing or no address is not', () => {
  const { lines, forwards } = open()
  createClientAddress({ hops: 1 }, forwards)({ peer: '10.0.0.1', forwardedFor: '192.0.2.1' })
  createClientAddress({ networks: ['10.0.0.0/8'] }, forwards)({ peer: '10.0.0.1', forwardedFor: '192.0.2.1' })
  const untrusted = createClientAddress({ networks: ['10.0.0.0/8'] }, forwards)
  for (const forwardedFor of [undefined, '', 'unknown', '<script>']) untrusted({ peer: '192.0.2.9', forwardedFor })
  untrusted({ peer: undefined, forwardedFor: '192.0.2.1' })
  assert.deepEqual([forwards.counts().requests, lines], [0, []])
})

test('a stranger who sends many addresses uses little memory', () => {
  const { lines, forwards } = open()
  for (let n = 0; n < 20_000; n += 1) forwards.note(`peer ${n}`, `client ${n}`)
  assert.partialDeepStrictEqual(forwards.counts(), { requests: 20_000, peers: 1_000, clients: 10_000 })
  assert.equal(lines.length, 1)
})
