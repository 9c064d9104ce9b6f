// The exports of other tools, imported with the commands into a real service: daily sums are shown before the first day measured
// here and never count; page views count under their own sessions; the undo removes exactly what came from a file.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { EarlierDays } from '../../src/analytics/histories/earlier-days.ts'
import type { History } from '../../src/analytics/histories/records.ts'
import { chrome, type Collecting, startCollecting } from '../support/collecting.ts'
import { runCommand } from '../support/command.ts'

let t: Collecting
before(async () => void (t = await startCollecting()))
after(() => t.close())

const dayMs = 86_400_000
const now = Date.now()
const dayOf = (daysAgo: number) => new Date(now - daysAgo * dayMs).toISOString().slice(0, 10)
const createProject = async () =>
  (await t.asAdmin<{ id: string }>('POST', '/v1/projects', { name: 'Moved', repository: t.service.repository })).id

async function run(projectId: string, args: readonly string[], code = 0): Promise<string> {
  const [name = '', ...rest] = args
  const result = await runCommand(['analytics', name, '--project', projectId, ...rest], t.service.environment)
  assert.equal(result.code, code, result.stderr)
  return code === 0 ? result.stdout : result.stderr
}

async function file(name: string, text: string): Promise<string> {
  const path = join(t.service.folder, name)
  await writeFile(path, text)
  return path
}

const histories = async (projectId: string) =>
  (await t.asAdmin<{ histories: readonly History[] }>('GET', `/v1/analytics/${projectId}/histories`)).histories

async function counts(projectId: string) {
  type Counts = { readonly totals: { readonly human: number; readonly total: number } }
  const [views, visitors] = await Promise.all([
    t.asAdmin<Counts>('GET', `/v1/analytics/${projectId}/views`),
    t.asAdmin<Counts>('GET', `/v1/analytics/${projectId}/visitors`),
  ])
  return { views: views.totals.human, visitors: visitors.totals.human, all: visitors.totals.total }
}

test('daily sums of Plausible are listed and shown, counted nowhere, and undone', async () => {
  const projectId = await createProject()
  const sent = [{ timestamp: now - 5 * dayMs, path: '/', userAgent: chrome, address: '192.0.2.1' }]
  await t.asAdmin('POST', `/v1/analytics/${projectId}/page-views`, sent)
  const rows = [8, 7, 6, 5, 4].map((daysAgo) => `${dayOf(daysAgo)},${daysAgo},${daysAgo * 3},1,1,1`)
  const visitors = await file(
    'imported_visitors.csv',
    `date,visitors,pageviews,bounces,visits,visit_duration\n${rows.join('\n')}\n`,
  )
  const pages = Array.from({ length: 6_000 }, (_, n) => `${dayOf(8)},docs.example.com,/page-${n},1,1,2`)
  const page = await file(
    'imported_pages.csv',
    `date,hostname,page,visits,visitors,pageviews\n${pages.join('\n')}\n${dayOf(8)},,(none),1,1,1\n`,
  )
  const browsers = await file('imported_browsers.csv', `date,browser,visitors\n${dayOf(8)},Firefox,1\n`)
  const all = [visitors, page, browsers]
  const dry = await run(projectId, ['import-history', ...all, '--dry-run'])
  assert.match(dry, /^imported_visitors\.csv \(Plausible, the site\)\nROWS +5\ndaily sums +5 +\d/)
  assert.match(dry, /no_path +1 +the row has no path of a page/)
  assert.match(dry, /imported_browsers\.csv: no daily sums of people; it is left out\./)
  assert.deepEqual(await histories(projectId), [])
  for (let again = 0; again < 2; again += 1) {
    assert.match(await run(projectId, ['import-history', ...all]), /Stored as his_\w{20}\. Undo: /)
    const found = (await histories(projectId)).toSorted((a, b) => a.sums - b.sums)
    const facts = found.map(({ name, sums, isComplete }) => [name, sums, isComplete])
    assert.deepEqual(facts, [
      ['imported_visitors.csv', 5, true],
      ['imported_pages.csv', 6_000, true],
    ])
  }
  const { days, firstMeasured } = await t.asAdmin<EarlierDays>('GET', `/v1/analytics/${projectId}/earlier-days`)
  assert.equal(firstMeasured, dayOf(5))
  assert.deepEqual(
    days.map(({ date, visitors: people }) => [date, people]),
    [8, 7, 6].map((daysAgo) => [dayOf(daysAgo), daysAgo]),
  )
  assert.deepEqual(await counts(projectId), { views: 1, visitors: 1, all: 1 })
  const id = (await histories(projectId)).find(({ name }) => name === 'imported_visitors.csv')?.id ?? ''
  assert.match(await run(projectId, ['histories']), new RegExp(`${id} +plausible +imported_visitors`))
  assert.match(await run(projectId, ['delete-history', id], 1), /Add --yes to confirm/)
  assert.equal(await run(projectId, ['delete-history', id, '--yes']), 'Deleted 5 daily sums and 0 page views.\n')
  assert.equal((await histories(projectId)).length, 1)
})

