// Pages that jobs are about. A person lists pages from outside that jobs may read: an address that cannot be is named by its line. A
// broken page shows which pages link to it, and becomes a job.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { assertBothThemes, type Dashboard, findProject, openDashboard } from './open.ts'
import { rowsOf } from './visitors-rows.ts'

suite('pages of jobs in the dashboard', () => {
  let t: Dashboard
  before(async () => {
    t = await openDashboard({ 'index.md': '# Home\n' })
  })
  after(() => t.close())

  test('addresses are listed with the keyboard, refused by line, stored and removed', async () => {
    const page = await t.open('/')
    const id = await findProject(page, () => true)
    await page.goto(`${t.address}/projects/${id}/settings/jobs`)
    const card = page.getByRole('region', { name: 'Pages from outside' })
    const [addresses, prefixes] = [card.getByLabel('Pages', { exact: true }), card.getByLabel('Linked pages below')]
    const save = card.getByRole('button', { name: 'Save' })
    assert.ok(await save.isDisabled())

    await addresses.focus()
    await page.keyboard.type('https://EXAMPLE.com/changelog?v=2\nhttp://example.com/plain')
    await page.keyboard.press('Tab')
    await page.keyboard.type('https://example.com/reference')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await card
      .getByText(/^Line 1 is not in its normal form: write https:\/\/example\.com\/changelog\?v=2\. Line 2 is refused/)
      .waitFor()
    await card.getByText(/^Line 1 must end with \//).waitFor()
    assert.equal(await addresses.getAttribute('aria-invalid'), 'true')
    assert.match(await addresses.inputValue(), /plain$/)
    await assertBothThemes(page, 'refused addresses')

    await addresses.fill('https://example.com/changelog?v=2\n\n')
    await prefixes.fill('https://example.com/reference/')
    await save.click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(await addresses.inputValue(), 'https://example.com/changelog?v=2')
    assert.ok(await save.isDisabled())
    await assertBothThemes(page, 'stored addresses')
    await page.reload()
    assert.equal(await addresses.inputValue(), 'https://example.com/changelog?v=2')
    assert.equal(await prefixes.inputValue(), 'https://example.com/reference/')

    await addresses.fill('')
    await card.getByRole('button', { name: 'Discard' }).click()
    assert.equal(await addresses.inputValue(), 'https://example.com/changelog?v=2')
    await addresses.fill('')
    await prefixes.fill('')
    await save.click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    assert.deepEqual([await addresses.inputValue(), await prefixes.inputValue()], ['', ''])
    assert.deepEqual(t.reports(/status of 400/), [])
    await page.close()
  })

  test('a broken page shows where its requests came from, and becomes a job', async () => {
    const url = (name: string) => `https://docs.example.com${name}`
    const request = { timestamp: Date.now(), userAgent: 'Mozilla/5.0 (X11) Firefox/140.0', url: url('/robot-and-arms') }
    await t.client.call('POST', `/v1/analytics/${t.client.projectId}/page-views`, [
      { ...request, url: url('/robots-and-arms') },
      { ...request, status: 404, referrer: url('/start%C3%A9.html?token=secret') },
      { ...request, status: 404, referrer: url('/start%C3%A9') },
      { ...request, status: 404, referrer: 'https://news.example/private' },
    ])
    const page = await t.open(`/projects/${t.client.projectId}/visitors?range=7d`)
    await page.getByRole('tab', { name: 'Broken pages' }).click()
    await page.getByRole('button', { name: '/robot-and-arms' }).click()
    const links = page.getByRole('group', { name: 'Links to /robot-and-arms' })
    await links.waitFor()
    assert.deepEqual(await rowsOf(links), [
      ['/starté', '2'],
      ['news.example', '1'],
    ])
    await page.getByText('Probably meant: /robots-and-arms').waitFor()
    await assertBothThemes(page, 'a broken page that is open')
    await page.reload()
    await links.waitFor()
    await page.getByRole('link', { name: 'Make it a job' }).click()
    const instruction = page.getByRole('textbox', { name: 'Instruction' })
    await page.waitForFunction('document.querySelector("textarea")?.value !== ""')
    const text = await instruction.inputValue()
    assert.match(
      text,
      /`\/robot-and-arms`[^]+- `\/start%C3%A9` \(2 requests\)[^]+`news\.example`[^]+`\/robots-and-arms`/,
    )
    await instruction.fill('Add a redirect')
    assert.equal(await instruction.inputValue(), 'Add a redirect')
    await page.goBack()
    await page.getByRole('button', { name: '/robot-and-arms' }).click()
    await links.waitFor({ state: 'detached' })
    assert.deepEqual(t.reports(/status of 400/), [])
    await page.close()
  })
})
