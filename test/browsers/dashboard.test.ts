// The dashboard in other browsers: signing in, a job from its form to its diff, every page, the import of a log.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test, type TestContext } from 'node:test'
import { chrome } from '../support/collecting.ts'
import { type OneService, startOneService } from '../support/one-service.ts'
import { type Browser, click, fill, shows, waitFor } from './browser.ts'
import { browsers } from './browsers.ts'

const ada = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'four plain words together' }
const lines = 1_000
const readers = 40

type Look = {
  readonly headings: number
  readonly mains: number
  readonly tooWide: number
  readonly failed: boolean
}

for (const { name, open } of browsers) {
  suite(`the dashboard in ${name}`, () => {
    let t: OneService
    let browser: Browser
    let project: string
    before(async () => {
      t = await startOneService({
        'index.md': '# Home\n\nUse the Acme CLI.\n',
        'guide.md': '---\ntitle: Guide\n---\n\nThe Acme CLI.\n',
      })
      await signUp(t)
      project = `/projects/${t.client.projectId}`
      browser = await open()
    })
    after(async () => {
      await browser.close()
      await t.close()
    })

    const goto = (path: string) => browser.goto(`${t.service.address}${path}`)

    test('a person signs in by the form, and reaches the start page', async () => {
      await goto('/')
      await fill(browser, 'input[type=email], input[name=email]', ada.email)
      await fill(browser, 'input[type=password]', ada.password)
      await click(browser, 'Sign in')
      await waitFor(browser, `document.querySelector('h1')?.textContent === 'Home'`)
      await waitFor(browser, shows('No visitors in 7 days'))
    })

    test('a job runs live from its form to its diff', async (context: TestContext) => {
      await goto(`${project}/jobs/new`)
      await fill(browser, 'textarea', 'Rename "Acme CLI" to "Acme Command"')
      await click(browser, 'Start the job')
      await waitFor(browser, `document.querySelector('[aria-label=Transcript] li')`)
      await waitFor(browser, shows('Ready for review'))
      await click(browser, 'Changes')
      await waitFor(browser, `document.querySelectorAll('.word-added').length === 2`)
      await waitFor(browser, `document.querySelector('[class*=tok-]')`)
      const words = await browser.read<readonly string[]>(
        `[...document.querySelectorAll('.word-added')].map((one) => one.textContent)`,
      )
      assert.deepEqual(words, ['Command', 'Command'])
      context.diagnostic(`${name}: 2 changed words in 2 files`)
    })

    test('a log is imported, and each line counts', async (context: TestContext) => {
      const path = join(t.folder, 'access.log')
      const at = new Date(Date.now() - 60_000)
      await writeFile(path, logOf(at))
      await goto(`${project}/visitors/import`)
      await waitFor(browser, `document.querySelector('input[type=file]')`)
      await browser.setFiles('input[type=file]', [path])
      await click(browser, 'Import')
      await waitFor(browser, shows('The import is done.'))
      const totals = await browser.read<readonly number[]>(`Promise.all(['views', 'visitors'].map((name) =>
        fetch('/v1/analytics/${t.client.projectId}/' + name + '?${dayOf(at)}').then((found) => found.json()).then(({ totals }) => totals.total)))`)
      assert.deepEqual(totals, [lines, readers])
      await goto(`${project}/visitors?range=all`)
      await waitFor(browser, `document.querySelectorAll('[role=slider] rect').length > 0`)
      context.diagnostic(`${name}: ${lines} lines, ${totals.join(' views and ')} visitors`)
    })

    test('every page has one heading, fits its window and reports no error', async (context: TestContext) => {
      const [job] = (await t.client.pulls()).map(({ jobId }) => jobId)
      const steps = ['project', 'model', 'key', 'visitors', 'job'].map((step) => `/get-started/${step}`)
      const own = `jobs jobs/new jobs/${job} jobs/${job}?view=changes pulls pulls/1 visitors visitors?list=agents
        visitors?list=crawlers visitors?list=referrers visitors/import settings/general settings/repository settings/jobs
        settings/visitors settings/sites`.split(/\s+/)
      const service = '/ /account /people /keys /audit /models /github-apps /projects/new /nothing'.split(' ')
      const paths = [...service, ...steps, ...own.map((path) => `${project}/${path}`)]
      for (const path of paths) {
        await goto(path)
        await waitFor(browser, `document.querySelector('main h1') && !document.querySelector('main [aria-busy=true]')`)
        const look = await browser.read<Look>(`({
          headings: document.querySelectorAll('h1').length,
          mains: document.querySelectorAll('main').length,
          tooWide: Math.max(0, document.documentElement.scrollWidth - innerWidth),
          failed: ${shows('Something went wrong')},
        })`)
        assert.deepEqual(look, { headings: 1, mains: 1, tooWide: 0, failed: false }, path)
      }
      assert.deepEqual(browser.errors(), [])
      context.diagnostic(`${name}: ${paths.length} pages`)
    })
  })
}

async function signUp({ service }: OneService): Promise<void> {
  const { address, setupLink } = service
  const headers = { 'Content-Type': 'application/json', Origin: address, 'Sec-Fetch-Site': 'same-origin' }
  const body = JSON.stringify({ ...ada, token: setupLink?.split('#')[1] })
  const response = await fetch(`${address}/v1/setup`, { method: 'POST', body, headers })
  assert.equal(response.status, 201, await response.text())
}

function dayOf(at: Date): string {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  return `dateFrom=${day(at.getTime())}&dateTo=${day(at.getTime() + 86_400_000)}`
}

/** All lines are of one second: no midnight is between them. */
function logOf(at: Date): string {
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
  const [, , day = '', time = ''] = /^(\d+-\d+)-(\d+)T([\d:]+)/.exec(at.toISOString()) ?? []
  const date = `${day}/${months[at.getUTCMonth()]}/${at.getUTCFullYear()}:${time} +0000`
  return Array.from({ length: lines }, (_, n) => {
    const request = `"GET /page-${n} HTTP/1.1" 200 5 "-" "${chrome}"`
    return `20.0.113.${n % readers} - - [${date}] ${request}\n`
  }).join('')
}
