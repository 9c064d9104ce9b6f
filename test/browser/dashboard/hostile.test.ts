// Text of people, models, repositories and visitors is shown as it is, executed nowhere, and disturbs no text beside it.
// Everything that is found is reported at once, so that each place shows in a run with several faults.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type ModelServer, startModelServer } from '../../support/model-server.ts'
import { git } from '../../support/repository.ts'
import { edit } from '../../support/scripted.ts'
import { ada, type Dashboard, openDashboard } from './open.ts'
import { fullReview, serveReview } from './reviews.ts'

/** Each part runs in another place: text, an attribute, an address, a style, a template. */
const short = `<img src=x onerror=attack()>`
const hostile = `"'>${short}<svg onload=attack()>{{attack()}}`
/** Colours of a terminal, and a mark that turns the rest of the line around. */
const tricky = `\u001b[31m\u202e${short}`
const fileName = `${short}.md`
const prose = `${hostile}\n\n[y](javascript:attack()) ![x](https://evil.example/x.png)\n\n\`\`\`html\n${short}\n\`\`\`\n\n${tricky}`
/** The agent may not add such text to a page, but a repository may have it. */
const text = `# Old name

Text.

${hostile}<script>attack()</script>

${tricky}

Gone: ${short}
`
const page = `# Old name

<Card title="<script>attack()</script>" onClick={() => attack()}>Text</Card>

${short} <a href="javascript:attack()">x</a> [y](javascript:attack()) <iframe srcDoc="<script>parent.attack()</script>" />

<script>{'attack()'}</script>
`

/** Runs in the page: what became markup, and text that turns around the text beside it. */
const search = `(() => {
  const made = document.querySelectorAll(
    'img[src="x"], svg[onload], main script, [onerror], a[href^="javascript:"], iframe:not([sandbox=""], [title=Description][sandbox=allow-same-origin])')
  const found = [...made].map((one) => one.outerHTML.slice(0, 200))
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.includes('\\u202e')) continue
    let box = node.parentElement
    while (getComputedStyle(box).display === 'inline' && !/isolate/.test(getComputedStyle(box).unicodeBidi)) box = box.parentElement
    if (box.textContent.length > node.data.length) found.push('turns around: ' + box.outerHTML.slice(0, 200))
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push('wider than the window')
  return found
})()`

