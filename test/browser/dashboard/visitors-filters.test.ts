// Filters of the visitors page: what a click shows is what the API says of the same question.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { insertPageViews } from '../../../src/analytics/store.ts'
import { openClickHouse } from '../../../src/clickhouse/open.ts'
import { ada, assertAccessible, type Dashboard, openDashboard } from './open.ts'
import { type Answer, expectTiles, rowsOf, tilesOf } from './visitors-rows.ts'
import { createSections, daysAround } from './visitors-traffic.ts'

suite('filters of the visitors page', () => {
  let t: Dashboard
  let path: string
  let siteId: string
  const now = Date.now()
  const { from, to } = daysAround(now)
  const days = `from=${from}&to=${to}`

  before(async () => {
    t = await openDashboard({ 'index.md': '# Home\n' })
    const { projectId } = t.client
    path = `/projects/${projectId}/visitors`
    const site = { name: 'Handbook', origins: ['https://docs.example.com'] }
    siteId = (await asAda<{ id: string }>(`/v1/projects/${projectId}/sites`, site)).id
    const store = await openClickHouse({ kind: 'server', url: t.environment['CLICKHOUSE_URL'] ?? '' })
    await insertPageViews(store, createSections({ projectId, siteId, now }))
    await store.close()
  })
  after(() => t.close())

  const ask = (question: string) => {
    const dateTo = new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10)
    const range = `dateFrom=${from}&dateTo=${dateTo}`
    return t.client.call<Answer>('GET', `/v1/analytics/${t.client.projectId}/${question}&${range}`)
  }
  /** A request of the admin who is signed in. */
  const asAda = async <T>(address: string, body: object): Promise<T> => {
    const page = await t.open(path)
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
    const call = `fetch(${JSON.stringify(address)}, ${JSON.stringify(init)}).then((response) => response.json())`
    const made = await page.evaluate<T>(call)
    await page.close()
    return made
  }
  const table = (page: Page, name: string): Locator => page.getByRole('group', { name })

  /** The totals and the pages on the screen are the API's. Returns the paths. */
  async function assertPages(page: Page, query: string): Promise<readonly string[]> {
    const { totals, visitors } = await ask(`visitors?${query}`)
    const shown = await rowsOf(table(page, 'Pages'))
    assert.deepEqual(
      shown.map(([name, human, ai]) => [name, human, ai]),
      visitors.map((row) => [row.path, `${row.human}`, `${row.ai}`]),
      query,
    )
    const views = await ask(`views?${query}`)
    assert.deepEqual(await tilesOf(page), expectTiles(totals, views.totals), query)
    return visitors.map((row) => row.path)
  }

  test('a click on the section shows who reads /guides, also after a reload and back', async () => {
    const page = await t.open(`${path}?${days}`)
    const all = await assertPages(page, 'limit=50')
    assert.equal(all.length, 7)
    const [link] = await Promise.all([
      page.getByRole('link', { name: 'Only the section /guides', exact: true }).first().getAttribute('href'),
      page.getByRole('link', { name: 'Only the section /guides', exact: true }).first().click(),
    ])
    assert.match(link ?? '', /[?&]section=%2Fguides(?:&|$)/)
    await page.getByText('Section: /guides', { exact: true }).waitFor()
    const paths = await assertPages(page, 'section=/guides')
    assert.ok(paths.length === 3 && paths.every((one) => one.startsWith('/guides')), paths.join(' '))
    await assertAccessible(page, 'under a filter')
    await page.reload()
    await page.getByText('Section: /guides', { exact: true }).waitFor()
    await assertPages(page, 'section=/guides')
    await page.goBack()
    await page.getByText('Section: /guides', { exact: true }).waitFor({ state: 'detached' })
    await assertPages(page, 'limit=50')
    await page.close()
  })

  test('a breakdown by country filters by a click, and another one follows the filter', async () => {
    const page = await t.open(`${path}?${days}`)
    await page.getByRole('tab', { name: 'Breakdown' }).click()
    const expected = async (by: string, query: string) => {
      return new Map((await ask(`breakdown?by=${by}&${query}`)).rows.map(({ value, total }) => [value, `${total}`]))
    }
    const countries = await expected('country', 'limit=50')
    const shown = new Map((await rowsOf(table(page, 'Country'))).map((cells) => [cells[0], cells.at(-1)]))
    const names = Object.entries({ DE: 'Germany', FR: 'France', '': 'Unknown country' })
    assert.deepEqual(shown, new Map(names.map(([code, name]) => [name, countries.get(code)])))
    await page.getByRole('link', { name: 'Only the country Germany' }).click()
    await page.getByText('Country: DE', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Break down by' }).selectOption('entry')
    await table(page, 'Entry page').waitFor()
    assert.deepEqual(
      new Map((await rowsOf(table(page, 'Entry page'))).map((cells) => [cells[0], cells.at(-1)])),
      await expected('entry', 'country=DE'),
    )
    await assertAccessible(page, 'a breakdown')
    await page.close()
  })

  test('which agents read this page, then only one of them, and back to all of it', async () => {
    const page = await t.open(`${path}?${days}&section=%2Fguides`)
    await page.getByRole('link', { name: 'Only the page /guides/install', exact: true }).click()
    await page.getByText('Page: /guides/install', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'AI agents' }).click()
    const { agents } = await ask('ai-agents?section=/guides&path=/guides/install')
    assert.equal(agents.length, 2)
    const shown = await rowsOf(table(page, 'AI agents'))
    const texts = (rows: readonly (readonly string[])[]) => new Set(rows.map((cells) => cells.join(' ')))
    assert.deepEqual(
      texts(shown.map((cells) => cells.slice(1))),
      texts(agents.map(({ visitors, views }) => [`${visitors}`, `${views}`])),
    )
    assert.equal(shown.length, agents.length)
    const agent = page.getByRole('link', { name: 'Only the agent Claude-User' })
    await agent.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Agent: Claude-User', { exact: true }).waitFor()
    await table(page, 'AI agents').getByText('ChatGPT-User').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Remove the filter Page: /guides/install' }).click()
    await page.getByRole('tab', { name: 'Pages', exact: true }).click()
    await page.waitForURL((url) => !url.searchParams.has('path') && !url.searchParams.has('list'))
    assert.deepEqual((await assertPages(page, 'section=/guides&agent=Claude-User')).length, 2)
    await page.getByRole('link', { name: 'Clear all filters' }).click()
    await page.getByText('Agent: Claude-User', { exact: true }).waitFor({ state: 'detached' })
    await assertPages(page, 'limit=50')
    await page.close()
  })

  test('a filter is added by hand, several values mean any, and nothing left says why', async () => {
    const page = await t.open(`${path}?${days}&section=%2Fguides&section=%2Fapi&section=nonsense&class=people`)
    await page.getByText('Section: /guides or /api', { exact: true }).waitFor()
    await assertPages(page, 'section=/guides&section=/api')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('combobox', { name: 'Filter by' }).selectOption('Agent')
    await page.getByRole('combobox', { name: 'Condition' }).selectOption('is not')
    await page.getByRole('textbox', { name: 'Value' }).fill('ChatGPT-User')
    await assertAccessible(page, 'the form of a filter')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Agent is not ChatGPT-User', { exact: true }).waitFor()
    await assertPages(page, 'section=/guides&section=/api&agent=!ChatGPT-User')
    assert.deepEqual(new URL(page.url()).searchParams.getAll('section'), ['/guides', '/api'])
    await page.goto(`${t.address}${path}?${days}&section=%2Fnowhere`)
    await page.getByText('Only the page views that match the filters above count.').waitFor()
    await page.getByRole('link', { name: 'Clear the filters' }).click()
    await assertPages(page, 'limit=50')
    await page.close()
  })

  test('a site is chosen by its name, and page views without a site are one', async () => {
    const page = await t.open(`${path}?${days}`)
    const site = page.getByRole('combobox', { name: 'Site' })
    await site.selectOption('Handbook')
    await page.getByText('Site: Handbook', { exact: true }).waitFor()
    assert.deepEqual(await assertPages(page, `site=${siteId}`), ['/api/keys'])
    await site.selectOption('Unknown site')
    await page.getByText('Site: Unknown site', { exact: true }).waitFor()
    assert.equal((await assertPages(page, 'site=unknown')).length, 6)
    await page.getByRole('tab', { name: 'Broken pages' }).click()
    const { brokenPages } = await ask('broken-pages?site=unknown')
    const broken = await rowsOf(table(page, 'Broken pages'))
    assert.deepEqual(
      broken.map(([name]) => name),
      brokenPages.map((row) => row.path),
    )
    await page.close()
    assert.deepEqual(t.reports(), [])
  })

  test('a segment is saved, chosen, in the address and the CSV, and deleted', async () => {
    const page = await t.open(`${path}?${days}&section=%2Fguides&class=%21ai`)
    const paths = await assertPages(page, 'section=/guides&class=!ai')
    await page.getByRole('button', { name: 'Segments' }).click()
    const dialog = page.getByRole('dialog', { name: 'Saved segments' })
    await dialog.getByText('No segment is saved.').waitFor()
    await dialog.getByText('Section: /guides · Readers is not AI').waitFor()
    await dialog.getByRole('textbox').fill('People in the guides')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Segment: People in the guides', { exact: true }).waitFor()
    const { searchParams } = new URL(page.url())
    assert.deepEqual([searchParams.get('segment'), searchParams.get('section')], ['People in the guides', null])
    assert.deepEqual(await assertPages(page, 'segment=People+in+the+guides'), paths)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the pages as CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    assert.deepEqual(
      lines.slice(1).map((line) => line.split(',')[0]),
      paths,
    )
    await page.getByRole('link', { name: 'Only the page /guides/install', exact: true }).click()
    await page.getByText('Page: /guides/install', { exact: true }).waitFor()
    await assertPages(page, 'segment=People+in+the+guides&path=/guides/install')
    await page.getByRole('link', { name: 'Clear all filters' }).click()
    await assertPages(page, 'limit=50')
    await page.getByRole('button', { name: 'Segments' }).click()
    await dialog.getByText('To save one, filter the page first').waitFor()
    await assertAccessible(page, 'saved segments')
    await dialog.getByRole('button', { name: 'Show the segment People in the guides' }).click()
    await page.getByText('Segment: People in the guides', { exact: true }).waitFor()
    await watchViewer(page.url())
    await page.getByRole('button', { name: 'Segments' }).click()
    await dialog.getByText('a segment holds filters alone').waitFor()
    await dialog.getByRole('button', { name: 'Delete the segment People in the guides' }).click()
    await dialog.getByText('Links to it will no longer work.').waitFor()
    await dialog.getByRole('button', { name: 'Keep' }).click()
    await dialog.getByRole('button', { name: 'Delete the segment People in the guides' }).click()
    await dialog.getByRole('button', { name: 'Delete now' }).click()
    await dialog.getByText('No segment is saved.').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.waitForURL((url) => !url.searchParams.has('segment'))
    await assertPages(page, 'limit=50')
    assert.deepEqual(t.reports(), [])
    await page.goto(`${t.address}${path}?${days}&segment=Nobody`)
    await page.getByText('`segment` must be the id or the name of a segment of the project.').first().waitFor()
    await page.getByRole('link', { name: 'Remove the filter Segment: Nobody' }).click()
    await assertPages(page, 'limit=50')
    await page.close()
    assert.deepEqual(t.reports(/400 \(Bad Request\)/), [])
  })

  /** A viewer opens a page with a segment: it can be chosen, and the dialog says who may do more. */
  async function watchViewer(address: string): Promise<void> {
    const { context } = t.chromium
    const ofAda = await context.cookies()
    const invitation = { email: 'kay@example.com', role: 'viewer' }
    const { link } = await asAda<{ link: string }>('/v1/invitations', invitation)
    const headers = { 'Content-Type': 'application/json', Origin: t.address, 'Sec-Fetch-Site': 'same-origin' }
    const body = JSON.stringify({ name: 'Kay', password: ada.password })
    const init = { method: 'POST', headers, body }
    const joined = await fetch(`${t.address}/v1/invitations/${link.split('#')[1] ?? ''}/accept`, init)
    const [name = '', value = ''] = (joined.headers.get('Set-Cookie') ?? '').split(';')[0]?.split('=') ?? []
    await context.addCookies([{ name, value, url: t.address, httpOnly: true, sameSite: 'Lax' }])
    const page = await context.newPage()
    await page.goto(address)
    await page.getByText('Segment: People in the guides', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Segments' }).click()
    await page.getByText('Editors and admins save and delete segments.').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Show the segment/ }).count(), 1)
    assert.equal(await page.getByRole('button', { name: /^Delete the segment/ }).count(), 0)
    await page.close()
    await context.addCookies(ofAda)
  }

  test('the page views of agents as Markdown and as HTML, under filters too', async () => {
    const page = await t.open(`${path}?${days}&list=agents`)
    const agents = page.getByRole('region', { name: 'Page views by AI agents' })
    const ofForm = async (form: string) => (await ask(`views?representation=${form}`)).totals.ai
    const expected = [await ofForm('markdown'), 2, await ofForm('html')].map(String)
    assert.deepEqual(expected, ['3', '2', '5'])
    await agents.locator('data').nth(2).waitFor()
    assert.deepEqual(await agents.locator('data').allInnerTexts(), expected)
    await assertAccessible(page, 'forms of agents')
    await page.goto(`${t.address}${path}?${days}&list=agents&representation=html`)
    await agents.locator('data').nth(2).waitFor()
    assert.deepEqual(await agents.locator('data').allInnerTexts(), ['0', '0', '5'])
    await page.close()
    assert.deepEqual(t.reports(/400 \(Bad Request\)/), [])
  })

  test('a shared link filters by page and section, and leaves other filters out', async () => {
    const url = `/v1/projects/${t.client.projectId}/shares`
    const made = await asAda<{ link: string }>(url, { name: 'Docs team' })
    const [address = '', token = ''] = made.link.split('#')
    const guest = await t.chromium.context.newPage()
    await guest.goto(`${address}?${days}&agent=Claude-User#${token}`)
    await guest.getByRole('link', { name: 'Only the section /guides', exact: true }).first().click()
    await guest.getByText('Section: /guides', { exact: true }).waitFor()
    await assertPages(guest, 'section=/guides')
    assert.equal(new URL(guest.url()).hash, `#${token}`)
    assert.equal(await guest.getByText('Agent: Claude-User').count(), 0)
    await guest.getByRole('tab', { name: 'AI agents' }).click()
    await guest.getByText('This link does not show rows under 5.').waitFor()
    await guest.close()
    assert.deepEqual(t.reports(/400 \(Bad Request\)/), [])
  })

  test('strict privacy leaves a day as the only window', async () => {
    const page = await t.open(`/projects/${t.client.projectId}/settings/visitors`)
    const month = page.getByRole('radio', { name: /^A calendar month/ })
    assert.equal(await month.isChecked(), true)
    const privacy = page.getByRole('region', { name: 'Privacy' })
    await privacy.getByRole('radio', { name: /^Strict/ }).check()
    await privacy.getByText(/^Saving clears the rest of earlier page views for good/).waitFor()
    await privacy.getByRole('button', { name: 'Save' }).click()
    await month.waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('radio', { name: /^A day/ }).isChecked(), true)
    await assertAccessible(page, 'strict privacy')
    await page.close()
    assert.deepEqual(t.reports(/400 \(Bad Request\)/), [])
  })
})
