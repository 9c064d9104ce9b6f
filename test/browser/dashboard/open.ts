// The real service with the dashboard, an admin who is signed in, and a Chromium that watches its pages: errors in the
// console, reports of the content security policy, and requests to other origins. Every page has to stay quiet.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { Environment } from '../../../src/config/environment.ts'
import { type OneService, startOneService } from '../../support/one-service.ts'
import type { Files } from '../../support/repository.ts'
import { type Chromium, startChromium } from '../chromium.ts'

export const ada = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'four plain words together' }

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const options = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  rules: { 'landmark-unique': { enabled: true } },
}

export type Dashboard = OneService & {
  readonly address: string
  readonly chromium: Chromium
  /** Opens a page of the dashboard, signed in as Ada, and waits until it has loaded. */
  open(path: string): Promise<Page>
  /** The reports of the pages so far, which should be nothing. Expected console errors are left out by `except`. */
  reports(except?: RegExp): readonly string[]
  close(): Promise<void>
}

/** Starts everything. The first account exists, and `service.setupLink` is used up; not with `account: false`. */
export async function openDashboard(
  files: Files,
  settings: Environment = {},
  { account = true } = {},
): Promise<Dashboard> {
  const one = await startOneService(files, settings)
  const { address, setupLink } = one.service
  const chromium = await startChromium()
  const seen: string[] = []
  await watch(chromium, address, seen)
  if (account) await signUp(chromium, address, setupLink)
  return {
    ...one,
    address,
    chromium,
    open: async (path) => {
      const page = await chromium.context.newPage()
      await page.goto(`${address}${path}`)
      await page.getByRole('main').waitFor()
      return page
    },
    reports: (except) => seen.filter((text) => except === undefined || !except.test(text)),
    close: async () => {
      await chromium.close()
      await one.close()
    },
  }
}

/** Creates the first account over HTTP and gives its cookie to the browser. */
async function signUp({ context }: Chromium, address: string, setupLink: string | undefined): Promise<void> {
  const body = JSON.stringify({ ...ada, token: setupLink?.split('#')[1] })
  const headers = { 'Content-Type': 'application/json', Origin: address, 'Sec-Fetch-Site': 'same-origin' }
  const response = await fetch(`${address}/v1/setup`, { method: 'POST', body, headers })
  assert.equal(response.status, 201, await response.clone().text())
  const [name = '', value = ''] = (response.headers.get('Set-Cookie') ?? '').split(';')[0]?.split('=') ?? []
  await context.addCookies([{ name, value, url: address, httpOnly: true, sameSite: 'Lax' }])
}

async function watch({ context }: Chromium, address: string, seen: string[]): Promise<void> {
  await context.exposeFunction('reportViolation', (text: string) => seen.push(`policy: ${text}`))
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (e) => reportViolation(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample))`,
  )
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) seen.push(`console: ${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => seen.push(`error: ${String(error.error())}`))
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(address) && !/^(?:data|about|blob):/.test(url)) seen.push(`request: ${url}`)
  })
}

/** Asserts that axe finds no violation of WCAG 2.2 A and AA in the page as it is now, and no two landmarks of one name. */
export async function assertAccessible(page: Page, name: string): Promise<void> {
  await page.evaluate(axe)
  const found = await page.evaluate<readonly string[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`,
  )
  assert.deepEqual(found, [], name)
}

/** The same in light and in dark. */
export async function assertBothThemes(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await assertAccessible(page, `${name}, ${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: null })
}

type Project = { readonly id: string; readonly name: string; readonly repository: string }

/** The id of a project that the person of the page may see. */
export async function findProject(page: Page, isWanted: (project: Project) => boolean): Promise<string> {
  const read = `fetch('/v1/projects').then((found) => found.json())`
  const { projects } = await page.evaluate<{ readonly projects: readonly Project[] }>(read)
  return projects.find(isWanted)?.id ?? assert.fail('no such project')
}
