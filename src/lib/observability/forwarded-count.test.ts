import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createForwardedCount, describeForwarded } from './forwarded-count.ts'

/** `requests` requests over `addresses` addresses; every one carries one of `forwarded`, or only some do. */
function count(requests: number, addresses: number, { forwarded = 0, every = 1 } = {}) {
  const counted = createForwardedCount()
  for (let n = 0; n < requests; n += 1) {
    counted.add(
      `192.0.2.${n % addresses}`,
      forwarded > 0 && n % every === 0 ? `198.51.100.${n % forwarded}` : undefined,
    )
  }
  return counted.find()
}

test('few addresses that carry many others are found, with both counts', () => {
  assert.deepEqual(count(20, 1, { forwarded: 2 }), { addresses: 1, forwarded: 2, requests: 20, of: 20 })
  assert.deepEqual(count(100, 4, { forwarded: 60 }), { addresses: 4, forwarded: 60, requests: 100, of: 100 })
  assert.equal(count(19, 1, { forwarded: 2 }), undefined, 'too few requests')
  assert.equal(count(100, 1), undefined, 'nothing is forwarded')
  assert.equal(count(100, 1, { forwarded: 60, every: 2 }), undefined, 'half of them')
  assert.equal(count(100, 31, { forwarded: 60 }), undefined, 'nearly as many addresses')
  assert.equal(count(100, 1, { forwarded: 1 }), undefined, 'one reader behind one proxy')
})

test('the sentence has both counts', () => {
  const use = { addresses: 40, forwarded: 6_000, requests: 9_812, of: 10_020 }
  const text = '9,812 of 10,020 lines came from 40 addresses and carry 6,000 forwarded ones'
  assert.equal(describeForwarded(use, 'lines'), text)
  assert.match(describeForwarded({ ...use, addresses: 1 }, 'lines'), / came from 1 address and carry /)
})
