// For readers who see or hear the pages in another way: forced colours, screen readers, a page of which a part failed.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, type Dashboard, openDashboard } from './open.ts'

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
})

/** The colours of the first element. */
async function lookOf(page: Page, selector: string): Promise<{ readonly ground: string; readonly line: string }> {
  await page.locator(selector).first().waitFor()
  return page.evaluate(`(({ backgroundColor, borderBottomColor }) => ({ ground: backgroundColor, line: borderBottomColor }))(
    getComputedStyle(document.querySelector('${selector}')))`)
}
