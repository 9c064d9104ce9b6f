// The activity on the pull request of a job, which people and checks write on a forge.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActivityResponse } from '../../../src/jobs/activity/read.ts'
import { assertBothThemes, openDashboard } from './open.ts'

function entryOf(given: Partial<ActivityResponse>): ActivityResponse {
  return {
    id: 'act_1',
    forgeId: '1',
    kind: 'comment',
    pull: { forge: 'github', number: 7 },
    author: { login: 'ada', isBot: false, mayWrite: true },
    at: '2026-11-20T09:12:00.000Z',
    text: 'Hello',
    path: null,
    line: null,
    link: 'https://github.com/acme/docs/pull/7',
    state: null,
    isDeleted: false,
    ...given,
  }
}

test('the activity on a pull request shows as plain text, and more by itself', async (context) => {
  const t = await openDashboard({ 'index.md': '# Home\n\nWelcome.\n' })
  context.after(() => t.close())
  const project = `/projects/${t.client.projectId}`
  const { id, pullRequest } = await t.client.ended((await t.client.create('Replace "Home" with "Start"')).id)
  const path = `${project}/jobs/${id}?view=activity`
  const first = await t.open(path)
  await first.getByText('Nothing has happened on a pull request of this job yet').waitFor()
  const comment = { path: 'index.md', line: 1, at: 'head', text: 'Better: **Welcome** <img src=x>' }
  const { request } = t.chromium.context
  const url = `${t.address}/v1${project}/pulls/${pullRequest?.number}/comments`
  assert.equal((await request.post(url, { data: comment, headers: { Origin: t.address } })).status(), 201)
  await first.reload()
  await first.getByText('Better: **Welcome** <img src=x>', { exact: true }).waitFor()
  await first.getByText('index.md:1', { exact: true }).waitFor()
  await first.close()
  await t.client.ended(id)

  const page = await t.chromium.context.newPage()
  await page.clock.install()
  const entries = [entryOf({ text: '\u202eturned <svg onload=attack()> around' })]
  await page.route('**/activity', (route) =>
    route.fulfill({
      json: {
        activity: entries,
        nextCursor: null,
        notRead: ['check'],
        callWords: ['@docent', '/docent'],
        lookedAt: '2026-01-02T03:04:05.000Z',
      },
    }),
  )
  await page.goto(`${t.address}${path}`)
  const list = page.getByRole('list', { name: 'Activity' })
  await list.getByText('turned <svg onload=attack()> around').waitFor()
  await page.getByText(/may not read it: Check\. /).waitFor()
  await list.getByRole('link', { name: '#7' }).waitFor()
  await page.getByText(/^To reply on the forge, begin a comment with @docent or \/docent/).waitFor()
  await page.getByRole('button', { name: 'Copy @docent' }).waitFor()
  await page.getByText(/^Read from the forge /).waitFor()
  await assertBothThemes(page, 'what happened on a pull request')
  entries.push(entryOf({ id: 'act_2', kind: 'review', state: 'approved', text: 'a-very-long-word'.repeat(80) }))
  entries[0] = { ...entryOf({}), text: '', isDeleted: true }
  await page.clock.fastForward(16_000)
  await list.getByText('approved', { exact: true }).waitFor()
  await list.getByText('Deleted on the forge.').waitFor()
  await page.setViewportSize({ width: 380, height: 700 })
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 380)
  await page.close()

  const settings = await t.open(`${project}/settings/repository`)
  const comments = settings.getByRole('region', { name: 'Comments on the forge' })
  assert.equal(await comments.getByRole('radio', { name: /^On pull requests/ }).isChecked(), true)
  await comments.getByRole('radio', { name: /^On issues, too/ }).check()
  const save = comments.getByRole('button', { name: 'Save' })
  await save.click()
  await save.and(settings.locator(':enabled')).waitFor({ state: 'detached' })
  await settings.reload()
  await comments.getByRole('radio', { name: /^On issues, too/, checked: true }).waitFor()
  await settings.close()
  assert.deepEqual(t.reports(), [])
})
