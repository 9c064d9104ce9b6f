import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, suite, test } from 'node:test'
import type { PageView } from '../../../src/analytics/page-view.ts'
import { insertPageViews } from '../../../src/analytics/store.ts'
import { type ClickHouse, openClickHouse } from '../../../src/clickhouse/open.ts'
import { createOracle, type OracleQuery } from '../../support/counting-oracle.ts'
import { assertAccessible, type Dashboard, openDashboard } from './open.ts'
import { expectTiles, meetLimit, pathsOf, rowsOf, tilesOf } from './visitors-rows.ts'
import { watchToday } from './visitors-today.ts'
import { createTraffic, daysAround } from './visitors-traffic.ts'

const settings = {
  timeZone: 'UTC',
  retentionMonths: 25,
  collectionSource: 'both',
  categories: {},
  unverifiedAiAgents: 'count',
} as const

suite('the visitors page', () => {
  let t: Dashboard
  let store: ClickHouse
  let views: readonly PageView[]
  let path: string
  const now = Date.now()
  const { from, to } = daysAround(now)
  const days = `from=${from}&to=${to}`
  const expected = (query: OracleQuery = {}) => {
    const dateTo = new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10)
    return createOracle(views, settings, now, { dateFrom: from, dateTo, limit: 1e6, ...query })
  }

  before(async () => {
    t = await openDashboard({ 'index.md': '# Home\n' })
    store = await openClickHouse({ kind: 'server', url: t.environment['CLICKHOUSE_URL'] ?? '' })
    views = createTraffic(t.client.projectId, now)
    path = `/projects/${t.client.projectId}/visitors`
  })
  after(async () => {
    await store.close()
    await t.close()
  })

  test('before the first page view it says how to record one, then fills itself', async () => {
    const page = await t.open(path)
    await page.getByRole('heading', { name: 'People: put the script into your pages' }).waitFor()
    await page.getByLabel('Address of your documentation').fill('https://docs.example.com')
    await page.getByRole('button', { name: 'Create the script tag' }).click()
    const tag = await page.getByLabel('The script tag').textContent()
    assert.match(tag ?? '', /^<script defer src="http:\/\/127[^"]+\/v1\/script\.js" data-site="site_\w+"><\/script>$/)
    const command = await page.getByLabel('The command that imports a log').textContent()
    assert.ok(command?.endsWith(`--project ${t.client.projectId}`))
    await assertAccessible(page, 'before the first page view')
    await insertPageViews(store, views)
    await page.getByRole('slider', { name: 'Visitors by day' }).waitFor()
    await page.close()
  })

  test('the totals, the series and the pages are those of a plain count', async () => {
    const page = await t.open(`${path}?${days}&table=true`)
    await page.getByText('Compared with').waitFor()
    const oracle = expected()
    const { totals, rows } = oracle.visitors()
    assert.deepEqual(await tilesOf(page), expectTiles(totals, oracle.views().totals))
    const series = await rowsOf(page.getByRole('group', { name: 'Visitors over time' }))
    const numbers = ({ human, ai, total }: Record<string, unknown>) => [human, ai, total].map(String)
    assert.deepEqual(
      series.map((cells) => cells.slice(1)),
      oracle.timeseries().rows.map(numbers),
    )
    const seen = [...(await rowsOf(page.getByRole('group', { name: 'Pages' })))]
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('51–').waitFor()
    seen.push(...(await rowsOf(page.getByRole('group', { name: 'Pages' }))))
    assert.ok(rows.length > 60 && rows.length <= 100)
    assert.deepEqual(
      seen.map((cells) => cells.slice(1)),
      rows.map(numbers),
    )
    assert.deepEqual(
      seen.map(([name]) => name).filter((name) => name?.startsWith('/p/')),
      pathsOf(rows, '/p/'),
    )
    await page.close()
  })

  test('the other lists are those of a plain count, and hostile texts stay texts', async () => {
    const oracle = expected()
    const agents = oracle['ai-agents']().rows
    const page = await t.open(`${path}?${days}&list=agents`)
    const shown = await rowsOf(page.getByRole('group', { name: 'AI agents' }))
    const byOperator = [...Map.groupBy(agents, ({ operator }) => operator).values()].flat()
    assert.deepEqual(
      shown.map((cells) => cells.slice(1)),
      byOperator.map((row) => [row['visitors'], row['views']].map(String)),
    )
    for (const [index, row] of byOperator.entries()) {
      const text = shown[index]?.[0] ?? ''
      assert.ok(text.startsWith(row['agent'] === '' ? 'Without a name' : String(row['agent'])), text)
      assert.equal(text.includes(`${row['verified']} verified`), row['verified'] !== 0, text)
      assert.equal(text.includes(`${row['unverified']} unverified`), row['unverified'] !== 0, text)
    }
    await page.getByRole('tab', { name: 'Crawlers' }).click()
    await page.getByText(`${String(oracle.crawlers().rows[0]?.['unverified'])} unverified`, { exact: true }).waitFor()
    const lists = [
      ['Crawlers', oracle.crawlers().rows, ['views']],
      ['Referrers', oracle.referrers().rows, ['visitors']],
      ['Downloads', oracle.downloads().rows, ['human', 'ai', 'neither', 'total']],
      ['Broken pages', oracle['broken-pages']().rows, ['human', 'ai', 'neither', 'total']],
    ] as const
    for (const [name, rows, columns] of lists) {
      await page.getByRole('tab', { name }).click()
      const cells = await rowsOf(page.getByRole('group', { name }))
      assert.ok(rows.length > 0)
      assert.deepEqual(
        cells.map((row) => row.slice(1)),
        rows.slice(0, 50).map((row) => columns.map((key) => String(row[key]))),
      )
    }
    assert.equal(await page.locator('main img, main script, main iframe').count(), 0)
    assert.deepEqual(t.reports(), [])
    await page.close()
  })

  test('which pages AI agents read most: two clicks from the jobs, and the range', async (context) => {
    const page = await t.open(`/projects/${t.client.projectId}/jobs`)
    const began = performance.now()
    await page.getByRole('link', { name: 'Visitors' }).click()
    await page.getByRole('combobox', { name: 'Range' }).selectOption('30d')
    await page.getByRole('button', { name: 'AI', exact: true }).click()
    await page
      .getByRole('columnheader', { name: 'AI', exact: true })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor()
    await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' })
    context.diagnostic(`2 clicks, ${((performance.now() - began) / 1_000).toFixed(1)} s`)
    const shown = (await rowsOf(page.getByRole('group', { name: 'Pages' }))).map((cells) => Number(cells[2]))
    const rows = expected({ sort: 'ai', limit: 50 }).visitors().rows
    assert.deepEqual(
      shown,
      rows.map(({ ai }) => ai),
    )
    await page.close()
  })

  test('numbers of several months say how people are distinguished', async () => {
    const page = await t.open(`${path}?range=90d`)
    await page.getByText(/^Visitors are counted per month: .+; a person who came in .+\.$/).waitFor()
    const short = page.getByText('counted per month', { exact: true })
    assert.equal(await short.count(), 2)
    await page.getByText(/Not compared: page views begin on/).waitFor()
    assert.equal(
      await page
        .locator('main dl')
        .getByText(/^from /)
        .count(),
      0,
    )
    await assertAccessible(page, 'visitors of several months')
    const today = new Date(now).toISOString().slice(0, 10)
    await page.goto(`${t.address}${path}?from=${today}&to=${today}`)
    await short.first().waitFor({ state: 'detached' })
    await page.close()
  })

  test('every view is in the address: search, back, forward, reload, and its CSV', async () => {
    const page = await t.open(`${path}?${days}`)
    const table = page.getByRole('group', { name: 'Pages' })
    await page.getByRole('searchbox').fill('DÉBUT')
    await page.waitForURL(/search=/)
    await table.getByText('/début').waitFor()
    assert.equal((await rowsOf(table)).length, 1)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the pages as CSV' }).click(),
    ])
    const { human, ai, total } = expected({ search: 'd%C3%A9but' }).visitors().rows[0] ?? {}
    assert.equal(
      await readFile(await download.path(), 'utf8'),
      `path,human,ai,total\r\n/d%C3%A9but,${human},${ai},${total}\r\n`,
    )
    await page.getByRole('tab', { name: 'Referrers' }).click()
    await page.getByRole('combobox', { name: 'Range' }).selectOption('90d')
    await page.waitForURL(/\?range=90d&list=referrers$|\?list=referrers&range=90d$/)
    await page.reload()
    await page.getByRole('group', { name: 'Referrers' }).waitFor()
    await page.goBack()
    await page.goBack()
    await table.getByText('/début').waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'DÉBUT')
    await page.getByRole('searchbox').fill('no such page')
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await table.getByText('/quickstart').waitFor()
    await page.close()
  })

  test('keys move through the chart, and a table has the same', async () => {
    const page = await t.open(`${path}?${days}&interval=week`)
    const chart = page.getByRole('slider', { name: 'Visitors by week' })
    const { rows } = expected({ interval: 'week' }).timeseries()
    await chart.focus()
    for (const [key, at] of [
      ['Home', 0],
      ['ArrowRight', 1],
      ['End', rows.length - 1],
      ['ArrowRight', rows.length - 1],
      ['ArrowLeft', rows.length - 2],
    ] as const) {
      await page.keyboard.press(key)
      assert.equal(await chart.getAttribute('aria-valuenow'), String(at), key)
      const { human, ai, total } = rows[at] ?? {}
      const text = (await chart.getAttribute('aria-valuetext')) ?? ''
      assert.ok(text.startsWith('Week of ') && text.endsWith(`: ${human} humans, ${ai} AI, ${total} in all`), text)
    }
    await page.close()
  })

  test('today grows by the hour without a reload, and so does who reads now', () => watchToday(t, path))

  test('a shared link shows the page without an account until it is revoked', async () => {
    const page = await t.open(`${path}?${days}`)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByLabel('Who it is for').fill('Docs team')
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = (await page.getByLabel('The new link').textContent()) ?? ''
    await page.getByText('never opened').waitFor()
    await assertAccessible(page, 'shared links')

    // A page that asks who reads now would ask to sign in again.
    await page.goto('about:blank')
    const { context } = t.chromium
    const cookies = await context.cookies()
    await context.clearCookies()
    const guest = await context.newPage()
    const asked: string[] = []
    guest.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const [address = '', token = ''] = link.split('#')
    await guest.goto(`${address}?${days}&list=referrers#${token}`)
    await guest.getByRole('heading', { name: 'Visitors of Docs' }).waitFor()
    const referrers = await rowsOf(guest.getByRole('group', { name: 'Referrers' }))
    assert.equal(referrers.length, expected().referrers().rows.length)
    await guest.getByRole('tab', { name: 'Pages', exact: true }).click()
    await guest.getByRole('group', { name: 'Pages' }).waitFor()
    assert.equal(new URL(guest.url()).hash, `#${token}`)
    assert.deepEqual(await tilesOf(guest), expectTiles(expected().visitors().totals, expected().views().totals))
    await guest.getByText('visitors in the last five minutes').or(guest.getByText('1 visitor in')).waitFor()
    await guest.emulateMedia({ colorScheme: 'dark' })
    await assertAccessible(guest, 'a shared page, dark')
    const [download] = await Promise.all([
      guest.waitForEvent('download'),
      guest.getByRole('button', { name: 'Download the series as CSV' }).click(),
    ])
    assert.match(await readFile(await download.path(), 'utf8'), /^date,human,ai,total\r\n/)
    await meetLimit(guest)
    const own = `/v1/analytics/${t.client.projectId}`
    for (const one of asked.filter((name) => name.startsWith('/v')))
      assert.ok(one === own || one.startsWith(`${own}/`), one)
    assert.equal(await guest.getByRole('button', { name: 'Share' }).count(), 0)
    await context.addCookies(cookies)

    await page.goto(`${t.address}${path}?${days}`)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: 'Revoke the link Docs team' }).click()
    await page.getByRole('button', { name: 'Revoke now' }).click()
    await page.getByText('No link works at the moment').waitFor()
    await guest.reload()
    await guest.getByText('This link does not work').waitFor()
    assert.deepEqual(t.reports(/status of (?:401|429)/), [])
    await guest.close()
    await page.close()
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`${colorScheme}: accessible, still while it loads, whole at 380 px`, async () => {
      const page = await t.open('/')
      await page.emulateMedia({ colorScheme })
      await page.addInitScript(`window.shift = 0; new PerformanceObserver((list) => {
        for (const one of list.getEntries()) if (!one.hadRecentInput) shift += one.value }).observe({ type: 'layout-shift', buffered: true })`)
      for (const width of [1_280, 380]) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(`${t.address}${path}?${days}&list=${colorScheme === 'dark' ? 'agents' : 'pages'}`)
        await page.getByRole('group', { name: colorScheme === 'dark' ? 'AI agents' : 'Pages' }).waitFor()
        const shift = Number(await page.evaluate('shift'))
        assert.ok(shift < 0.05, `${shift} at ${width}`)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
        assert.ok(Number(await page.evaluate('document.querySelectorAll("*").length')) < 2_500)
      }
      await assertAccessible(page, colorScheme)
      await page.close()
    })

  test('numbers of ten digits fit at 380 px', async () => {
    const page = await t.open('/')
    await page.setViewportSize({ width: 380, height: 800 })
    const totals = { human: 1_234_567_890, ai: 9_876_543_210, total: 9_999_999_999 }
    const rows = [{ path: '/a', ...totals }]
    const json = { interval: 'day', totals, timeseries: [{ date: from, ...totals }], visitors: rows, hasMore: false }
    await page.route(/\/v1\/analytics\/\w+\/(?:timeseries|visitors|views)\?/, (route) => route.fulfill({ json }))
    await page.goto(`${t.address}${path}?from=${from}&to=${from}`)
    await page.getByText('9,999,999,999').first().waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 380)
    const wide = await page
      .locator('dd')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
    assert.equal(wide, 0)
    await page.close()
  })

  test('all of it was quiet', () => {
    assert.deepEqual(t.reports(/status of (?:401|429)/), [])
  })
})
