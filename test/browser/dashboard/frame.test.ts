// The frame around the pages, under the path of a proxy that keeps it, and the flows that fail: each says so, and the
// person continues where they were.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ada, assertAccessible, type Dashboard, openDashboard } from './open.ts'

const prefix = '/tools/docent'
const host = 'http://127.0.0.1'
/** Chromium writes a line for each request that is refused, which is what these tests are about. */
const expected = /status of 40[1349]|ERR_CONNECTION_REFUSED/

suite('the frame of the dashboard', () => {
  let t: Dashboard
  let project: string
  before(async () => {
    t = await openDashboard({ 'index.md': '# Home\n' }, { DOCENT_PUBLIC_URL: `${host}${prefix}` })
    project = `${prefix}/projects/${t.client.projectId}`
  })
  after(() => t.close())

  const headingOf = (page: Page) => page.getByRole('heading', { level: 1 })
  const own = () => ({ Origin: t.address, 'Sec-Fetch-Site': 'same-origin' })
  const post = (path: string, data: object) =>
    t.chromium.context.request.fetch(`${t.address}${prefix}${path}`, {
      method: 'POST',
      data,
      headers: own(),
    })

  test('the first paint needs at most six requests, and no response of the API', async () => {
    const headers = { Accept: 'text/html' }
    const html = await (await fetch(`${t.address}${prefix}/`, { headers })).text()
    const named = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => `${t.address}${path}`)
    const needed = new Set(named)
    assert.ok(needed.size >= 3 && needed.size <= 5, named.join(' '))
    for (const path of [`${prefix}/`, `${project}/jobs`, `${prefix}/audit`]) {
      const page = await t.chromium.context.newPage()
      const held = Promise.withResolvers<void>()
      await page.route('**', async (route) => {
        const isNeeded = route.request().isNavigationRequest() || needed.has(route.request().url())
        if (!isNeeded) await held.promise
        await route.continue()
      })
      await page.goto(`${t.address}${path}`)
      await page.getByText('Docent').waitFor()
      held.resolve()
      await headingOf(page).waitFor()
      await page.close()
    }
    assert.deepEqual(t.reports(expected), [])
  })

  test('by keyboard: past the navigation, to another page, to its heading', async () => {
    const page = await t.open(`${prefix}/`)
    await headingOf(page).waitFor()
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Skip to the content')
    await page.getByRole('link', { name: 'People' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('h1:focus').getByText('People').waitFor()
    assert.equal(await page.title(), 'People · Docent')
    await page.close()
  })

  test('the account menu changes the theme, and gives the focus back', async () => {
    const page = await t.open(`${prefix}/`)
    await page.getByRole('button', { name: `Account: ${ada.name}` }).press('Enter')
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    await assertAccessible(page, 'the account menu, dark')
    await page.getByRole('menuitemradio', { name: 'System' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    assert.match(await focused(page), /^Ada Lovelace/)
    assert.deepEqual(t.reports(), [])
    await page.close()
  })

  test('an address with nothing says so, also of projects, jobs and pull requests', async () => {
    for (const path of [
      `${prefix}/nothing/here`,
      `${prefix}/projects/prj_00000000000000000000/jobs`,
      `${project}/jobs/job_00000000000000000000`,
      `${project}/pulls/99`,
    ]) {
      const page = await t.open(path)
      await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
      await assertAccessible(page, path)
      await page.getByRole('link', { name: 'Go to the start' }).click()
      await page.getByRole('heading', { name: 'Projects' }).or(headingOf(page)).first().waitFor()
      await page.close()
    }
    assert.deepEqual(t.reports(expected), [])
  })

  test('while the service is gone a banner says so, and the page recovers', async () => {
    const page = await t.open(`${prefix}/`)
    await headingOf(page).waitFor()
    await page.route('**/v1/**', (route) => route.abort('connectionrefused'))
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('alert').getByText('Docent does not respond.').waitFor()
    await assertAccessible(page, 'the service is gone')
    // The banner also tries by itself, so the button may be gone as soon as the service is back.
    await page.getByRole('button', { name: 'Try now' }).click()
    await page.unroute('**/v1/**')
    await page.getByText('The service responds again').waitFor()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Audit log' }).waitFor()
    assert.deepEqual(t.reports(expected), [])
    await page.close()
  })

  test('a service that takes a request and is silent is named after a few seconds', async () => {
    const page = await t.chromium.context.newPage()
    const silence = Promise.withResolvers<void>()
    await page.clock.install()
    await page.route('**/v1/**', async (route) => {
      await silence.promise
      await route.continue()
    })
    await page.goto(`${t.address}${prefix}/`)
    const late = page.getByRole('status').getByText('Docent has not responded yet.')
    for (let waited = 0; waited < 20 && !(await late.isVisible()); waited += 1) await page.clock.runFor(1_000)
    await late.waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Docent' }).waitFor()
    await assertAccessible(page, 'a silent service')
    silence.resolve()
    await page.clock.resume()
    await headingOf(page).getByText('Home').waitFor()
    assert.deepEqual(t.reports(expected), [])
    await page.close()
  })

  test('after the end of a session, signing in over the page keeps its input', async () => {
    const page = await t.open(`${project}/jobs/new`)
    const draft = page.getByRole('textbox').first()
    await draft.fill('Explain how to uninstall it.')
    await t.chromium.context.clearCookies()
    await page.getByRole('button', { name: /create|start/i }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByLabel('E-mail').fill(ada.email)
    await dialog.getByLabel('Password').fill('a wrong password')
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.getByRole('alert').waitFor()
    await assertAccessible(page, 'sign in again')
    await dialog.getByLabel('Password').fill(ada.password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await draft.inputValue(), 'Explain how to uninstall it.')
    assert.ok(page.url().endsWith('/jobs/new'))
    assert.deepEqual(t.reports(expected), [])
    await page.close()
  })

  test('a save while the service is gone keeps the input, and works once it is back', async () => {
    const page = await t.open(`${project}/settings/general`)
    const name = page.getByLabel('Name', { exact: true })
    const save = page.getByRole('button', { name: 'Save' }).first()
    const before = await name.inputValue()
    await name.fill('Docs of Acme')
    await page.route('**/v1/**', (route) => route.abort('connectionrefused'))
    await save.click()
    await page.getByRole('main').getByRole('alert').getByText('The service does not respond.').waitFor()
    await page.getByRole('alert').getByText('Docent does not respond.').waitFor()
    await assertAccessible(page, 'a save without the service')
    // The banner also tries by itself, so the button may be gone as soon as the service is back.
    await page.getByRole('button', { name: 'Try now' }).click()
    await page.unroute('**/v1/**')
    await page.getByText('The service responds again').waitFor()
    assert.equal(await name.inputValue(), 'Docs of Acme')
    await save.click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(await page.getByRole('main').getByRole('alert').count(), 0)
    const stored = await t.chromium.context.request.patch(`${t.address}${prefix}/v1/projects/${t.client.projectId}`, {
      data: { name: before },
      headers: own(),
    })
    assert.equal(((await stored.json()) as { name: string }).name, before)
    assert.deepEqual(t.reports(expected), [])
    await page.close()
  })

  test('a job that failed because of a setting links to the page of it', async () => {
    const { id } = await t.client.create('Improve it')
    await t.client.ended(id)
    const page = await t.open(`${project}/jobs/${id}`)
    const failure = page.getByRole('region', { name: 'Why it failed' })
    await failure.getByText('model_not_configured').waitFor()
    await assertAccessible(page, 'a job without a model')
    await failure.getByRole('link', { name: 'Open the models' }).click()
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
    assert.deepEqual(t.reports(expected), [])
    await page.close()
  })

  test('a key that somebody revoked meanwhile is refused, and leaves the page', async () => {
    const created = await post('/v1/keys', { name: 'Build server', scope: 'read' })
    const { id } = (await created.json()) as { readonly id: string }
    const page = await t.open(`${prefix}/keys`)
    const row = page.getByRole('row', { name: /Build server/ })
    await row.waitFor()
    // The page that is open does not know of it.
    const revoked = await t.chromium.context.request.delete(`${t.address}${prefix}/v1/keys/${id}`, { headers: own() })
    assert.equal(revoked.status(), 204)
    await row.getByRole('button', { name: 'Actions for Build server' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rotate Build server?' })
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await dialog.getByRole('alert').getByText('The key is revoked.').waitFor()
    await assertAccessible(page, 'a key that is revoked')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('dialog', { name: 'Create a key' }).waitFor()
    assert.deepEqual(t.reports(expected), [])
    await page.close()
  })

  test('a tab of an older build loads itself again', async () => {
    const page = await t.open(`${prefix}/`)
    await headingOf(page).waitFor()
    await page.evaluate('window.isOld = true')
    await page.route('**/assets/audit-*.js', (route) => route.fulfill({ status: 404, body: '' }), { times: 1 })
    const loaded = page.waitForEvent('load')
    await page.getByRole('link', { name: 'Audit log' }).click()
    await loaded
    await headingOf(page).waitFor()
    assert.equal(await page.evaluate('window.isOld'), undefined)
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('heading', { name: 'Audit log' }).waitFor()
    assert.deepEqual(t.reports(expected), [])
    await page.close()
  })

  test('a page of somebody whose role changed says so, and its navigation follows', async () => {
    const page = await t.open(`${prefix}/audit`)
    await headingOf(page).waitFor()
    await becomeViewer(t)
    // The audit log has read the keys and the people already.
    await page.getByRole('link', { name: 'Models' }).click()
    // A changed role ends the sessions of the person.
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByLabel('E-mail').fill(ada.email)
    await dialog.getByLabel('Password').fill(ada.password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
    await page.getByText('This page is for admins').waitFor()
    assert.equal(await page.getByRole('link', { name: 'People' }).count(), 0)
    // Nothing is asked that a viewer may not read.
    const refused: string[] = []
    page.on('response', (response) => response.status() === 403 && refused.push(response.url()))
    for (const [path, title, people] of [
      ['/get-started', 'Get started', 'admins'],
      ['/get-started/model', 'Get started', 'admins'],
      ['/keys', 'API keys', 'admins'],
      ['/github-apps', 'GitHub Apps', 'admins'],
      ['/projects/new', 'New project', 'admins'],
      [`${project.slice(prefix.length)}/settings/jobs`, 'Settings', 'admins'],
      [`${project.slice(prefix.length)}/jobs/new`, 'New job', 'editors and admins'],
    ] as const) {
      await page.goto(`${t.address}${prefix}${path}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.getByText(`This page is for ${people}`).waitFor()
    }
    assert.deepEqual(refused, [])
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('Docs').first().waitFor()
    assert.deepEqual(t.reports(expected), [])
    await page.close()
  })

  test('behind a proxy that removes the path, page, assets and API are there', async () => {
    const proxy = createServer((incoming, outgoing) => {
      const { method, headers, url = '/' } = incoming
      const target = `${t.address}${url.slice(prefix.length)}`
      incoming.pipe(
        forward(target, { method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(outgoing)
        }),
      )
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const own = `${host}:${(proxy.address() as AddressInfo).port}`
    const page = await t.chromium.context.newPage()
    await page.goto(`${own}${project}/visitors`)
    await headingOf(page).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('Docs').first().waitFor()
    assert.ok(page.url().startsWith(`${own}${prefix}`))
    await page.close()
    proxy.closeAllConnections()
    proxy.close()
    assert.deepEqual(t.reports(new RegExp(`${expected.source}|${own}`)), [])
  })

  /** A second admin makes Ada a viewer. */
  async function becomeViewer({ address }: Dashboard): Promise<void> {
    const invited = await post('/v1/invitations', { email: 'grace@example.com', role: 'admin' })
    assert.equal(invited.status(), 201, await invited.text())
    const { link } = (await invited.json()) as { readonly link: string }
    const token = link.split('#')[1] ?? ''
    const headers = { 'Content-Type': 'application/json', Origin: address, 'Sec-Fetch-Site': 'same-origin' }
    const body = JSON.stringify({ name: 'Grace Hopper', password: 'another four plain words' })
    const accepted = await fetch(`${address}/v1/invitations/${token}/accept`, { method: 'POST', headers, body })
    assert.ok(accepted.ok, await accepted.clone().text())
    const cookie = (accepted.headers.get('Set-Cookie') ?? '').split(';')[0] ?? ''
    const own = { ...headers, Cookie: cookie }
    const { people } = (await (await fetch(`${address}/v1/people`, { headers: own })).json()) as {
      readonly people: readonly { readonly id: string; readonly email: string }[]
    }
    const id = people.find(({ email }) => email === ada.email)?.id
    const change = { method: 'PATCH', headers: own, body: JSON.stringify({ role: 'viewer' }) }
    const changed = await fetch(`${address}/v1/people/${id}`, change)
    assert.ok(changed.ok, await changed.text())
  }
})

async function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement?.textContent ?? ""')
}
