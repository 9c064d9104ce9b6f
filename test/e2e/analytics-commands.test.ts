// `docent analytics summary` and `export` over HTTP, on the made-up traffic of the example site: what they print is
// what the traffic was meant to be.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type IntendedView, toIntendedView } from '../../examples/traffic/request.ts'
import { generateTraffic } from '../../examples/traffic/traffic.ts'
import type { Realtime } from '../../src/analytics/realtime/count.ts'
import type { StoredView } from '../../src/analytics/stored-views.ts'
import type { Summary } from '../../src/cli/analytics/summary/summary-text.ts'
import type { Environment } from '../../src/config/environment.ts'
import { type CommandResult, runCommand } from '../support/command.ts'
import { type OneService, startOneService } from '../support/one-service.ts'

const until = Date.now()
const days = 30
const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
/** The days of the traffic, also when midnight passes while the tests run. */
const from = toDay(until - (days - 1) * 86_400_000)
const to = toDay(until + 86_400_000)
const range = ['--from', from, '--to', to]
let running: OneService
let seen: readonly IntendedView[]

before(async () => {
  running = await startOneService({ 'index.md': '# Acme\n' })
  const requests = [...generateTraffic({ lines: 3_000, seed: 7, until, days })]
  const views = requests.flatMap((request) => {
    const { time, address, client, status, method } = request
    const path = request.target
    return request.page === undefined
      ? []
      : [{ timestamp: time, path, address, userAgent: client.userAgent, status, method }]
  })
  const { client } = running
  for (let n = 0; n < views.length; n += 1_000) {
    await client.call('POST', `/v1/analytics/${client.projectId}/page-views`, views.slice(n, n + 1_000))
  }
  seen = requests.flatMap((request) => toIntendedView(request) ?? []).filter(({ status }) => status !== 404)
})
after(async () => {
  await running.close()
})

function docent(args: readonly string[], extra: Environment = {}): Promise<CommandResult> {
  const { service, client } = running
  const environment = { DOCENT_URL: service.address, DOCENT_API_KEY: client.key, ...extra }
  return runCommand(['analytics', ...args, '--project', client.projectId], environment)
}

/** Identifies visitors as the contract does: address by its /64, user agent, month. */
function countVisitors(views: readonly IntendedView[]): { human: number; ai: number; total: number } {
  const keys = (own: readonly IntendedView[]) =>
    new Set(
      own.map(({ time, address, userAgent }) => {
        const network = address.includes(':') ? address.split(':').slice(0, 4).join(':') : address
        return `${new Date(time).toISOString().slice(0, 7)} ${network} ${userAgent}`
      }),
    ).size
  const of = (wanted: string) => views.filter((view) => view.class === wanted)
  return { human: keys(of('human')), ai: keys(of('ai')), total: keys([...of('human'), ...of('ai')]) }
}

/** The pages with the most visitors: path, people, AI and both. Which page is the first depends on the hour. */
function mostRead(count: number): string[][] {
  const byPage = Map.groupBy(
    seen.filter((view) => view.class !== 'neither'),
    ({ page }) => page,
  )
  const pages = [...byPage].map(([page, views]) => ({ page, ...countVisitors(views) }))
  const sorted = pages.toSorted((a, b) => b.total - a.total || (a.page < b.page ? -1 : 1))
  return sorted.slice(0, count).map(({ page, human, ai, total }) => [page, `${human}`, `${ai}`, `${total}`])
}

function assertDescending(counts: readonly number[]): void {
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
  )
}

