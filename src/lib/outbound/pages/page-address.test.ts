import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../../test/support/linear.ts'
import { findAddresses, isBelow, parsePageAddress } from './page-address.ts'

test('an address that does not lead where it seems to is refused', () => {
  const refused = [
    'https://docs.example.com@evil.example/',
    'https://user:pass@docs.example.com/',
    'https://docs.example.com\\@evil.example/',
    'https:\\\\evil.example/',
    'https://docs.example.com/a\tb',
    ' https://docs.example.com/',
    'https://docs.example.com/\u200bx',
    'https://docs.exam\u00adple.com/',
    'https://docs.example.com/\u202egpj',
    'ftp://docs.example.com/',
    'file:///etc/passwd',
    'data:text/html,x',
    'javascript:alert(1)',
    '//docs.example.com/x',
    'docs.example.com/x',
    'https://',
    `https://docs.example.com/${'a'.repeat(2_000)}`,
    `https://docs.example.com/${'\u{1f600}'.repeat(300)}`,
  ]
  for (const text of refused) assert.equal(parsePageAddress(text), undefined, text)
})

test('addresses are in the normal form of browsers', () => {
  const table: readonly (readonly [string, string])[] = [
    ['HTTPS://Docs.Example.COM:443/a/../b', 'https://docs.example.com/b'],
    ['https://exämple.com/', 'https://xn--exmple-cua.com/'],
    ['https://раура.com/', 'https://xn--80aa0cbo.com/'],
    ['https://docs.example.com/%2e%2e/x', 'https://docs.example.com/x'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['https://docs.example.com/é?q=é#é', 'https://docs.example.com/%C3%A9?q=%C3%A9#%C3%A9'],
  ]
  for (const [text, href] of table) assert.equal(parsePageAddress(text)?.href, href, text)
})

test('below a prefix are only addresses of its origin whose path continues after it', () => {
  const prefix = 'https://docs.example.com/guide/'
  const isIn = (address: string) => isBelow(prefix, new URL(address))
  for (const address of [prefix, `${prefix}a`, `${prefix}a/b?c=d#e`, 'https://docs.example.com:443/guide/%41']) {
    assert.equal(isIn(address), true, address)
  }
  const outside = [
    'https://docs.example.com/guide',
    'https://docs.example.com/guidebook/',
    'https://docs.example.com/Guide/a',
    `${prefix}../admin`,
    `${prefix}%2e%2e/admin`,
    `${prefix}..%2fadmin`,
    `${prefix}a%2f..%2fadmin`,
    `${prefix}a%5cadmin`,
    `${prefix}a%252fadmin`,
    `${prefix}a/..;/admin`,
    'http://docs.example.com/guide/a',
    'https://docs.example.com:8443/guide/a',
    'https://docs.example.com.evil.example/guide/a',
    'https://secret.docs.example.com/guide/a',
    'https://docs.example.com.:443/guide/a',
  ]
  for (const address of outside) assert.equal(isIn(address), false, address)
})

test('addresses in a text end where its sentence goes on', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['See https://a.example/x.', ['https://a.example/x']],
    ['(https://a.example/x_(y)), then', ['https://a.example/x_(y)']],
    ['[text](https://a.example/x).More', ['https://a.example/x']],
    ['**https://a.example/x?a=1&b=2**!', ['https://a.example/x?a=1&b=2']],
    ['<https://a.example/x> `http://b.example/y`', ['https://a.example/x', 'http://b.example/y']],
    ['{"url":"https://a.example/x"}', ['https://a.example/x']],
    ['请看 https://a.example/x。然后', ['https://a.example/x']],
    ['「https://a.example/x」', ['https://a.example/x']],
    ['https://a.example/x https://a.example/x', ['https://a.example/x']],
    ['https://a.example/{name} and https://a.example/x|y', []],
    ['https://user@a.example/ www.a.example ahttps://b.example', []],
    ['HTTPS://A.example', ['https://a.example/']],
    [`https://a.example/${'.'.repeat(5_000)}`, []],
  ]
  for (const [text, found] of table) assert.deepEqual(findAddresses(text), found, text)
})

test('an address between white space is found as it is', () => {
  const part = fc.stringMatching(/^[a-z0-9-]{1,10}$/)
  const address = fc
    .tuple(part, fc.array(part, { maxLength: 3 }))
    .map(([host, path]) => `https://${host}x.example/${path.join('/')}`)
  fc.assert(
    fc.property(address, fc.string(), (one, text) => {
      assert.ok(findAddresses(`${text} ${one} ${text}`).includes(one))
    }),
  )
})

test('addresses of a long text are found in linear time', () => {
  for (const part of ['https://', 'https://a.example/.', 'https://a.example/(', 'https://a.example/\u3002']) {
    assertLinear((size) => part.repeat(size), findAddresses, { size: 20_000, name: part })
  }
})
