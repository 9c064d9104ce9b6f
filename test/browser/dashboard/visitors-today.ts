// Watches the visitors page of today while a page view arrives: the tiles, the hours, and who reads now.

import assert from 'node:assert/strict'
import { assertAccessible, type Dashboard } from './open.ts'
import { expectTiles, rowsOf, tilesOf } from './visitors-rows.ts'

/** The project has no page view of today yet, and has one then. `path`: of the page. */
export async function watchToday(t: Dashboard, path: string): Promise<void> {
  const page = await t.open('/')
  await page.clock.install()
  await page.goto(`${t.address}${path}?range=today`)
  await page.getByText('today so far').waitFor()
  const none = { total: 0, human: 0, ai: 0 }
  const one = { total: 1, human: 0, ai: 1 }
  assert.deepEqual(await tilesOf(page), expectTiles(none, none))
  const strip = page.getByRole('region', { name: 'Now' })
  await strip.getByText('0 visitors in the last five minutes').waitFor()
  const hours = page.getByRole('slider', { name: 'Visitors by hour' })
  assert.match((await hours.getAttribute('aria-valuetext')) ?? '', /\(so far\): 0 humans, 0 AI, 0 in all$/)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const view = { timestamp: Date.now(), path: '/new', userAgent: 'Claude-User/1.0', address: '192.0.2.7' }
  await t.client.call('POST', `/v1/analytics/${t.client.projectId}/page-views`, [view])
  await page.clock.fastForward(31_000)
  await page.locator('dl data').filter({ hasText: /^1$/ }).first().waitFor()
  await strip.getByText('1 visitor in the last five minutes').waitFor()
  await strip.getByText('0 humans, 1 AI, 1 page view').waitFor()
  assert.deepEqual(await tilesOf(page), expectTiles(one, one))
  await strip.getByText('Pages viewed now').click()
  await strip.getByText('/new').waitFor()
  assert.match((await hours.getAttribute('aria-valuetext')) ?? '', /\(so far\): 0 humans, 1 AI, 1 in all$/)
  await page.getByRole('button', { name: 'Table' }).click()
  const rows = await rowsOf(page.getByRole('group', { name: 'Visitors over time' }))
  assert.deepEqual(rows.at(-1)?.slice(1), ['0', '1', '1'])
  await assertAccessible(page, 'today by the hour')
  const polls = () => asked.filter((url) => url.endsWith('/realtime')).length
  assert.ok(polls() > 0)
  // Nobody sees a hidden page.
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'))`)
  const before = polls()
  await page.clock.fastForward(120_000)
  assert.equal(polls(), before)
  // The minutes and the hours are those of the filters.
  for (const [of, count] of [
    ['/new', '1 visitor'],
    ['/nowhere', '0 visitors'],
  ] as const) {
    await page.goto(`${t.address}${path}?range=today&path=${encodeURIComponent(of)}`)
    await strip.getByText(`${count} in the last five minutes`).waitFor()
    assert.match((await hours.getAttribute('aria-valuetext')) ?? '', new RegExp(`, ${count.slice(0, 1)} in all$`))
  }
  await page.close()
}
