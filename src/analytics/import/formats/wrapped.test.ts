// Logs as containers, syslog and servers wrote them, imported without an option: every page view has its visitor, or the line is
// refused with the reason.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createImportStore, line, run } from '../../../../test/support/import-store.ts'
import { createAddressUse } from '../address/address-use.ts'

const bare = Array.from({ length: 30 }, (_, n) => line(`/${n}`, n).trimEnd().replace('"x"', '"Mozilla/5.0 (x)"'))
const caddy = bare.map((_, n) =>
  JSON.stringify({
    ts: 1_795_000_000 + n,
    status: 200,
    request: { uri: `/${n}`, remote_ip: '192.0.2.1', headers: {} },
  }),
)

const wrappings: readonly (readonly [name: string, wrap: (text: string) => string])[] = [
  ['Kubernetes', (text) => `2026-10-20T09:00:00.123456789Z stdout F ${text}`],
  ['Kubernetes with an offset', (text) => `2026-10-20T09:00:00.1+02:00 stderr F ${text}`],
  ['Docker', (text) => JSON.stringify({ log: `${text}\n`, stream: 'stdout', time: '2026-10-20T09:00:00.1Z' })],
  ['syslog', (text) => `Oct 20 09:00:00 web1 nginx: ${text}`],
  ['syslog with a priority', (text) => `<134>Oct  2 09:00:00 web1.example.com nginx[4711]: ${text}`],
  ['rsyslog', (text) => `2026-10-20T09:00:00.123456+02:00 web1 nginx: ${text}`],
  ['syslog of RFC 5424', (text) => `<134>1 2026-10-20T09:00:00.1Z web1 nginx 42 - [a b="c"] ${text}`],
]

async function importLines(lines: readonly string[]) {
  const { port, views } = createImportStore()
  const addresses = createAddressUse(undefined)
  const { summary } = await run(Buffer.from(`${lines.join('\n')}\n`), port, { addresses })
  const hints = addresses.hints().map(({ kind }) => kind)
  return { views: [...views.values()], format: summary.format, rejected: summary.rejected, hints }
}

for (const [name, wrap] of wrappings) {
  test(`lines within those of ${name} are read`, async () => {
    for (const [format, lines] of [
      ['combined', bare],
      ['caddy', caddy],
    ] as const) {
      const read = await importLines(lines.map(wrap))
      assert.deepEqual([read.format, read.views.length, read.rejected], [format, 30, []])
      assert.ok(read.views.every(({ address }) => address === '192.0.2.1'))
      assert.deepEqual(
        read.views.map(({ path }) => path),
        lines.map((_, n) => `/${n}`),
      )
    }
  })
}

test('lines that are quoted whole are read, with quotes escaped or not', async () => {
  for (const wrap of [(text: string) => `"${text}"`, (text: string) => `"${text.replaceAll('"', '\\"')}"`]) {
    const { views, rejected } = await importLines(bare.map(wrap))
    assert.deepEqual([views.length, rejected], [30, []])
    assert.ok(views.every(({ address, userAgent }) => address === '192.0.2.1' && userAgent === 'Mozilla/5.0 (x)'))
  }
})

test('lines that begin with a name are refused with the reason', async () => {
  const { views, rejected } = await importLines(bare.map((text) => text.replace('192.0.2.1', 'crawl-1.example.net')))
  assert.deepEqual([views.length, rejected[0]?.reason, rejected[0]?.count], [0, 'not_an_address', 30])
})

test('a log without addresses, and one without user agents, get a hint', async () => {
  const { views, hints } = await importLines(bare.map((text) => text.replace('192.0.2.1', '-')))
  assert.deepEqual([views.length, hints], [30, ['no_address']])
  for (const agent of ['', '-', '192.0.2.1', '/a', '5.2'])
    assert.deepEqual((await importLines(bare.map((text) => text.replace('Mozilla/5.0 (x)', agent)))).hints, [
      'no_user_agent',
    ])
})

test('percent-encoded user agents and referrers are decoded', async () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64)'
  for (const encoded of [encodeURIComponent(agent), agent.replaceAll(' ', '%20'), agent.replaceAll(' ', '%2520')]) {
    const lines = bare.map((text) =>
      text.replace('Mozilla/5.0 (x)', encoded).replace('"-"', '"https%3A%2F%2Fexample.com%2Fa%3Fb"'),
    )
    const { views, hints } = await importLines(lines)
    assert.deepEqual([views[0]?.userAgent, views[0]?.referrer, hints], [agent, 'https://example.com/a', []])
  }
})