test('the summary has exact totals, days, the most read pages and AI agents', async () => {
  const { code, stdout, stderr } = await docent(['summary', ...range], { LANG: 'en_GB.UTF-8' })
  assert.equal(code, 0, stderr)
  const expected = countVisitors(seen)
  for (const name of ['human', 'ai', 'total'] as const) {
    const count = expected[name].toLocaleString('en')
    assert.match(stdout, new RegExp(`^${name} +${count}  [▁▂▃▄▅▆▇█]{${days}}$`, 'm'))
  }
  assert.match(stdout, new RegExp(`^Not compared: page views begin on ${from}\\.$`, 'm'))
  const shown = /^PAGE +HUMAN +AI +TOTAL\n((?:\/.*\n)+)/m.exec(stdout)?.[1] ?? ''
  const rows = shown
    .trimEnd()
    .split('\n')
    .map((row) => row.trim().split(/ +/))
  assert.deepEqual(rows, mostRead(10))
  const views = seen.filter(({ agent }) => agent === 'ChatGPT-User').length
  assert.match(stdout, new RegExp(`^ChatGPT-User +OpenAI +\\d+ +\\d+ +${views} +/`, 'm'))
  assert.match((await docent(['summary', ...range], { LANG: 'C' })).stdout, /^total .* [_.:=+*#-]{30}$/m)
})

test('the summary as JSON has the range and what was before it', async () => {
  const today = toDay(until)
  const { stdout } = await docent(['summary', '--json', '--from', today, '--to', to, '--top', '3'])
  const summary = JSON.parse(stdout) as Summary
  const on = (wanted: string) => countVisitors(seen.filter(({ time }) => toDay(time) === wanted))
  assert.deepEqual(summary.totals, on(today))
  assert.deepEqual(summary.previous?.totals, on(toDay(until - 86_400_000)))
  assert.equal(summary.days.length, 1)
  assert.ok(summary.pages.length <= 3)
})

test('the realtime answer has today by the hour, as text and as JSON', async () => {
  const { code, stdout, stderr } = await docent(['realtime'], { LANG: 'C' })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^The last five minutes\n +VISITORS +VIEWS\nhuman +\d+ +\d+\n/)
  assert.match(stdout, /^total +\d+ +\d+  [_.:=+*#-]{24}$/m)
  const json = await docent(['realtime', '--json'])
  const { today } = JSON.parse(json.stdout) as Realtime
  const views = (wanted: string) => seen.filter(({ time, class: of }) => toDay(time) === today.date && of === wanted)
  assert.deepEqual([today.views.human, today.views.ai], [views('human').length, views('ai').length])
  assert.equal(today.hours.length, 24)
})

test('an export has all rows, as CSV, as JSON and in a file', async () => {
  const paths = new Set(seen.filter((view) => view.class !== 'neither').map(({ page }) => page))
  const csv = await docent(['export'])
  assert.equal(csv.code, 0, csv.stderr)
  const lines = csv.stdout.trimEnd().split('\r\n')
  assert.equal(lines[0], 'path,human,ai,total')
  assert.equal(lines.length - 1, paths.size)
  const json = await docent(['export', '--format', 'json'])
  const whole = JSON.parse(json.stdout) as { readonly totals: object; readonly visitors: readonly { path: string }[] }
  assert.deepEqual(whole.totals, countVisitors(seen))
  assert.deepEqual(new Set(whole.visitors.map(({ path }) => path)), paths)
  const file = join(running.folder, 'visitors.csv')
  const written = await docent(['export', '--output', file, '--json'])
  assert.deepEqual(JSON.parse(written.stdout), { file, rows: paths.size })
  assert.equal(await readFile(file, 'utf8'), csv.stdout)
})

test('an export has the rows of a search, in the order of a column', async () => {
  const json = await docent(['export', '--search', 'GUIDES/', '--sort', 'ai', '--format', 'json'])
  assert.equal(json.code, 0, json.stderr)
  const { visitors } = JSON.parse(json.stdout) as { readonly visitors: readonly { path: string; ai: number }[] }
  const paths = new Set(seen.filter((view) => view.class !== 'neither').map(({ page }) => page))
  assert.deepEqual(
    visitors.map(({ path }) => path).toSorted(),
    [...paths].filter((path) => path.includes('guides/')).toSorted(),
  )
  assertDescending(visitors.map(({ ai }) => ai))
  const byTotal = await docent(['export', '--search', 'guides/', '--format', 'json'])
  const others = JSON.parse(byTotal.stdout) as { readonly visitors: readonly { total: number }[] }
  assertDescending(others.visitors.map(({ total }) => total))
  const csv = await docent(['export', '--search', 'guides/', '--sort', 'ai'])
  const rows = csv.stdout.trimEnd().split('\r\n').slice(1)
  assert.deepEqual(
    rows.map((row) => row.split(',')[0]),
    visitors.map(({ path }) => path),
  )
})

test('the summary and exports count what the filters leave', async () => {
  const left = seen.filter((view) => /^\/(?:guides|api)\//.test(view.page) && view.agent !== 'ChatGPT-User')
  const filters = ['--section', '/guides', '--section', '/api', '--agent', '!ChatGPT-User']
  const { code, stdout, stderr } = await docent(['summary', ...range, ...filters])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Only where section is \/api or \/guides, agent is not ChatGPT-User$/m)
  assert.match(stdout, new RegExp(`^total +${countVisitors(left).total.toLocaleString('en')} `, 'm'))
  const json = await docent(['export', '--format', 'json', ...filters])
  const { totals } = JSON.parse(json.stdout) as { readonly totals: object }
  assert.deepEqual(totals, countVisitors(left))
  const stored = await docent(['export', '--rows', ...filters])
  const rows = stored.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as StoredView)
  assert.equal(rows.filter(({ status }) => status !== 404).length, left.length)
  assert.ok(rows.every(({ path: of, agent }) => /^\/(?:guides|api)(?:\/|$)/.test(of) && agent !== 'ChatGPT-User'))
  const recent = await docent(['realtime', ...filters], { LANG: 'C' })
  assert.match(recent.stdout, /^Only where section is \/api or \/guides, .*\nThe last five minutes\n/)
  const refused = await docent(['export', '--section', 'guides'])
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /section.*begins with/)
})

test('a saved segment counts what its filters leave, until it is deleted', async () => {
  const left = seen.filter((view) => view.page.startsWith('/guides/') && view.agent !== 'ChatGPT-User')
  const saved = await docent(['segments', 'save', 'Guides', '--section', '/guides', '--agent', '!ChatGPT-User'])
  assert.equal(saved.code, 0, saved.stderr)
  assert.match(saved.stdout, /^Saved Guides as seg_\w{20}\. Use it with --segment\.$/m)
  const nothing = await docent(['segments', 'save', 'All'])
  assert.deepEqual([nothing.code, /at least one filter/.test(nothing.stderr)], [1, true], nothing.stderr)
  const { stdout } = await docent(['export', '--format', 'json', '--segment', 'guides'])
  assert.deepEqual((JSON.parse(stdout) as { readonly totals: object }).totals, countVisitors(left))
  const list = await docent(['segments', 'list'])
  assert.match(list.stdout, /Guides +section is \/guides, agent is not ChatGPT-User$/m)
  const gone = await docent(['segments', 'delete', 'GUIDES'])
  assert.equal(gone.stdout.trim(), 'Deleted the segment Guides.')
  const unknown = await docent(['summary', ...range, '--segment', 'Guides'])
  assert.deepEqual([unknown.code, /`segment` must be/.test(unknown.stderr)], [1, true], unknown.stderr)
})

test('every question can be exported in both forms', async () => {
  for (const what of ['views', 'timeseries', 'ai-agents', 'referrers', 'crawlers', 'broken-pages', 'downloads']) {
    const csv = await docent(['export', '--what', what])
    assert.equal(csv.code, 0, csv.stderr)
    const json = await docent(['export', '--what', what, '--format', 'json'])
    const lists = Object.values(JSON.parse(json.stdout) as object).filter((value) => Array.isArray(value))
    assert.equal(lists.length, 1)
    assert.equal(lists[0]?.length, csv.stdout.trimEnd().split('\r\n').length - 1, what)
  }
})

test('the stored page views are exported as lines, those that count and the others', async () => {
  const file = join(running.folder, 'rows.ndjson')
  const written = await docent(['export', '--rows', '--output', file, '--json'])
  assert.equal(written.code, 0, written.stderr)
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  assert.deepEqual(JSON.parse(written.stdout), { file, rows: lines.length })
  const rows = lines.map((line) => JSON.parse(line) as StoredView)
  const counted = rows.filter(({ status, isDownload }) => status !== 404 && !isDownload)
  const views = await docent(['export', '--what', 'views', '--format', 'json'])
  const { totals } = JSON.parse(views.stdout) as { readonly totals: { readonly human: number; readonly ai: number } }
  for (const name of ['human', 'ai'] as const) {
    assert.equal(counted.filter((row) => row.class === name).length, totals[name])
  }
  assert.ok(rows.length > counted.length)
  assert.ok(rows.every((row) => !('visitor' in row)))
  for (const unfit of [
    ['--what', 'views'],
    ['--format', 'csv'],
    ['--search', 'a'],
  ]) {
    assert.equal((await docent(['export', '--rows', ...unfit])).code, 2)
  }
  assert.equal((await docent(['export', '--visitor-ids'])).code, 2)
})

test('an export that is refused writes no file and says why', async () => {
  const wrong = await docent(['export', '--json', '--from', '2026-02-30'])
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /Write a day as 2026-11-20/)
  assert.equal((await docent(['export', '--json'])).code, 2)
  assert.equal((await docent(['export', '--interval', 'week'])).code, 2)
  assert.equal((await docent(['export', '--what', 'timeseries', '--search', 'a'])).code, 2)
  assert.equal((await docent(['export', '--what', 'referrers', '--sort', 'human'])).code, 2)
  const reversed = await docent([
    'export',
    '--from',
    '2026-11-02',
    '--to',
    '2026-11-01',
    '--output',
    join(running.folder, 'never.csv'),
  ])
  assert.equal(reversed.code, 1)
  assert.match(reversed.stderr, /^docent: \S/)
  assert.ok(!(await readdir(running.folder)).some((name) => name.startsWith('never')))
})

