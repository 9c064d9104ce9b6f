// The generated traffic is reproducible and complete, and matches the example site.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { categories } from '../../src/analytics/category.ts'
import { classify } from '../../src/analytics/classify/classify.ts'
import { createLineWriter, type LogFormat } from './log-line.ts'
import { pages, redirects } from './pages.ts'
import { type LoggedRequest, toIntendedView } from './request.ts'
import { generateTraffic } from './traffic.ts'

const until = Date.parse('2026-11-21T00:00:00Z')
const day = 86_400_000

function make(lines: number, more: Partial<Parameters<typeof generateTraffic>[0]> = {}): LoggedRequest[] {
  return [...generateTraffic({ lines, seed: 1, until, days: 30, ...more })]
}

function toLines(requests: readonly LoggedRequest[], format: LogFormat = 'combined'): string[] {
  return requests.map(createLineWriter(format))
}

test('the same seed and end give the same log, and another seed gives another', () => {
  assert.deepEqual(toLines(make(500)), toLines(make(500)))
  assert.notDeepEqual(toLines(make(500)), toLines(make(500, { seed: 2 })))
})

test('a log has the requested number of lines, in order, on the requested days', () => {
  for (const lines of [0, 1, 7, 5_000]) {
    const requests = make(lines)
    assert.equal(requests.length, lines)
    assert.ok(requests.every(({ time }, n) => time >= (requests[n - 1]?.time ?? until - 30 * day) && time < until))
  }
  const days = new Set(make(5_000).map(({ time }) => Math.floor(time / day)))
  assert.equal(days.size, 30)
})

test('a log that ends within an hour has no later requests', () => {
  const now = until - 9.3 * 3_600_000
  for (let seed = 1; seed <= 3; seed += 1) {
    const requests = make(20_000, { until: now, seed })
    assert.equal(requests.length, 20_000)
    assert.ok(requests.every(({ time }) => time < now))
    assert.ok(requests.some(({ time }) => time > now - 3_600_000))
  }
})

test('every line has the combined format, with the host first on request', () => {
  const combined =
    /^[\d.:a-f]+ - - \[\d\d\/(Oct|Nov)\/2026:\d\d:\d\d:\d\d \+0000\] "(GET|HEAD) \/\S* HTTP\/2\.0" \d{3} \d+ "[^"]+" "[^"]+"$/
  const requests = make(2_000)
  for (const line of toLines(requests)) assert.match(line, combined)
  const seconds = toLines(requests).map((line) => {
    const [, day, month, year, time] = /\[(\d\d)\/(\w{3})\/(\d{4}):([\d:]+) /.exec(line) ?? []
    return Date.parse(`${day} ${month} ${year} ${time} UTC`)
  })
  assert.deepEqual(
    seconds,
    requests.map(({ time }) => Math.floor(time / 1_000) * 1_000),
  )
  const [first = ''] = toLines(requests)
  assert.equal(toLines(requests, 'vhost')[0], `docs.acme.example.com:443 ${first}`)
  const [view] = make(1, { until: Date.parse('2026-03-02'), days: 1 })
  assert.match(toLines(view ? [view] : [])[0] ?? '', /\[01\/Mar\/2026:/)
})

test('addresses are reserved for documentation or belong to the operator of the agent', () => {
  for (const { address, client } of make(5_000)) {
    assert.ok(isIP(address), address)
    const own = client.network ? address.startsWith(client.network.prefix) : false
    assert.ok(own || /^(192\.0\.2|198\.51\.100|203\.0\.113)\.|^2001:db8:/.test(address), address)
  }
})

test('the pages are those of the example site', async () => {
  const read = async (name: string) => readFile(new URL(`../docs/${name}`, import.meta.url), 'utf8')
  const site = JSON.parse(await read('docs.json')) as {
    readonly navigation: { readonly tabs: readonly { readonly groups: readonly { readonly pages: string[] }[] }[] }
    readonly redirects: readonly { readonly source: string; readonly destination: string }[]
  }
  const inNavigation = site.navigation.tabs.flatMap(({ groups }) => groups.flatMap(({ pages }) => pages))
  const paths = [...inNavigation, 'guides/webhooks'].map((page) => (page === 'index' ? '/' : `/${page}`))
  assert.deepEqual(pages.map(({ path }) => path).toSorted(), paths.toSorted())
  assert.deepEqual(
    redirects.map((one) => [...one]),
    site.redirects.map(({ source, destination }) => [source, destination]),
  )
})

test('five thousand lines hold every kind of client, status and visitor', () => {
  const requests = make(5_000)
  const views = requests.map(toIntendedView).filter((view) => view !== undefined)
  const seen = new Set(views.map(({ category }) => category))
  assert.deepEqual(
    categories.filter((category) => !seen.has(category)),
    ['ai_undeclared', 'feed', 'crawler'],
  )
  const heads = requests.filter(({ method }) => method === 'HEAD')
  assert.ok(heads.length > 0 && heads.every((request) => toIntendedView(request) === undefined))
  for (const status of [200, 304, 308, 404]) assert.ok(requests.some((request) => request.status === status))
  const classesOf = (key: (view: (typeof views)[number]) => string) =>
    Object.values(
      Object.groupBy(
        views.filter((view) => view.status !== 404),
        key,
      ),
    ).map((own) => new Set(own?.map((view) => view.class)))
  const isBoth = (classes: ReadonlySet<string>) => classes.has('human') && classes.has('ai')
  assert.ok(classesOf(({ address, userAgent }) => `${address} ${userAgent}`).some(isBoth), 'one client in both classes')
  assert.ok(classesOf(({ address }) => address).some(isBoth), 'an agent beside a person')
  const share = views.filter((view) => view.class === 'human').length / views.length
  assert.ok(share > 0.3 && share < 0.7, String(share))
})

test('every page view is classified as its generator intended', () => {
  for (const request of make(20_000)) {
    const view = toIntendedView(request)
    if (!view) continue
    const { userAgent, category, agent } = view
    const { representation } = request
    const label = classify({ userAgent, signals: {}, source: 'log', scheme: undefined, representation })
    assert.deepEqual([label.category, label.agent], [category, agent], userAgent)
  }
})

test('people come mostly on weekdays, and a tenth of them makes 30 % of their views', () => {
  const people = make(20_000).flatMap((request) => {
    const view = toIntendedView(request)
    return view?.class === 'human' ? [view] : []
  })
  const on = (wanted: number) => people.filter(({ time }) => new Date(time).getUTCDay() === wanted).length
  assert.ok(on(2) > 2 * on(0))
  const counts = Object.values(Object.groupBy(people, ({ address, userAgent }) => `${address} ${userAgent}`))
  const sorted = counts.map((own) => own?.length ?? 0).toSorted((a, b) => b - a)
  const top = sorted.slice(0, sorted.length / 10).reduce((sum, count) => sum + count, 0)
  assert.ok(top > people.length * 0.3, `${top} of ${people.length}`)
})

test('the command writes the log, prints its help and refuses invalid options', async () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [fileURLToPath(new URL('generate.ts', import.meta.url)), ...args])
  const { stdout } = await run('--lines', '50', '--until', '2026-11-20', '--format', 'vhost')
  assert.equal(stdout, `${toLines(make(50), 'vhost').join('\n')}\n`)
  assert.match((await run('--help')).stdout, /--lines COUNT/)
  await assert.rejects(run('--lines', 'many'), { code: 2 })
  await assert.rejects(run('--format', 'w3c'), { code: 2 })
})
