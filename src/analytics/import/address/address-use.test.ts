import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createImportStore, line, run } from '../../../../test/support/import-store.ts'
import { makeProxiedLog } from '../../../../test/support/proxied-log.ts'
import { formatNames } from '../formats/formats.ts'
import type { AddressFrom } from './address-from.ts'
import { createAddressUse, ownVisitor } from './address-use.ts'
import { toPrivate } from './private.ts'

type Views = readonly (readonly [address: string | undefined, count: number])[]

function hintsOf(views: Views, from?: AddressFrom, log = { format: 'combined', linesHaveForwarded: true }) {
  const use = createAddressUse(from)
  use.begin(log, 'UTC')
  const view = { timestamp: 1, userAgent: 'Mozilla/5.0' }
  for (const [address, count] of views) for (let n = 0; n < count; n += 1) use.add(address, undefined, view)
  return use.hints()
}

const shares: readonly (readonly [Views, string | undefined])[] = [
  [[['10.0.0.5', 20]], '20 of 20'],
  [[['10.0.0.5', 19]], undefined],
  [
    [
      ['10.0.0.5', 11],
      ['203.0.113.9', 9],
    ],
    '11 of 20',
  ],
  [
    [
      ['10.0.0.5', 10],
      ['203.0.113.9', 10],
    ],
    undefined,
  ],
  [
    [
      ['10.0.0.5', 11],
      [undefined, 9],
    ],
    '11 of 20',
  ],
  [
    [
      ['10.0.0.5', 10],
      ['10.0.0.6', 10],
    ],
    undefined,
  ],
  [
    [
      ['10.0.0.5', 6],
      ['::ffff:10.0.0.5', 5],
      ['::ffff:a00:5', 1],
      ['203.0.113.9', 11],
    ],
    '12 of 23',
  ],
  [[['203.0.113.9', 30]], undefined],
  [[[ownVisitor, 30]], undefined],
  [
    [
      ['10.0.0.5', 9_812],
      ['203.0.113.9', 208],
    ],
    '9,812 of 10,020',
  ],
]

for (const [views, share] of shares) {
  test(`the hint about ${views
    .map(([address, count]) => `${count} ${address}`)
    .join(', ')
    .slice(0, 50)}`, () => {
    const [hint] = hintsOf(views)
    assert.equal(hint?.text.split(' page views came from 10.0.0.5, ')[0], share)
  })
}

test('the hint counts 256 private addresses, and no more', () => {
  const others = (count: number): Views => Array.from({ length: count }, (_, n) => [`10.1.${n >> 8}.${n & 255}`, 1])
  assert.equal(hintsOf([...others(255), ['10.0.0.5', 300]])[0]?.pageViews, 300)
  assert.deepEqual(hintsOf([...others(256), ['10.0.0.5', 300]]), [])
})

test('private addresses are those of private networks, of the machine and of a link', () => {
  const edges = [
    ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '127.0.0.1', '169.254.1.1'],
    ['100.64.0.0', '100.127.255.255', '::1', 'fc00::', 'fdff::1', 'FD00::1', 'fe80::1', 'febf::1', '::ffff:7f00:1'],
  ].flat()
  assert.deepEqual(
    edges.filter((one) => toPrivate(one) === undefined),
    [],
  )
  const others = [
    ['9.255.255.255', '11.0.0.0', '172.15.0.1', '172.32.0.1', '192.167.1.1', '100.63.1.1', '100.128.0.1', '110.0.0.1'],
    ['192.0.2.1', '::2', '2001:db8::1', 'fb00::1', 'fe00::1', 'fec0::1', '::ffff:8.8.8.8', 'a:b', '', 'own visitor'],
  ].flat()
  assert.deepEqual(
    others.filter((one) => toPrivate(one) !== undefined),
    [],
  )
})

test('the hint says what helps for the format and the options', () => {
  const adviceOf = (format: string, linesHaveForwarded: boolean, from?: AddressFrom) =>
    hintsOf([['10.0.0.5', 20]], from, { format, linesHaveForwarded })[0]?.text ?? ''
  assert.match(
    adviceOf('combined', true),
    /Import with --address-from forwarded to count the readers behind it\. Stored/,
  )
  assert.match(
    adviceOf('combined', false),
    /no X-Forwarded-For .*: log it in quotes after .*--address-from 'field N' if/,
  )
  assert.match(
    adviceOf('combined', true, { kind: 'field', name: '3', hops: 2 }),
    /--trusted-hops \(now 2\) too small\./,
  )
  for (const format of [...formatNames, 'nginx string'])
    assert.match(adviceOf(format, false), /behind it: \w.+, or import with/)
})

