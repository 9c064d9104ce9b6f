import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Dashboard, openDashboard } from './open.ts'

/** Each part runs in another place: text, an attribute, an address, a style, a template. */
const short = `<img src=x onerror=attack()>`
const hostile = `"'>${short}<svg onload=attack()>{{attack()}}`
const files = { [`${short}.md`]: `# Old name\n\n${hostile}<script>attack()</script>\n`, 'index.md': '# Old name\n' }

/** Text of people, models and visitors is shown as it is, and executed nowhere. */
suite('hostile text', () => {
  let t: Dashboard
  let projectId: string
  let jobId: string
  const attacks: string[] = []
  before(async () => {
    t = await openDashboard(files)
    await t.chromium.context.exposeFunction('noteAttack', (text: string) => attacks.push(text))
    await t.chromium.context.addInitScript(`window.attack = () => noteAttack(location.href)`)
    await fill()
  })
  after(() => t.close())

  /** Sends what a page of the dashboard would send. */
  async function send(page: Page, path: string, body: unknown): Promise<Record<string, unknown>> {
    const result = await page.evaluate<{ status: number; body: Record<string, unknown> }>(
      `fetch(${JSON.stringify(path)}, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))} })
        .then(async (response) => ({ status: response.status, body: await response.json() }))`,
    )
    assert.ok(result.status < 300, JSON.stringify(result))
    return result.body
  }

  /** Every place where somebody else's text ends up. */
  async function fill(): Promise<void> {
    const page = await t.open('/')
    const project = await send(page, '/v1/projects', { name: hostile, repository: t.repository })
    projectId = String(project['id'])
    await send(page, '/v1/keys', { name: hostile, scope: 'read' })
    await send(page, '/v1/invitations', { email: `${short.replaceAll(' ', '')}@example.com`, role: 'viewer' })
    const created = await send(page, `/v2/agent/${projectId}/job`, { prompt: `Rename "Old name" to "${short}"` })
    jobId = String(created['jobId'] ?? created['id'])
    // The stream ends when the job does.
    const events = `/v2/agent/${projectId}/job/${jobId}/events`
    await page.evaluate(`fetch(${JSON.stringify(events)}).then((response) => response.text())`)
    await page.close()
  }

  test('it is inert on every page that shows it', async () => {
    const project = `/projects/${projectId}`
    const paths = ['/', '/keys', '/people', '/audit', '/account', `${project}/jobs`, `${project}/jobs/${jobId}`]
    const more = [`${project}/jobs/${jobId}?view=changes`, `${project}/visitors`, `${project}/settings`]
    const page = await t.open('/')
    const shown: string[] = []
    for (const path of [...paths, ...more]) {
      await page.goto(`${t.address}${path}`)
      await page.getByRole('main').waitFor()
      await page.getByRole('heading').first().waitFor()
      const made = await page.evaluate(
        `[...document.querySelectorAll('img[src="x"], svg[onload], main script, [onerror], a[href^="javascript:"]')].map((one) => one.outerHTML)`,
      )
      assert.deepEqual(made, [], path)
      if ((await page.getByText('onerror=attack()').count()) > 0) shown.push(path)
    }
    assert.ok(shown.length >= 3, shown.join(' '))
    await page.close()
    assert.deepEqual(attacks, [])
    assert.deepEqual(t.reports(), [])
  })
})