suite('hostile text', () => {
  let t: Dashboard
  let model: ModelServer
  let project: string
  let job: string
  let link: string
  const found: string[] = []
  before(async () => {
    model = await startModelServer(() => ({ text: 'unscripted' }))
    const settings = { DOCENT_MODEL: 'compatible/scripted', DOCENT_COMPATIBLE_BASE_URL: model.baseUrl }
    t = await openDashboard({ [fileName]: text, 'page.mdx': page }, settings)
    await t.chromium.context.exposeFunction('noteAttack', (text: string) => found.push(`executed: ${text}`))
    await t.chromium.context.addInitScript(`window.attack = () => noteAttack(location.href)`)
    await fill()
  })
  after(async () => {
    await t.close()
    await model.close()
  })

  /** Sends what a page of the dashboard would send. */
  async function send(from: Page, path: string, body: unknown): Promise<Record<string, unknown>> {
    const result = await from.evaluate<{ status: number; body: Record<string, unknown> }>(
      `fetch(${JSON.stringify(path)}, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))} })
        .then(async (response) => ({ status: response.status, body: await response.json().catch(() => ({})) }))`,
    )
    assert.ok(result.status < 300, JSON.stringify(result))
    return result.body
  }

  /** Every place where somebody else's text ends up. */
  async function fill(): Promise<void> {
    const from = await t.open('/')
    const repository = join(t.folder, `${short}.git`)
    await git(t.folder, 'clone', '--quiet', '--bare', t.repository, repository)
    const { id } = await send(from, '/v1/projects', { name: hostile, repository })
    project = `/projects/${String(id)}`
    await send(from, '/v1/keys', { name: hostile, scope: 'read' })
    await send(from, '/v1/invitations', { email: `${short.replaceAll(' ', '')}@example.com`, role: 'viewer' })
    await visit(from, String(id))
    const headers = { 'Content-Type': 'application/json', Origin: t.address, 'User-Agent': hostile }
    const { email, password } = ada
    await fetch(`${t.address}/v1/session`, { method: 'POST', headers, body: JSON.stringify({ email, password }) })

    const answers = [
      { text: prose, calls: [{ name: short, input: { path: tricky } }] },
      { ...edit(fileName, 'Text.', 'Other text.'), text: tricky },
      edit(fileName, `Gone: ${short}`, 'Gone.'),
      edit('page.mdx', '# Old name', '# New name'),
      // The whole conversation fits into the context of the model: the long line comes last.
      {
        text: 'a'.repeat(1_000_000),
        calls: [{ name: 'finish', input: { title: `Use ${short}`, summary: `${hostile}\n\n${tricky}` } }],
      },
    ]
    model.script = () => answers.shift() ?? { text: hostile, finishReason: 'content_filter' }
    const created = await send(from, `/v2/agent/${String(id)}/job`, { prompt: `${hostile} ${tricky}` })
    job = `${project}/jobs/${String(created['jobId'] ?? created['id'])}`
    // The stream ends when the job does.
    const events = `/v2/agent/${String(id)}/job/${job.split('/').at(-1)}/events`
    const told = await from.evaluate<string>(`fetch(${JSON.stringify(events)}).then((response) => response.text())`)
    assert.match(told, /^event: job_ended\ndata: .*"outcome":"pull_request"/m, told.slice(-3_000))
    const read = `fetch('/v1/projects/${String(id)}/pulls').then(async (found) => (await found.json()).pulls[0].link)`
    link = await from.evaluate<string>(read)
    await from.close()
  }

  /** Page views as a server, and as a script in a page, report them. */
  async function visit(from: Page, id: string): Promise<void> {
    const origin = 'https://docs.example.com'
    const { id: site } = await send(from, `/v1/projects/${id}/sites`, { name: short, origins: [origin] })
    const referrer = `https://${encodeURIComponent(short)}.example/${short}`
    const views = ['Claude-User/1.0', hostile, `Googlebot/2.1 ${short}`].map((userAgent, index) => ({
      timestamp: Date.now(),
      url: `${origin}/${encodeURIComponent(hostile)}/${tricky}`,
      userAgent,
      referrer,
      address: `192.0.2.${index + 1}`,
      status: index === 2 ? 404 : 200,
    }))
    const { key } = await send(from, '/v1/keys', { name: 'server', scope: 'write', projectIds: [id] })
    const recorded = await fetch(`${t.address}/v1/analytics/${id}/page-views`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${String(key)}` },
      body: JSON.stringify(views),
    })
    assert.deepEqual([recorded.status, await recorded.json()], [202, { accepted: 3, rejected: [] }])
    const collected = await fetch(`${t.address}/v1/collect/${String(site)}`, {
      method: 'POST',
      headers: { Origin: origin, 'User-Agent': `Mozilla/5.0 Chrome/142.0.0.0 ${short}`, Referer: `${origin}/${short}` },
      body: JSON.stringify({ url: `${origin}/${short}`, referrer: `https://news.example/${short}` }),
    })
    assert.ok(collected.ok, await collected.text())
  }

  async function look(at: Page, place: string): Promise<void> {
    found.push(...(await at.evaluate<readonly string[]>(search)).map((one) => `${place}: ${one}`))
  }

  test('it is inert in every place that shows it', async () => {
    const at = await t.open('/')
    await reviewed(at)
    const lists = ['pages', 'agents', 'crawlers', 'referrers', 'downloads', 'broken'].map(
      (one) => `${project}/visitors?list=${one}`,
    )
    const search = `${project}/visitors?search=${encodeURIComponent(hostile)}`
    const paths = ['/', '/keys', '/people', '/audit', '/account', '/projects/new', `${project}/jobs`, job]
    const more = [`${project}/pulls`, `${project}/pulls/1`, `${project}/settings`, `${project}/settings/sites`]
    const showing = ['/', '/keys', '/audit', job, `${job}?view=changes`, `${project}/jobs`, ...more.slice(0, 3)]
    for (const path of [...paths, `${job}?view=changes`, ...more, `${project}/settings/repository`, ...lists, search]) {
      await at.goto(`${t.address}${path}`)
      await at.getByRole('heading').first().waitFor()
      await at.locator('main [aria-busy=true]').waitFor({ state: 'detached' })
      if (showing.includes(path)) await at.getByText('onerror=attack()').first().waitFor({ state: 'attached' })
      if (path === job) await unfold(at)
      if (path.endsWith('view=changes') || path.endsWith('/pulls/1')) await unfoldReview(at)
      if (path.endsWith('/pulls/1')) await preview(at)
      await look(at, path)
    }
    await at.goto(`${link}?plain`)
    await look(at, 'the plain page')
    assert.deepEqual([...found, ...t.reports()], [])
    await at.close()
  })

  /** The checks of the job failed, with this text in every part of its review. */
  async function reviewed(at: Page): Promise<void> {
    const review = fullReview(fileName, `${hostile} ${tricky}`)
    const [first] = review.findings
    assert.ok(first)
    const findings = [{ ...first, message: 'a'.repeat(1_000_000) }, ...review.findings]
    const error = { code: 'checks_failed', message: `${hostile} ${tricky}` }
    await serveReview(at, job.split('/').at(-1) ?? '', { ...review, findings }, error)
  }

  async function unfoldReview(at: Page): Promise<void> {
    const review = at.getByRole('region', { name: 'Checks' })
    await review.waitFor()
    for (const folded of await review.locator('summary').all()) await folded.click()
    const lists = ['Why it is a draft', 'New problems', 'Lost text', 'New sites', 'Refused by the policy']
    for (const name of lists) await review.getByRole('list', { name }).getByText('onerror=attack()').first().waitFor()
    await at.getByRole('note').getByText('onerror=attack()').first().waitFor()
  }

  /** The transcript with the inputs of the tools. */
  async function unfold(at: Page): Promise<void> {
    const transcript = at.getByRole('list', { name: 'Transcript' })
    await transcript.getByText('javascript:attack()').first().waitFor()
    const folded = transcript.locator('button[aria-expanded=false]')
    while ((await folded.count()) > 0) await folded.first().click()
  }

  /** The previews run nothing even unsanitised, for their frame is a sandbox: so their markup is searched, too. */
  async function preview(at: Page): Promise<void> {
    for (const name of ['', fileName, 'page.mdx']) {
      const head = at.locator('[data-index]', { has: at.getByText(name, { exact: true }) })
      if (name !== '') await head.getByRole('button', { name: 'Preview' }).first().click()
      const frame = at.frameLocator(`iframe[title="${name === '' ? 'Description' : `After: ${name}`}"]`)
      await frame.getByText('attack').first().waitFor()
      const forbidden = frame.locator(
        'script, iframe, [onload], [onerror], [onclick], [href^="javascript:"], img[src="x"]',
      )
      const made = await forbidden.evaluateAll((all) => all.map((one) => one.outerHTML))
      found.push(...made.map((one) => `the preview of ${name}: ${one}`))
    }
  }
})