test('a place without addresses is reported if the operator named it', () => {
  const views: Views = [
    [undefined, 11],
    ['203.0.113.9', 9],
  ]
  const [hint] = hintsOf(views, { kind: 'forwarded', hops: 2 })
  assert.deepEqual([hint?.kind, hint?.pageViews, hint?.of], ['no_address', 11, 20])
  assert.match(
    hint?.text ?? '',
    /^11 of 20 .* in X-Forwarded-For .*, or --trusted-hops \(now 2\) is too large\. Stored /,
  )
  assert.doesNotMatch(hintsOf(views, { kind: 'forwarded', hops: 1 })[0]?.text ?? '', /too large/)
  assert.deepEqual(
    hintsOf(
      [
        [undefined, 10],
        ['203.0.113.9', 10],
      ],
      { kind: 'forwarded', hops: 1 },
    ),
    [],
  )
})

test('an import counts accepted page views, and none that names its visitor', async () => {
  const addresses = createAddressUse(undefined)
  const { port } = createImportStore()
  const pages = Array.from({ length: 50 }, (_, n) => line(n % 2 === 0 ? '/refused' : `/${n}`))
  const log = pages.join('').replaceAll('192.0.2.1', '10.0.0.5')
  await run(Buffer.from(`${log}${line('/a.png')}`), port, { addresses })
  const view = { timestamp: 1, path: '/a', address: '10.0.0.5', visitorId: 'ann', userAgent: 'x' }
  await run(Buffer.from(`${JSON.stringify(view)}\n`.repeat(20)), createImportStore().port, { addresses })
  assert.deepEqual(
    addresses.hints().map(({ pageViews, of }) => [pageViews, of]),
    [[25, 45]],
  )
})

test('a log from behind a CDN: a hint with both counts, then exact with one option', async () => {
  const { lines, readers } = makeProxiedLog(98_177, Date.UTC(2026, 10, 21), 90)
  const log = Buffer.from(`${lines.join('\n')}\n`)
  const addresses = createAddressUse(undefined)
  await run(log, createImportStore().port, { addresses })
  const [found, ...others] = addresses.hints()
  const { text = '', ...hint } = found ?? {}
  const counts = { addresses: 40, forwarded: readers, pageViews: 98_177, of: 98_177 }
  assert.deepEqual([hint, others], [{ kind: 'unused_addresses', ...counts }, []])
  assert.match(text, /^98,177 of 98,177 page views came from 40 addresses and carry 6,000 forwarded ones: /)
  const from: AddressFrom = { kind: 'forwarded', hops: 1 }
  const [store, forwarded] = [createImportStore(), createAddressUse(from)]
  await run(log, store.port, { addresses: forwarded, addressFrom: from })
  assert.deepEqual(forwarded.hints(), [])
  assert.equal(
    new Set([...store.views.values()].map(({ address, userAgent }) => `${address} ${userAgent}`)).size,
    readers,
  )
})

test('the hint about unused addresses names the option, and can be answered', async () => {
  const lines = Array.from({ length: 30 }, (_, n) => line(`/${n}`).replace('"x"', `"x" "203.0.113.${n}, 10.0.0.6"`))
  const hintsFor = async (from: Parameters<typeof createAddressUse>[0]) => {
    const addresses = createAddressUse(from)
    const addressFrom = typeof from === 'string' ? undefined : from
    await run(Buffer.from(lines.join('')), createImportStore().port, { addresses, addressFrom })
    return addresses.hints().map(({ kind, text }) => [kind, / with (.*?) to /.exec(text)?.[1]])
  }
  assert.deepEqual(await hintsFor('connection'), [])
  const few = [['unused_addresses', '--trusted-hops 2']]
  assert.deepEqual(await hintsFor({ kind: 'forwarded', hops: 1 }), few)
  assert.deepEqual(await hintsFor({ kind: 'field', name: '10', hops: 1 }), few)
  assert.deepEqual(await hintsFor({ kind: 'forwarded', hops: 2 }), [])
})
