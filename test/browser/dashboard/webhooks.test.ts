// An admin adds a webhook and sees what arrives, what fails and why it was disabled. A person chooses their mail.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Cleanup } from '../../support/git-remote.ts'
import { type HttpServer, serveHttp } from '../../support/scripted-http.ts'
import { serveSmtp, type SmtpServer } from '../../support/smtp-server.ts'
import { ada, assertBothThemes, type Dashboard, findProject, openDashboard } from './open.ts'

suite('webhooks and mail in the dashboard', () => {
  let t: Dashboard
  let receiver: HttpServer
  let mail: SmtpServer
  let status = 200
  const cleanups: (() => void)[] = []
  before(async () => {
    const cleanup: Cleanup = { after: (work) => void cleanups.push(work as () => void) }
    receiver = await serveHttp(cleanup, () => ({ status, body: 'thank you' }))
    mail = await serveSmtp(cleanup)
    t = await openDashboard(
      { 'index.md': '# Home\n\nAcme CLI\n' },
      {
        DOCENT_PRIVATE_REPOSITORY_HOSTS: receiver.host,
        DOCENT_SMTP_URL: mail.url,
        DOCENT_MAIL_FROM: 'Docent <docent@example.com>',
      },
    )
  })
  after(async () => {
    await t.close()
    for (const cleanup of cleanups) cleanup()
  })

  async function runJob(): Promise<void> {
    const { id } = await t.client.create('Rename "Acme CLI" to "Acme" everywhere.')
    await t.client.ended(id)
  }

  test('a webhook is added, gets events, fails, is disabled, repaired and deleted', async () => {
    const page = await t.open('/')
    const id = await findProject(page, () => true)
    await page.goto(`${t.address}/projects/${id}/settings/webhooks`)
    await page.getByText('There is no webhook yet').waitFor()
    await assertBothThemes(page, 'no webhook')
    await page.getByRole('button', { name: 'Add a webhook' }).press('Enter')
    await page.getByRole('textbox', { name: 'Address' }).fill('http://example.com/hooks')
    for (const name of ['Automation paused', 'Pull request opened'])
      await page.getByLabel(name, { exact: true }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('plain http is only for hosts').first().waitFor()
    await assertBothThemes(page, 'a refused address')
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
    await page.getByRole('textbox', { name: 'Address' }).press('Enter')
    const secret = page.getByLabel('The secret', { exact: true })
    assert.match((await secret.textContent()) ?? '', /^whsec_/)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByText('Nothing was delivered yet').waitFor()
    await page.getByRole('button', { name: 'Deliveries' }).click()
    await page.getByText('Nothing was sent in the last 30 days.').waitFor()

    await runJob()
    const deliveries = page.getByRole('table', { name: 'Deliveries' })
    await deliveries.getByText('Delivered').first().waitFor()
    await deliveries.getByText('thank you').first().waitFor()
    await page.getByText(/^Last delivered/).waitFor()
    await assertBothThemes(page, 'deliveries')
    assert.deepEqual(
      receiver.requests.map(({ body }) => (body as { type: string }).type),
      ['job.completed'],
    )
    status = 500
    await deliveries.getByRole('button', { name: 'Send again: job.completed' }).click()
    await deliveries.getByText('Waiting').waitFor()
    await deliveries.getByText('it responded with 500').waitFor()
    status = 410
    await deliveries.getByRole('button', { name: 'Send again: job.completed' }).click()
    await page.getByText('Disabled by the service: it responded with 410: it is gone.').waitFor()
    await deliveries.getByText('Failed').waitFor()
    await assertBothThemes(page, 'a webhook that was disabled')
    assert.ok(await deliveries.getByRole('button', { name: 'Send again: job.completed' }).isDisabled())
    status = 200
    await page.getByRole('switch', { name: `${receiver.url}/ is on` }).press(' ')
    await page.getByText('Disabled by the service').waitFor({ state: 'detached' })
    await deliveries.getByRole('button', { name: 'Send again: job.completed' }).click()
    await deliveries.getByText('Delivered').waitFor()

    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    assert.match((await secret.textContent()) ?? '', /^whsec_/)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no webhook yet').waitFor()
    assert.deepEqual(t.reports(/status of 400/), [])
    await page.close()
  })

  test('a webhook for Slack never shows its address again', async () => {
    const page = await t.open('/')
    const id = await findProject(page, () => true)
    await page.goto(`${t.address}/projects/${id}/settings/webhooks`)
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    await page.getByLabel(/^Slack/).check()
    await page.getByRole('textbox', { name: 'Address' }).fill('https://hooks.slack.com/services/T0/B0/secret')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('https://hooks.slack.com/…').waitFor()
    assert.doesNotMatch(await page.content(), /services\/T0/)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByText('Empty: the address stays as it is.').waitFor()
    await assertBothThemes(page, 'editing a webhook of Slack')
    await page.getByLabel('Automation paused').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.deepEqual(t.reports(/status of 400/), [])
    await page.close()
  })

  test('a webhook from a forge shows its address, its secret once, and what came', async () => {
    const page = await t.open('/')
    const id = await findProject(page, () => true)
    await page.goto(`${t.address}/projects/${id}/settings/webhooks`)
    const card = page.getByRole('region', { name: 'From a forge' })
    await card.getByRole('button', { name: 'GitLab' }).click()
    const secret = (await page.getByLabel('The secret', { exact: true }).textContent()) ?? ''
    assert.match(secret, /^whsec_/)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await card.getByText('No delivery came yet').waitFor()
    const url = (await card.getByLabel('The address for GitLab').textContent()) ?? ''
    const send = async (token: string) => {
      const sent = { method: 'POST', headers: { 'X-Gitlab-Token': token }, body: '{}' }
      return (await fetch(`${t.address}${new URL(url.trim()).pathname}`, sent)).status
    }
    assert.deepEqual([await send(secret), await send('a guess')], [202, 401])
    await card.getByText(/^Last delivery/).waitFor()
    await card.getByText(/^1 delivery was refused/).waitFor()
    await assertBothThemes(page, 'a webhook from a forge')
    await card.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await card.getByText(/^Last delivery/).waitFor({ state: 'detached' })
    await page.close()
  })

  test('a person chooses events and projects, and gets mail', async () => {
    const page = await t.open('/account')
    const form = page.getByRole('region', { name: 'Mail' })
    await form.getByLabel('Job completed').check()
    await form.getByLabel('Of all projects').uncheck()
    await form.getByLabel('Docs', { exact: true }).waitFor()
    await assertBothThemes(page, 'the mail settings')
    await form.getByRole('button', { name: 'Save the mail settings' }).click()
    await page.getByText('Saved').waitFor()
    await page.reload()
    assert.ok(await form.getByLabel('Job completed').isChecked())
    assert.ok(await form.getByLabel('Docs', { exact: true }).isChecked())
    assert.ok(!(await form.getByLabel('Of all projects').isChecked()))
    await runJob()
    while (mail.mails.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    assert.deepEqual(mail.mails[0]?.to, [ada.email])
    assert.deepEqual(t.reports(/status of 400/), [])
    await page.close()
  })
})
