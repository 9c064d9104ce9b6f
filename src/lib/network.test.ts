import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatNetwork, isWithinNetworks, parseNetwork } from './network.ts'

const normal = (text: string) => {
  const network = parseNetwork(text)
  return network === undefined ? undefined : formatNetwork(network)
}

test('networks have one normal form, and other texts are invalid', () => {
  const table: [string, string | undefined][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7/32', '192.0.2.7'],
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['255.255.255.255/1', '128.0.0.0/1'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::/0', '::/0'],
    ['::1', '::1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:0207', '192.0.2.7'],
    ['::ffff:192.0.2.7/120', '192.0.2.0/24'],
    ['::ffff:192.0.2.7/95', '::fffe:0:0/95'],
    ['', undefined],
    ['192.0.2', undefined],
    ['192.0.2.256', undefined],
    ['192.0.2.7/33', undefined],
    ['192.0.2.7/-1', undefined],
    ['192.0.2.7/1e1', undefined],
    ['192.0.2.7/', undefined],
    ['192.0.2.0/24/24', undefined],
    ['::1/129', undefined],
    ['fe80::1%eth0', undefined],
    ['[::1]', undefined],
    ['example.com', undefined],
    [' 192.0.2.7', undefined],
    ['010.0.0.1', undefined],
  ]
  for (const [text, expected] of table) assert.equal(normal(text), expected, text)
})

test('a network is within another when all of its addresses are', () => {
  const table: [string, readonly string[], boolean][] = [
    ['10.1.0.0/16', ['10.0.0.0/8'], true],
    ['10.0.0.0/8', ['10.0.0.0/8'], true],
    ['10.0.0.0/7', ['10.0.0.0/8'], false],
    ['11.0.0.0', ['10.0.0.0/8'], false],
    ['10.9.9.9', ['192.0.2.0/24', '10.0.0.0/8'], true],
    ['::ffff:10.9.9.9', ['10.0.0.0/8'], true],
    ['10.0.0.1', ['::/0'], false],
    ['2001:db8::1', ['0.0.0.0/0'], false],
    ['2001:db8::1', ['2001:db8::/32'], true],
    ['2001:db9::1', ['2001:db8::/32'], false],
    ['10.0.0.1', [], false],
    ['nonsense', ['0.0.0.0/0', '::/0'], false],
  ]
  for (const [inner, outer, expected] of table) assert.equal(isWithinNetworks(inner, outer), expected, inner)
})

test('an address is within a network exactly when the platform says so', () => {
  const four = fc.record({ network: fc.ipV4(), address: fc.ipV4(), bits: fc.integer({ min: 1, max: 32 }) })
  const six = fc.record({ network: fc.ipV6(), address: fc.ipV6(), bits: fc.integer({ min: 1, max: 128 }) })
  const agrees = (family: 'ipv4' | 'ipv6') => (one: { network: string; address: string; bits: number }) => {
    const list = new BlockList()
    list.addSubnet(one.network, one.bits, family)
    for (const address of [one.address, one.network]) {
      assert.equal(isWithinNetworks(address, [`${one.network}/${one.bits}`]), list.check(address, family))
    }
  }
  fc.assert(fc.property(four, agrees('ipv4')))
  fc.assert(fc.property(six, agrees('ipv6')))
})
