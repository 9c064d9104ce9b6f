// A thousand true visits, written by code that shares nothing with the parsers, and counted again after an import of each
// format whose fields the operator names.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createImportStore, run, writeLog } from '../../../../../test/support/import-store.ts'
import { removeFolder, temporaryFolder } from '../../../../../test/support/temporary.ts'

let folder: string
before(async () => void (folder = await temporaryFolder('mapped')))
after(() => removeFolder(folder))

const agents = [
  'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
  'a {b|c} "d" #e',
  'Łódź 文 😀',
  'curl/8.5.0',
]
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const visits = Array.from({ length: 1_200 }, (_, at) => ({
  // Nine hours around the end of summer time in Berlin, without the hour that occurs twice.
  time: Date.UTC(2026, 9, 24, 20) + ((at * 32_371) % (9 * 3_600_000)),
  address: at % 3 === 0 ? `2001:db8::${(at % 90).toString(16)}` : `203.0.113.${at % 200}`,
  path: `/guide/${at % 7}/${at % 2 === 0 ? '' : 'a%20b'}`,
  query: at % 4 === 0 ? '?q=secret' : '',
  status: at % 10 === 0 ? 404 : 200,
  agent: agents[at % agents.length] ?? '',
  referrer: at % 5 === 0 ? 'https://example.com/list' : '',
}))
  .filter(({ time }) => time < Date.UTC(2026, 9, 25, 1) || time >= Date.UTC(2026, 9, 25, 2))
  .slice(0, 1_000)
type Visit = (typeof visits)[number]

/** Bytes that are not printable, and those that end a value, as `#XX`. */
function hash(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      const isPlain = byte >= 0x20 && byte < 0x7f && !'"#{|}'.includes(character)
      return isPlain ? character : `#${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/** On a clock in Berlin: two hours ahead until 01:00 UTC, then one. */
function berlin(time: number): string {
  const wall = new Date(time + (time < Date.UTC(2026, 9, 25, 1) ? 2 : 1) * 3_600_000)
  const clock = [wall.getUTCHours(), wall.getUTCMinutes(), wall.getUTCSeconds()].map(two).join(':')
  const day = `${two(wall.getUTCDate())}/${months[wall.getUTCMonth()]}/${wall.getUTCFullYear()}`
  return `${day}:${clock}.${String(wall.getUTCMilliseconds()).padStart(3, '0')}`
}

const logs = {
  haproxy: {
    settings: { fields: 'host=1,user_agent=2,referrer=3', timeZone: 'Europe/Berlin' },
    write: (visit: Visit) =>
      `Oct 25 01:02:03 lb haproxy[9]: ${visit.address}:40${visit.status} [${berlin(visit.time)}] docs~ docs/a ` +
      `0/0/1/2/3 ${visit.status} 5120 - - ---- 2/2/0/0/0 0/0 {docs.example.com|${hash(visit.agent)}|${hash(visit.referrer)}} ` +
      `"GET ${visit.path}${visit.query} HTTP/1.1"`,
  },
  'nginx-json': {
    settings: {
      fields: 'time=at,path=http.url,host=http.host,status=http.code,address=from,user_agent=ua,referrer=via',
    },
    write: (visit: Visit) =>
      JSON.stringify({
        at: (visit.time / 1_000).toFixed(3),
        http: { url: visit.path + visit.query, host: 'docs.example.com', code: visit.status },
        from: visit.address,
        ua: visit.agent,
        via: visit.referrer === '' ? '-' : visit.referrer,
      }),
  },
} as const

const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted()

for (const format of ['haproxy', 'nginx-json'] as const) {
  test(`${format}: the visits of a log are its page views`, async () => {
    const { port, views } = createImportStore()
    const { settings, write } = logs[format]
    const path = await writeLog(folder, visits.map((visit) => `${write(visit)}\n`).join(''))
    const { summary } = await run(path, port, { format, ...settings })
    assert.deepEqual([summary.accepted, views.size], [1_000, 1_000], JSON.stringify(summary.rejected))
    const read = [...views.values()].map(({ timestamp, address, url, status, userAgent, referrer = '' }) => {
      return [timestamp, address, url, status, userAgent, referrer]
    })
    const truth = visits.map(({ time, address, path: page, status, agent, referrer }) => {
      return [time, address, `https://docs.example.com${page}`, status, agent, referrer]
    })
    assert.deepEqual(sorted(read), sorted(truth))
  })
}

test('other fields or another zone make another import of the same log', async () => {
  const { port, imports } = createImportStore()
  const path = await writeLog(folder, `${logs.haproxy.write(visits[0] as Visit)}\n`)
  const { fields } = logs.haproxy.settings
  for (const timeZone of [undefined, 'Europe/Berlin', 'Europe/Berlin'])
    await run(path, port, { format: 'haproxy', fields, timeZone })
  assert.equal(imports.length, 2)
  await run(path, port, { format: 'haproxy', fields: 'user_agent=2' })
  assert.equal(imports.length, 3)
})

test('a log of HAProxy without a format is refused with what to give', async () => {
  const { port } = createImportStore()
  const path = await writeLog(folder, `${logs.haproxy.write(visits[0] as Visit)}\n`)
  const message = /looks like the HTTP log of HAProxy. Give --format haproxy and --fields user_agent=1,host=2/
  await assert.rejects(run(path, port), { code: 'invalid_input', message })
  const other = await writeLog(folder, 'hello\n')
  await assert.rejects(run(other, port), {
    message: /unknown log format; name it with --format: Docent reads combined/,
  })
})
