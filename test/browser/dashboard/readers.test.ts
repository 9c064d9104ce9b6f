// For readers who see or hear the pages in another way: forced colours, screen readers, a page of which a part failed.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { comparisonOf } from '../../../dashboard/src/features/visitors/compare/comparison.ts'
import { addDays, type Range } from '../../../dashboard/src/features/visitors/range.ts'
import { insertPageViews } from '../../../src/analytics/store.ts'
import { openClickHouse } from '../../../src/clickhouse/open.ts'
import { createOracle } from '../../support/counting-oracle.ts'
import { assertAccessible, type Dashboard, openDashboard } from './open.ts'
import { rowsOf } from './visitors-rows.ts'
import { createTraffic } from './visitors-traffic.ts'

const settings = {
  timeZone: 'UTC',
  retentionMonths: 25,
  collectionSource: 'both',
  categories: {},
  unverifiedAiAgents: 'count',
} as const

suite('every reader of the dashboard', () => {
  let t: Dashboard
  before(async () => {
    t = await openDashboard({ 'index.md': '# Home\n\nSee [it](missing.md).\n' })
  })
  after(() => t.close())

  test('in forced colours, what is chosen differs from what is not', async () => {
    const page = await t.open(`/projects/${t.client.projectId}/settings/jobs`)
    await page.emulateMedia({ forcedColors: 'active' })
    for (const nav of ['nav[aria-label=Docs]', 'nav[aria-label=Settings]']) {
      const chosen = await lookOf(page, `${nav} a[aria-current=page]`)
      const other = await lookOf(page, `${nav} a:not([aria-current])`)
      assert.notEqual(chosen.line, other.line, nav)
      assert.notEqual(chosen.ground, other.ground, nav)
    }
    await page.close()
    assert.deepEqual(t.reports(), [])
  })

  test('the end of a job is announced, in a region that was there before', async () => {
    const { id } = await t.client.create('Rename "Home" to "Start"')
    const page = await t.open(`/projects/${t.client.projectId}/jobs/${id}`)
    const panel = page.getByRole('tabpanel')
    await panel.getByRole('status').waitFor()
    await page.evaluate('window.region = document.querySelector("[role=tabpanel] [role=status]")')
    await panel.getByRole('status').getByText('The job ended: ').waitFor()
    assert.equal(await page.evaluate('window.region.isConnected && window.region.textContent !== ""'), true)
    assert.equal(await panel.locator('[aria-live=polite]').count(), 1)
    await page.close()
    assert.deepEqual(t.reports(), [])
  })

  test('a card that fails leaves the rest of the page, and can be tried again', async () => {
    const page = await t.chromium.context.newPage()
    await page.route('**/analytics/timeseries*', (route) => route.fulfill({ json: { totals: { total: 3 } } }))
    await page.route('**/v1/overview', async (route) => {
      const response = await route.fetch()
      const overview = (await response.json()) as Record<string, unknown>
      await route.fulfill({ response, json: { ...overview, latest: [{ id: 'job_1' }] } })
    })
    await page.goto(`${t.address}/`)
    const jobs = page.getByRole('region', { name: 'Latest jobs' })
    await jobs.getByRole('alert').getByText('Something went wrong in this part of the page.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    const projects = page.getByRole('region', { name: 'Projects' })
    await projects.getByRole('link').or(projects.getByRole('alert')).first().waitFor()
    await assertAccessible(page, 'a part that failed')
    await page.unroute('**/v1/overview')
    await page.reload()
    await jobs.getByText('No jobs yet').or(jobs.getByRole('listitem')).first().waitFor()
    assert.deepEqual(t.reports(/TypeError: Cannot read properties/), [])
    await page.close()
  })

  test('a period before stands behind the series, as far as page views are known', async () => {
    const store = await openClickHouse({ kind: 'server', url: t.environment['CLICKHOUSE_URL'] ?? '' })
    const now = Date.now()
    const views = createTraffic(t.client.projectId, now)
    await insertPageViews(store, views)
    await store.close()
    const first = new Date(Math.min(...views.map(({ time }) => time))).toISOString().slice(0, 10)
    // The period before begins three days before the first page view, or two where the range would be one of a month.
    const from = addDays(first, addDays(first, 15).endsWith('-01') ? 16 : 15)
    const to = addDays(from, 17)
    const expected = (range: Range) => createOracle(views, settings, now, { limit: 1e6, ...range }).timeseries().rows
    const page = await t.open(`/projects/${t.client.projectId}/visitors?from=${from}&to=${to}&table=true`)
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption('earlier')
    await page.waitForURL(/compare=earlier/)
    await page
      .getByText(/^\s*Earlier period, .+ Page views are known since .+: intervals before have nothing/)
      .waitFor()
    await page.getByRole('columnheader', { name: 'All then' }).waitFor()
    const range = { dateFrom: from, dateTo: addDays(to, 1) }
    const comparison = comparisonOf(range, 'day', 'earlier')
    const then = new Map(expected(comparison.range).map((row) => [row['date'], row]))
    const wanted = expected(range).map(({ date }) => {
      const before = comparison.dateOf(date)
      const other = before < first ? undefined : then.get(before)
      return other ? [other['human'], other['ai'], other['total']].map(String) : ['–', '–', '–']
    })
    assert.ok(wanted.some(([human]) => human === '–') && wanted.some(([human]) => Number(human) > 0))
    const shown = await rowsOf(page.getByRole('group', { name: 'Visitors over time' }))
    assert.deepEqual(
      shown.map((cells) => cells.slice(5)),
      wanted,
    )
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    const chart = page.getByRole('slider', { name: 'Visitors by day' })
    await chart.locator('[data-compared]').first().waitFor()
    await chart.focus()
    await page.keyboard.press('End')
    const [human, ai, total] = wanted.at(-1) ?? []
    assert.ok((await chart.getAttribute('aria-valuetext'))?.endsWith(`: ${human} humans, ${ai} AI, ${total} in all`))
    await page.keyboard.press('Home')
    assert.ok((await chart.getAttribute('aria-valuetext'))?.endsWith('; nothing to compare with'))
    await assertAccessible(page, 'a series that is compared')
    await page.close()
  })

  test('a merged pull request stands on the chart, and its page has readers', async () => {
    const { id } = await t.client.ended((await t.client.create('Rename "See" to "Read"')).id)
    const [pull] = await t.client.pulls()
    const project = `/v1/projects/${t.client.projectId}`
    await t.client.call('POST', `${project}/pulls/${pull?.number}/merge`)
    const page = await t.open(`/projects/${t.client.projectId}/visitors?range=7d`)
    await page.getByRole('button', { name: 'Merged pull request' }).focus()
    await page.keyboard.press('Enter')
    const list = page.getByRole('list', { name: 'Merged pull requests' })
    const link = list.getByRole('link', { name: `#${pull?.number} ${pull?.title}` })
    await link.waitFor()
    await assertAccessible(page, 'a mark on the chart')
    await link.click()
    await page.waitForURL(`${t.address}/projects/${t.client.projectId}/jobs/${id}`)
    await page.goto(`${t.address}/projects/${t.client.projectId}/pulls/${pull?.number}`)
    const readers = page.getByRole('region', { name: 'Readers before and after' })
    await readers.getByText('changed no page whose path the configuration of the site tells').waitFor()
    await assertAccessible(page, 'readers before and after')
    await page.close()
  })
})

/** The colours of the first element. */
async function lookOf(page: Page, selector: string): Promise<{ readonly ground: string; readonly line: string }> {
  await page.locator(selector).first().waitFor()
  return page.evaluate(`(({ backgroundColor, borderBottomColor }) => ({ ground: backgroundColor, line: borderBottomColor }))(
    getComputedStyle(document.querySelector('${selector}')))`)
}
