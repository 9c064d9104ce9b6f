import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ada, assertBothThemes, type Dashboard, openDashboard } from './open.ts'

const grace = { email: 'grace@example.com', name: 'Grace Hopper', password: 'five plain words side by side' }
/** The browser itself reports every response that refuses. */
const refusals = /status of 4\d\d/

/** Later tests use what earlier ones made: one service, one browser. */
suite('accounts, people, keys and the audit log', () => {
  let t: Dashboard
  before(async () => {
    t = await openDashboard({ 'index.md': '# Home\n' })
  })
  after(() => t.close())

  async function fillSignIn(page: Page, { email, password }: typeof ada): Promise<void> {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  test('a wrong password is said, and the right one leads back to the page', async () => {
    await t.chromium.context.clearCookies()
    const page = await t.open('/audit?who=operator')
    await page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor()
    await assertBothThemes(page, 'sign in')
    await fillSignIn(page, { ...ada, password: 'not the right one' })
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor()
    await fillSignIn(page, ada)
    await page.getByRole('heading', { name: 'Audit log' }).waitFor()
    assert.equal(new URL(page.url()).search, '?who=operator')
    await page.goto(`${t.address}/sign-in?back=/%5Cevil.test`)
    await fillSignIn(page, ada)
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    assert.equal(new URL(page.url()).host, new URL(t.address).host)
    await page.close()
    assert.deepEqual(t.reports(refusals), [])
  })

  test('after ten wrong passwords the page says how long to wait', async () => {
    const headers = { 'Content-Type': 'application/json', Origin: t.address, 'Sec-Fetch-Site': 'same-origin' }
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'guess' })
    for (let n = 0; n < 10; n += 1) await fetch(`${t.address}/v1/session`, { method: 'POST', headers, body })
    const page = await t.open('/sign-in')
    await fillSignIn(page, { ...ada, email: 'nobody@example.com' })
    await page
      .getByRole('alert')
      .getByText(/too many attempts\. Try again in 1[45] minutes/)
      .waitFor()
    await page.close()
  })

  test('a page on which nobody may sign in explains why and has no password field', async () => {
    const page = await t.chromium.context.newPage()
    const session = { person: null, expiresAt: null, setup: false, transport: 'plain', signIn: false }
    await page.route('**/v1/session', (route) => route.fulfill({ json: session }))
    await page.goto(`${t.address}/sign-in`)
    await page.getByRole('note').getByText('This connection is not encrypted').waitFor()
    await page.getByText('DOCENT_ALLOW_HTTP_SIGN_IN=true').waitFor()
    assert.equal(await page.getByLabel('Password').count(), 0)
    await assertBothThemes(page, 'sign in over plain http')
    await page.close()
  })

  test('a colleague is invited by a link and joins with it', async (context) => {
    const page = await t.open('/')
    const start = performance.now()
    let clicks = 0
    const press = async (role: 'link' | 'button', name: string | RegExp) => {
      clicks += 1
      await page.getByRole(role, { name }).click()
    }
    await press('link', 'People')
    await press('button', 'Invite a person')
    await page.getByRole('dialog').getByLabel('E-mail').fill(grace.email)
    await press('button', 'Create the link')
    const link = await page.getByLabel('Link of the invitation').innerText()
    const seconds = (performance.now() - start) / 1_000
    context.diagnostic(`invite a colleague: ${clicks} clicks, ${seconds.toFixed(1)} s`)
    await assertBothThemes(page, 'the link of an invitation')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row', { name: /grace@example.com Viewer Ada Lovelace Expires in 7 days/ }).waitFor()
    await assertBothThemes(page, 'people')
    await page.goto(link)
    await page.getByText('Ada Lovelace invited grace@example.com as viewer').waitFor()
    await assertBothThemes(page, 'an invitation')
    await page.getByLabel('Your name').fill(grace.name)
    await page.getByLabel('Password').fill('too short')
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByText('It must have at least 12 characters.').waitFor()
    await page.getByLabel('Password').fill(grace.password)
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('button', { name: 'Account: Grace Hopper' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'People' }).count(), 0)
    await page.goto(link)
    await page
      .getByRole('alert')
      .getByText(/used or withdrawn, or has expired/)
      .waitFor()
    await page.goto(`${t.address}/sign-in`)
    await fillSignIn(page, ada)
    await page.getByRole('button', { name: 'Account: Ada Lovelace' }).waitFor()
    await page.close()
    assert.ok(clicks <= 3)
    assert.deepEqual(t.reports(refusals), [])
  })

  test('a key is shown once, rotated and revoked', async () => {
    const page = await t.open('/keys')
    await page.getByRole('button', { name: 'Create a key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('CI')
    await dialog.getByLabel('Expires').selectOption('In 7 days')
    await dialog.getByLabel('Allowed addresses').fill('192.0.2.0/24, not-one')
    await assertBothThemes(page, 'a new key')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.getByText('is neither an IP address nor a network').waitFor()
    await dialog.getByLabel('Allowed addresses').fill('192.0.2.0/24')
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/keys', (route) => held.promise.then(() => route.continue()))
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.locator('button[aria-busy=true]').waitFor()
    // Sends nothing: there would be a second key.
    await dialog.getByLabel('Name').press('Enter')
    held.resolve()
    const key = await page.getByLabel('The key', { exact: true }).innerText()
    assert.match(key, /^docent_[0-9A-Za-z]{46}$/)
    assert.ok((await page.getByLabel('A request with the key').innerText()).includes(`Bearer ${key}`))
    await assertBothThemes(page, 'the key')
    // A click beside it must not lose it.
    await page.mouse.click(5, 5)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    const row = page.getByRole('row', { name: /^CI/ })
    await row.getByText('Soon').waitFor()
    await page.getByRole('button', { name: 'Actions for CI' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await dialog.getByLabel('The old key keeps working').selectOption({ index: 0 })
    await assertBothThemes(page, 'rotating a key')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: 'Actions for CI' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Show 2 that no longer work' }).click()
    await page.getByText('Revoked', { exact: true }).first().waitFor()
    assert.ok(!(await page.content()).includes(key))
    await assertBothThemes(page, 'keys')
    await page.close()
    assert.deepEqual(t.reports(refusals), [])
  })

  test('the audit log says who changed what, and is filtered by person', async () => {
    const page = await t.open('/audit')
    await page.getByRole('row', { name: /Ada Lovelace .*Revoked an API key .*key_/ }).waitFor()
    await page.getByRole('row', { name: /Grace Hopper Invitation .*Accepted an invitation/ }).waitFor()
    await assertBothThemes(page, 'the audit log')
    await page.getByLabel('Who').selectOption({ label: 'Operator: The command line on the machine' })
    await page
      .getByRole('row', { name: /Ada Lovelace/ })
      .first()
      .waitFor({ state: 'detached' })
    await page
      .getByRole('row', { name: /Operator Command line On the machine of the service Created/ })
      .first()
      .waitFor()
    assert.equal(new URL(page.url()).searchParams.get('who'), 'operator')
    await page.close()
  })

  test('a new password needs the current one, and signs the other browsers out', async () => {
    const page = await t.open('/')
    await page.getByRole('button', { name: 'Account: Ada Lovelace' }).click()
    await page.getByRole('menuitem', { name: 'Your account' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    const rows = page.getByRole('region', { name: 'Where you are signed in' }).getByRole('row')
    // The session that signed up over HTTP, and this one.
    await rows.getByRole('button', { name: 'Sign out node' }).first().waitFor()
    await assertBothThemes(page, 'account')
    const change = async (current: string, password: string) => {
      await page.getByLabel('Current password').fill(current)
      await page.getByLabel('New password').fill(password)
      await page.getByRole('button', { name: 'Change the password' }).click()
    }
    await change('wrong', 'another four plain words')
    await page.getByText('is not your current password').waitFor()
    await change(ada.password, 'another four plain words')
    await page.getByText('Your password has changed.').waitFor()
    await rows.getByRole('button', { name: 'Sign out node' }).waitFor({ state: 'detached' })
    const answered = page.waitForResponse((response) => response.url().endsWith('/v1/session/password'))
    await change('another four plain words', ada.password)
    assert.equal((await answered).status(), 204)
    await page.close()
    assert.deepEqual(t.reports(refusals), [])
  })

  test('the last admin keeps its role, and giving up the own role is asked', async () => {
    const page = await t.open('/people')
    const own = page.getByLabel('Role of Ada Lovelace')
    await page.getByText('The only admin').waitFor()
    assert.ok(await own.isDisabled())
    await page.getByLabel('Role of Grace Hopper').selectOption('admin')
    await page.getByText('Grace Hopper is admin now').waitFor()
    await own.selectOption('viewer')
    const dialog = page.getByRole('dialog', { name: 'Give up your own admin role?' })
    await dialog.waitFor()
    await assertBothThemes(page, 'giving up the own role')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await own.inputValue(), 'admin')
    await own.selectOption('viewer')
    await dialog.getByRole('button', { name: 'Become viewer' }).click()
    await fillSignIn(page, ada)
    await page.getByText('This page is for admins').waitFor()
    await assertBothThemes(page, 'a page for admins')
    await page.close()
    assert.deepEqual(t.reports(refusals), [])
  })
})
