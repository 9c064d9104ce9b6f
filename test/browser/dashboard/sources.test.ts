// A person adds a source in front of its documentation: a private repository, which gets a credential of its own.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Cleanup, createRemote } from '../../support/git-remote.ts'
import { type GitServer, serveGit } from '../../support/git-server.ts'
import { assertBothThemes, type Dashboard, findProject, openDashboard } from './open.ts'

const password = 'pass-word-0123456789'

suite('sources in the dashboard', () => {
  const cleanups: (() => unknown)[] = []
  let t: Dashboard
  let server: GitServer
  before(async () => {
    const cleanup: Cleanup = { after: (clean) => void cleanups.push(clean as () => unknown) }
    const remote = createRemote(cleanup)
    remote.commit('main', { 'src/a.ts': 'a' })
    server = await serveGit(cleanup, remote.directory)
    server.login = { username: 'reader', password }
    const settings = { DOCENT_PRIVATE_REPOSITORY_HOSTS: server.host }
    t = await openDashboard({ 'guide/a.md': '# A\n', 'index.md': '# Home\n' }, settings)
  })
  after(async () => {
    await t.close()
    for (const clean of cleanups.toReversed()) await clean()
  })

  test('a source is added with the keyboard, connected, edited and removed', async () => {
    const page = await t.open('/')
    const id = await findProject(page, () => true)
    await page.goto(`${t.address}/projects/${id}/settings/sources`)
    await page.getByText('There is no source yet').waitFor()
    await assertBothThemes(page, 'no source')

    await page.getByRole('button', { name: 'Add a source' }).press('Enter')
    await page.getByLabel('Repository').waitFor()
    assert.equal(await page.getByLabel('Repository').and(page.locator(':focus')).count(), 1)
    await page.keyboard.type(server.address)
    assert.equal(await page.getByLabel('Name').inputValue(), 'remote')
    await page.getByLabel('Name').fill('guide')
    await page.getByLabel('Files').fill('src/\n*.md')
    await page.keyboard.press('Tab')
    await page.getByLabel('Files').press('Tab')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText('the documentation has a top folder `guide`').waitFor()
    await assertBothThemes(page, 'a refused name')
    await page.getByLabel('Name').fill('api')
    await page.getByLabel('Name').press('Enter')

    const card = page.getByRole('region', { name: 'api' })
    await card.getByText('Read the repository: no').waitFor()
    await card.getByText('src/ *.md').waitFor()
    assert.equal(await card.getByText('Push branches').count(), 0)
    await assertBothThemes(page, 'a source without a credential')
    await card.getByLabel('User and password').check()
    await card.getByLabel('User', { exact: true }).fill('reader')
    await card.getByLabel('Password or token').fill(password)
    await card.getByRole('button', { name: 'Save and check' }).click()
    await card.getByText('Read the repository: yes').waitFor()
    await card.getByText(/^Branch: yes/).waitFor()
    await card.getByText('Sent to', { exact: false }).waitFor()
    await assertBothThemes(page, 'a source that can be read')
    assert.ok(!(await page.content()).includes(password))

    await card.getByRole('button', { name: 'Edit api' }).click()
    await page.getByLabel('Branch').fill('nowhere')
    await page.getByRole('button', { name: 'Save' }).click()
    await card.getByText('has no branch nowhere', { exact: false }).waitFor()
    await card.getByRole('button', { name: 'Edit api' }).click()
    await page.getByLabel('Branch').fill('')
    await page.getByLabel('People outside of the team commit to it').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await card.getByText(/^Branch: yes/).waitFor()
    await card.getByText('People outside of the team commit to it.').waitFor()
    await card.getByRole('button', { name: 'Edit api' }).click()
    await page.getByLabel('People outside of the team commit to it').uncheck()
    await assertBothThemes(page, 'the dialog of a source')
    await page.getByRole('button', { name: 'Save' }).click()
    await card.getByText('People outside of the team').waitFor({ state: 'hidden' })

    await page.goto(`${t.address}/projects/${id}/jobs/new`)
    await page.getByLabel('Instruction').fill('Fix the broken links')
    await page.getByText('Options', { exact: true }).click()
    const needed = page.getByRole('group', { name: 'Sources that the job needs' })
    await needed.getByLabel('api').waitFor()
    assert.ok(await needed.getByLabel('api').isChecked())
    await assertBothThemes(page, 'the sources of a job')
    await needed.getByLabel('api').uncheck()
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/job'))
    await page.getByRole('button', { name: 'Start the job' }).click()
    assert.deepEqual(((await sent).postDataJSON() as { context?: string[] }).context, [])
    await page.waitForURL(/\/jobs\/job_/)
    await page
      .getByText(/^(?:Completed|Failed|No changes)/)
      .first()
      .waitFor()
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('And look into the source')
    await page.getByText('Options', { exact: true }).click()
    await needed.getByLabel('api').uncheck()
    await needed.getByLabel('api').check()
    const message = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/message'))
    await page.getByRole('button', { name: 'Send' }).click()
    assert.deepEqual(((await message).postDataJSON() as { context?: string[] }).context, ['api'])
    await page.goto(`${t.address}/projects/${id}/settings/sources`)
    await card.waitFor()

    server.login = { username: 'reader', password: 'another one' }
    await card.getByRole('button', { name: 'Check api' }).click()
    await card.getByText('Read the repository: no').waitFor()
    await card.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await card.getByText('without a credential').waitFor()

    await card.getByRole('button', { name: 'Remove api' }).click()
    await assertBothThemes(page, 'a removal')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('There is no source yet').waitFor()
    assert.deepEqual(t.reports(/status of 400/), [])
    await page.close()
  })
})
