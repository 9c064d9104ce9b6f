import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createImportStore, run, writeLog } from '../../../../test/support/import-store.ts'
import { removeFolder, temporaryFolder } from '../../../../test/support/temporary.ts'
import { createParser } from './formats.ts'

let folder: string
before(async () => void (folder = await temporaryFolder('columns')))
after(() => removeFolder(folder))

type Visit = ReturnType<typeof visitOf>
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'curl/8.5.0',
]

function visitOf(_: unknown, at: number) {
  return {
    date: at < 600 ? '2026-11-20' : '2026-11-21',
    time: `10:${String(at % 60).padStart(2, '0')}:07`,
    path: `/guide/${at % 7}/naïve`,
    query: at % 3 === 0 ? 'token=secret' : '',
    status: at % 10 === 0 ? 404 : 200,
    agent: agents[at % agents.length] ?? '',
    address: at % 2 === 0 ? `192.0.2.${at % 200}` : `2001:db8::${at % 200}`,
    referrer: at % 4 === 0 ? 'https://example.com/list' : '',
    id: `request-${at}==`,
  }
}
const visits = Array.from({ length: 1_000 }, visitOf)

const truth = (visit: Visit) => [
  Date.parse(`${visit.date}T${visit.time}Z`),
  visit.path,
  visit.status,
  visit.agent,
  visit.address,
  visit.referrer,
]

const dash = (text: string) => (text === '' ? '-' : text)
const plus = (text: string) => dash(text).replaceAll(' ', '+')

const iisColumns = {
  date: (visit: Visit) => visit.date,
  time: (visit: Visit) => visit.time,
  's-ip': () => '10.0.0.4',
  'cs-method': () => 'GET',
  'cs-uri-stem': (visit: Visit) => plus(visit.path),
  'cs-uri-query': (visit: Visit) => dash(visit.query),
  's-port': () => '443',
  'cs-username': () => '-',
  'c-ip': (visit: Visit) => visit.address,
  'cs(User-Agent)': (visit: Visit) => plus(visit.agent),
  'cs(Referer)': (visit: Visit) => plus(visit.referrer),
  'sc-status': (visit: Visit) => String(visit.status),
  'time-taken': () => '15',
  'X-Forwarded-For': (visit: Visit) => `198.51.100.1,+${visit.address}`,
}

const edgeColumns = {
  date: (visit: Visit) => visit.date,
  time: (visit: Visit) => visit.time,
  'x-edge-location': () => 'FRA56-P1',
  'sc-bytes': () => '4512',
  'c-ip': (visit: Visit) => visit.address,
  'cs-method': () => 'GET',
  'cs(Host)': () => 'd111111abcdef8.cloudfront.net',
  'cs-uri-stem': (visit: Visit) => encodeURI(visit.path),
  'sc-status': (visit: Visit) => String(visit.status),
  'cs(Referer)': (visit: Visit) => dash(visit.referrer),
  'cs(User-Agent)': (visit: Visit) => encodeURI(visit.agent),
  'cs-uri-query': (visit: Visit) => dash(visit.query),
  'x-edge-request-id': (visit: Visit) => visit.id,
  'x-host-header': () => 'docs.example.com',
  'cs-protocol': () => 'https',
  'x-forwarded-for': (visit: Visit) => `198.51.100.1,%20${visit.address}`,
  'sc-content-type': (visit: Visit) => (visit.status === 200 ? 'text/html;%20charset=utf-8' : '-'),
}

type Columns = Readonly<Record<string, (visit: Visit) => string>>
const order = { forth: (names: string[]) => names, back: (names: string[]) => names.toReversed() } as const

function block(columns: Columns, separator: string, way: keyof typeof order, from: readonly Visit[]): string {
  const names = order[way](Object.keys(columns))
  const lines = from.map((visit) => names.map((name) => columns[name]?.(visit)).join(separator))
  return [`#Version: 1.0`, `#Fields: ${names.join(' ')}`, ...lines, ''].join('\n')
}

const logs = {
  cloudfront: { columns: edgeColumns, separator: '\t', start: '' },
  iis: { columns: iisColumns, separator: ' ', start: '#Software: Microsoft Internet Information Services 10.0\r\n' },
} as const

/** The columns change their order after 400 visits. */
function logOf(name: keyof typeof logs, until = 1_000): string {
  const { columns, separator, start } = logs[name]
  const first = block(columns, separator, 'forth', visits.slice(0, 400))
  return start + first + block(columns, separator, 'back', visits.slice(400, until))
}

const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted()
const host = { host: 'docs.example.com' } as const

for (const name of ['cloudfront', 'iis'] as const) {
  test(`${name}: a thousand visits are a thousand page views, in two parts and orders`, async () => {
    const { port, views } = createImportStore()
    const path = await writeLog(folder, logOf(name, 700), `${name}.log`)
    const { summary } = await run(path, port, host)
    assert.deepEqual([summary.format, summary.accepted, views.size], [name, 700, 700])
    await writeLog(folder, logOf(name), `${name}.log`)
    const rest = await run(path, port, { ...host, addressFrom: { kind: 'forwarded', hops: 1 } })
    const { lines, linesBefore, accepted } = rest.summary
    assert.deepEqual([lines - linesBefore, accepted], [300, 300])
    const rows = [...views.values()].map((view) => [
      view.timestamp,
      decodeURI(new URL(view.url ?? '').pathname),
      view.status,
      view.userAgent,
      view.address,
      view.referrer ?? '',
    ])
    assert.deepEqual(sorted(rows), sorted(visits.map(truth)))
    assert.ok([...views.values()].every(({ url }) => url?.startsWith('https://docs.example.com/guide/')))
  })
}

test('logs that begin with the same comments are logs of their own', async () => {
  const { port, views, imports } = createImportStore()
  const { columns, separator } = logs.cloudfront
  for (const part of [visits.slice(0, 50), visits.slice(50, 100)]) {
    await run(await writeLog(folder, block(columns, separator, 'forth', part)), port)
  }
  assert.deepEqual([views.size, imports.length], [100, 2])
})

test('lines without columns, without a response and of other servers are no page views', () => {
  const parse = createParser('cloudfront')
  const visit = visitOf(undefined, 1)
  const [, fields = '', line = ''] = block(edgeColumns, '\t', 'forth', [visit]).split('\n')
  const rejected = (text: string) => (parse(text) as { rejected?: string }).rejected
  assert.equal(rejected(line), 'not_this_format')
  assert.equal(rejected(fields), 'not_a_visit')
  assert.equal(rejected(line), undefined)
  assert.equal(rejected(line.replace('\t200\t', '\t000\t')), 'not_a_visit')
  assert.equal(rejected(line.replace('2026-11-20', '2026-11-31')), 'bad_time')
  assert.equal(rejected(line.slice(0, line.lastIndexOf('\t'))), 'not_this_format')
  assert.equal(rejected('#Fields: date time s-ip cs-uri-stem'), 'not_this_format')
  assert.equal(rejected(line), 'not_this_format')
  assert.equal(rejected('# by hand'), 'not_this_format')
})