test('a file of another dimension is refused, and one without sums says what to export', async () => {
  const projectId = await createProject()
  const country = await file('country.csv', 'Date,Country,Active users\n20250101,FR,4\n20250101,ES,3\n')
  assert.match(await run(projectId, ['import-history', country, '--from', 'ga4'], 1), /several rows of 2025-01-01/)
  const other = await file('other.csv', 'a,b\n1,2\n')
  assert.match(await run(projectId, ['import-history', other], 1), /No file has daily sums\. Plausible: /)
  assert.deepEqual(await histories(projectId), [])
})

const head =
  '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date'
const hit = (path: string, session: string, second: number, bot = 0) =>
  `${path},T,false,,Firefox,Linux,${session},${bot},,,,DE,true,${dayOf(3)}T10:00:0${second}Z`

test('page views of GoatCounter count under their sessions, and are undone exactly', async () => {
  const projectId = await createProject()
  const time = Date.parse(`${dayOf(3)}T10:00:00Z`)
  const own = [
    { timestamp: time, path: '/a', userAgent: chrome, visitorId: 'aa' },
    { timestamp: time, path: '/a', userAgent: chrome, address: '192.0.2.1' },
  ]
  await t.asAdmin('POST', `/v1/analytics/${projectId}/page-views`, own)
  const line = `192.0.2.9 - - [${new Date(time).toUTCString().slice(5, 16).replaceAll(' ', '/')}:10:00:00 +0000]`
  const log = await file('access.log', `${line} "GET /b HTTP/1.1" 200 5 "-" "${chrome}"\n`)
  await run(projectId, ['import', log])
  assert.deepEqual(await counts(projectId), { views: 3, visitors: 3, all: 3 })
  const hits = [
    hit('/a', 'aa', 1),
    hit('/a', 'aa', 1),
    hit('/b/', 'aa', 2),
    hit('/node.js', 'bb', 3),
    hit('/a', 'cc', 4, 3),
  ]
  const goatcounter = await file('goatcounter.csv', `${[head, ...hits].join('\n')}\n`)
  const dry = await run(projectId, ['import-history', goatcounter, '--from', 'goatcounter', '--dry-run'])
  assert.match(dry, /accepted +4\n +counted_as_bot +1 +the other tool counted it as a bot\n/)
  assert.deepEqual(await histories(projectId), [])
  await run(projectId, ['import-history', goatcounter, '--from', 'goatcounter'])
  await run(projectId, ['import', goatcounter])
  assert.deepEqual(await counts(projectId), { views: 7, visitors: 5, all: 5 }, 'the session aa is not the visitor aa')
  const more = await file('more.csv', `${[head, ...hits, hit('/c', 'dd', 5)].join('\n')}\n`)
  await run(projectId, ['import', more])
  assert.deepEqual(await counts(projectId), { views: 8, visitors: 6, all: 6 })
  const [newer, older] = await histories(projectId)
  assert.deepEqual([newer?.pageViews, older?.pageViews], [1, 4], 'a page view belongs to the file that came first')
  assert.deepEqual([older?.firstDay, older?.lastDay, older?.isComplete], [dayOf(3), dayOf(3), true])
  await run(projectId, ['erase-imported', '--since', dayOf(3), '--yes'])
  assert.deepEqual(await counts(projectId), { views: 7, visitors: 5, all: 5 }, 'logs alone are erased')
  assert.match(await run(projectId, ['delete-history', older?.id ?? '', '--yes']), /and 4 page views\./)
  assert.deepEqual(await counts(projectId), { views: 3, visitors: 3, all: 3 })
  await run(projectId, ['import', goatcounter])
  assert.deepEqual(await counts(projectId), { views: 7, visitors: 5, all: 5 })
  const erase = `/v1/analytics/${projectId}/visitors/erase`
  assert.deepEqual(await t.asAdmin('POST', erase, { visitorId: 'bb' }), { erased: { visitors: 1, pageViews: 1 } })
})

test('page views of a dump of Umami count for the sites of the project', async () => {
  const { projectId } = await t.makePlace()
  const event = (n: number, host: string, session: string) =>
    `00000000-0000-4000-8000-00000000000${n}\tw1\t${session}\t${dayOf(3)} 10:00:00.5+00\t/guide/\t1\t${host}`
  const dump = await file(
    'umami.sql',
    [
      ...Array.from({ length: 300 }, (_, n) => `-- ${n}`),
      'COPY public.website (website_id, domain) FROM stdin;',
      'w1\tdocs.example.com',
      String.raw`\.`,
      'COPY public.website_event (event_id, website_id, session_id, created_at, url_path, event_type, hostname) FROM stdin;',
      event(1, String.raw`\N`, 's1'),
      event(2, 'docs.example.com', 's1'),
      event(3, 'docs.example.com', 's2'),
      event(4, 'www.example.org', 's3'),
      String.raw`\.`,
    ].join('\n'),
  )
  const printed = await run(projectId, ['import-history', dump, '--from', 'umami'])
  assert.match(printed, /accepted +3\n/)
  assert.match(printed, /foreign_host +1 /)
  assert.deepEqual(await counts(projectId), { views: 3, visitors: 2, all: 2 })
  const [history] = await histories(projectId)
  assert.deepEqual([history?.source, history?.pageViews], ['umami', 3])
})