test('a broken page has the pages that link to it, and the one that was meant', async () => {
  const { client } = running
  const request = (path: string, more: object) => ({
    timestamp: until,
    url: `https://docs.example.com${path}`,
    userAgent: 'curl/8.0',
    ...more,
  })
  await client.call('POST', `/v1/analytics/${client.projectId}/page-views`, [
    request('/robots-and-arms', {}),
    request('/robot-and-arms', { status: 404, referrer: 'https://docs.example.com/first-steps.html?step=1' }),
    request('/robot-and-arms', { status: 404, referrer: 'https://docs.example.com/first-steps' }),
    request('/robot-and-arms', { status: 404, referrer: 'https://example.org/private/page' }),
    request('/robot-and-arms', { status: 404, referrer: 'https://docs.example.com' }),
  ])
  const printed = await docent(['broken-page', '/robot-and-arms', '--from', from])
  assert.equal(printed.code, 0, printed.stderr)
  assert.deepEqual(printed.stdout.split('\n'), [
    'LINKED FROM   HUMAN  AI  NEITHER  TOTAL',
    '/first-steps      0   0        2      2',
    'unknown           0   0        1      1',
    'example.org       0   0        1      1',
    'Probably meant: /robots-and-arms',
    '',
  ])
  const json = await docent(['broken-page', '/robot-and-arms', '--top', '1', '--json'])
  assert.deepEqual(JSON.parse(json.stdout), {
    links: [{ from: '/first-steps', isPage: true, human: 0, ai: 0, neither: 2, total: 2 }],
    hasMore: true,
    suggestion: '/robots-and-arms',
  })
  const other = await docent(['broken-page', '/never-asked-for'])
  assert.equal(other.stdout, 'No request for /never-asked-for met a missing page in this range.\n')
})
