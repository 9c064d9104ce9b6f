import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { assertAccessible, type Dashboard, openDashboard } from './open.ts'

suite('pages of the dashboard', () => {
  let t: Dashboard
  before(async () => {
    t = await openDashboard({ 'index.md': '# Home\n' })
  })
  after(() => t.close())

  for (const path of ['/', '/people', '/keys', '/audit', '/projects/new'])
    test(`${path} is accessible and quiet`, async () => {
      const page = await t.open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await assertAccessible(page, path)
      assert.deepEqual(t.reports(), [])
      await page.close()
    })
})
