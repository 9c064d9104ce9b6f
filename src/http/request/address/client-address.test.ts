import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TrustedProxies } from '../../../lib/network.ts'
import { createClientAddress } from './client-address.ts'

const ignored = { note: () => undefined, see: () => undefined }

test('the rightmost address that no trusted proxy vouches for is the client', () => {
  const private4 = { networks: ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'] }
  const table: [TrustedProxies, string | undefined, string | undefined, string | undefined][] = [
    [{ hops: 0 }, '203.0.113.9', undefined, '203.0.113.9'],
    [{ hops: 0 }, '203.0.113.9', '1.1.1.1', '203.0.113.9'],
    [{ hops: 1 }, '10.0.0.1', '1.1.1.1', '1.1.1.1'],
    [{ hops: 1 }, '10.0.0.1', 'forged, 1.1.1.1', '1.1.1.1'],
    [{ hops: 1 }, '10.0.0.1', '2.2.2.2, 1.1.1.1', '1.1.1.1'],
    [{ hops: 2 }, '10.0.0.1', '2.2.2.2, 1.1.1.1', '2.2.2.2'],
    [{ hops: 3 }, '10.0.0.1', '1.1.1.1', '1.1.1.1'],
    [{ hops: 1 }, '10.0.0.1', undefined, '10.0.0.1'],
    [{ hops: 1 }, '10.0.0.1', 'unknown', '10.0.0.1'],
    [{ hops: 1 }, '10.0.0.1', '<script>', '10.0.0.1'],
    [{ hops: 1 }, '10.0.0.1', '2.2.2.2, 1.1.1.1:4711', '1.1.1.1'],
    [{ hops: 2 }, '10.0.0.1', '[2001:db8::1]:4711, [2001:db8::2]', '2001:db8::1'],
    [{ hops: 1 }, '10.0.0.1', '1.1.1.1:x', '10.0.0.1'],
    [{ hops: 9 }, undefined, '1.1.1.1', undefined],
    [private4, '203.0.113.9', '1.1.1.1', '203.0.113.9'],
    [private4, '10.1.2.3', '2.2.2.2, 1.1.1.1, 10.9.9.9', '1.1.1.1'],
    [private4, '10.1.2.3', '10.1.1.1, 192.0.2.7', '10.1.1.1'],
    [private4, '192.0.2.8', '1.1.1.1', '192.0.2.8'],
    [private4, '::ffff:10.1.2.3', '::ffff:1.1.1.1', '1.1.1.1'],
    [private4, 'fd00::1', '2001:db8::1', '2001:db8::1'],
    [{ networks: [] }, '203.0.113.9', '1.1.1.1', '203.0.113.9'],
  ]
  for (const [trusted, peer, forwardedFor, expected] of table) {
    const actual = createClientAddress(trusted, ignored)({ peer, forwardedFor })
    assert.equal(actual, expected, JSON.stringify([trusted, peer, forwardedFor]))
  }
})
