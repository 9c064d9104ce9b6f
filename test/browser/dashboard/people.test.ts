// An admin who leaves, and one who came from a key with limits, as the page of people shows them.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ada, assertBothThemes, type Dashboard, openDashboard } from './open.ts'

suite('admins who leave or should not be there', () => {
  let t: Dashboard
  before(async () => {
    t = await openDashboard({ 'index.md': '# Home\n' })
    const cookies = await t.chromium.context.cookies()
    const ofAda = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    await joinAndMake(ofAda)
  })
  after(() => t.close())

  async function send(path: string, cookie: string, json: object) {
    const response = await fetch(t.address + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Cookie: cookie },
      body: JSON.stringify(json),
    })
    assert.equal(response.status, 201, await response.clone().text())
    const own = (response.headers.get('Set-Cookie') ?? '').split(';')[0] ?? ''
    return { own, body: (await response.json()) as { readonly link?: string } }
  }

  /** Grace becomes an admin, makes two keys and invites Kay. */
  async function joinAndMake(cookie: string) {
    const invited = await send('/v1/invitations', cookie, {
      email: 'grace@example.com',
      role: 'admin',
    })
    const token = invited.body.link?.split('#')[1] ?? ''
    const wanted = { name: 'Grace Hopper', password: ada.password }
    const joined = await send(`/v1/invitations/${token}/accept`, '', wanted)
    for (const name of ['Nightly import', 'CI']) await send('/v1/keys', joined.own, { name })
    await send('/v1/invitations', joined.own, { email: 'kay@example.com', role: 'admin' })
  }

  test('an admin from a key with limits is marked, and the role can be confirmed', async () => {
    const page = await t.open('/')
    await page.route('**/v1/people', async (route) => {
      const response = await route.fetch()
      const { people } = (await response.json()) as { people: readonly { readonly email: string }[] }
      const limitedKey = { id: 'key_0123456789abcdefghij', name: 'CI of one project' }
      await route.fulfill({ json: { people: people.map((one) => ({ ...one, limitedKey })) } })
    })
    await page.goto(`${t.address}/people`)
    const grace = page.getByRole('row', { name: /Grace Hopper/ })
    await grace.getByText('The role came from the key CI of one project, which has limits.').waitFor()
    await page.getByText('Another admin has to confirm it.').waitFor()
    assert.equal(await page.getByRole('button', { name: /Confirm the role of/ }).count(), 1)
    await assertBothThemes(page, 'an admin to check')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await grace.getByRole('button', { name: 'Confirm the role of Grace Hopper' }).click()
    assert.deepEqual((await sent).postDataJSON(), { role: 'admin' })
    await page.close()
    assert.deepEqual(t.reports(), [])
  })

  test('after a removal the keys are listed, and revoked on request', async () => {
    const page = await t.open('/people')
    await page.getByRole('row', { name: /kay@example\.com/ }).waitFor()
    await page.getByRole('button', { name: 'Remove Grace Hopper' }).click()
    const asked = page.getByRole('dialog', { name: 'Remove Grace Hopper?' })
    await asked.getByText('Their invitations are withdrawn.').waitFor()
    await asked.getByRole('button', { name: 'Remove' }).click()
    const left = page.getByRole('dialog', { name: 'Revoke the keys of Grace Hopper?' })
    for (const text of ['Nightly import', 'CI']) await left.getByRole('listitem').filter({ hasText: text }).waitFor()
    await left.getByText('Withdrawn invitations: kay@example.com').waitFor()
    await assertBothThemes(page, 'the keys of a person who left')
    await left.getByRole('button', { name: 'Revoke 2 keys' }).click()
    await page.getByText('2 keys are revoked').waitFor()
    await page.getByRole('row', { name: /kay@example\.com/ }).waitFor({ state: 'detached' })
    await page.goto(`${t.address}/keys`)
    await page.getByText(/that no longer work/).click()
    assert.equal(await page.getByRole('row').filter({ hasText: 'Revoked' }).count(), 2)
    await page.close()
    assert.deepEqual(t.reports(), [])
  })
})
