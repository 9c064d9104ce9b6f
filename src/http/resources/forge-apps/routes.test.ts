import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { startForge, type TestForge } from '../../../../test/support/forge/forge.ts'
import type { ForgeFault } from '../../../../test/support/forge/server.ts'
import type { Cleanup } from '../../../../test/support/git-remote.ts'
import { createManualClock, type ManualClock } from '../../../../test/support/manual-clock.ts'
import {
  expectProblem,
  openTestApp,
  publicUrl,
  type Started,
  type TestApp,
} from '../../../../test/support/openapi-app.ts'
import { createForgeClient } from '../../../forge/client.ts'
import { gitHubHeaders } from '../../../forge/github/github.ts'
import type { BegunForgeApp } from '../../../projects/forge-apps/create.ts'
import { generateKey, parseKeys } from '../../../secrets/keys.ts'
import { createSecrets } from '../../../secrets/secrets.ts'
import type { ForgeApp } from '../../../projects/forge-apps/forge-app.ts'
import type { ForgeAppCheck, ForgeAppsContext } from '../../../projects/forge-apps/forge-apps.ts'

const hour = 3_600_000
const wantedPermissions =
  'actions read,checks read,contents write,issues write,metadata read,pull_requests write,statuses read'.split(',')
const otherKeys = parseKeys(generateKey())

suite('the GitHub App of the service', () => {
  let t: TestApp
  before(async () => {
    t = await openTestApp()
  })

  type Setup = Started & {
    readonly forge: TestForge
    readonly clock: ManualClock
    readonly admin: string
    readonly forgeApps: ForgeAppsContext
  }

  const setUp = async (test: Cleanup, url = publicUrl): Promise<Setup> => {
    await t.db.deleteFrom('forge_apps').execute()
    await t.db.deleteFrom('forge_app_states').execute()
    const forge = await startForge(test, { kind: 'github' })
    const clock = createManualClock(new Date())
    const forgeApps = {
      ...t.deps.forgeApps,
      publicUrl: url,
      clock,
      checkAddress: (address: string) => address,
      openClient: (apiUrl: string, authorization: Parameters<typeof createForgeClient>[0]['authorization']) =>
        createForgeClient({ apiUrl, authorization, headers: gitHubHeaders, privateHosts: [forge.host] }),
    }
    return { ...(await t.start({ forgeApps })), forge, clock, admin: t.keys.admin, forgeApps }
  }

  const begin = async ({ call, forge, admin }: Setup, given: Record<string, unknown> = {}) => {
    const json = { webUrl: forge.web, name: 'Docent Acme', ...given }
    const response = await call('/v1/forge-apps', { key: admin, json })
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as BegunForgeApp
  }
  const open = async ({ call }: Setup, address: string) => {
    const { pathname, search } = new URL(address)
    const response = await call(pathname + search, { key: null })
    return { response, text: await response.text() }
  }
  /** Submits the form of the page as a browser does, and returns the address that GitHub redirects to. */
  const submit = async (text: string) => {
    const action = unescape(/<form method="post" action="([^"]+)"/.exec(text)?.[1])
    const manifest = unescape(/name="manifest" value="([^"]+)"/.exec(text)?.[1])
    const sent = { method: 'POST', body: new URLSearchParams({ manifest }), redirect: 'manual' } as const
    const location = (await fetch(action, sent)).headers.get('location') ?? ''
    return { action, manifest: JSON.parse(manifest) as Record<string, unknown>, location }
  }
  const list = async ({ call, admin }: Setup) =>
    ((await (await call('/v1/forge-apps', { key: admin })).json()) as { forgeApps: ForgeApp[] }).forgeApps
  const check = async ({ call, admin }: Setup, id: string) => {
    const response = await call(`/v1/forge-apps/${id}/check`, { key: admin, method: 'POST' })
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as ForgeAppCheck
  }
  const remove = ({ call, admin }: Setup, id: string) => call(`/v1/forge-apps/${id}`, { key: admin, method: 'DELETE' })
  const put = ({ call, admin, forge }: Setup, given: Record<string, unknown>) =>
    call('/v1/forge-apps', { key: admin, method: 'PUT', json: { webUrl: forge.web, ...given } })

  test('is created at GitHub with one click, installed, and checked', async (test) => {
    const setup = await setUp(test)
    const { id, openUrl } = await begin(setup, { organization: 'acme' })
    assert.deepEqual(await list(setup), [])
    const first = await open(setup, openUrl)
    assert.equal(first.response.status, 200)
    const policy = first.response.headers.get('Content-Security-Policy') ?? ''
    assert.equal(policy.split('form-action ')[1], setup.forge.web)
    assert.match(policy, /^default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none';/)
    assert.equal(first.response.headers.get('Referrer-Policy'), 'no-referrer')

    const { action, location } = await submit(first.text)
    assert.match(action, /\/organizations\/acme\/settings\/apps\/new\?state=[0-9A-Za-z]{40}$/)
    const created = await open(setup, location)
    assert.equal(created.response.status, 200, created.text)
    const [app] = await list(setup)
    assert.ok(app)
    assert.deepEqual([app.id, app.name, app.owner, app.webUrl], [id, 'Docent Acme', 'acme', setup.forge.web])
    assert.ok(created.text.includes(app.installUrl))

    const back = (await fetch(app.installUrl, { redirect: 'manual' })).headers.get('location') ?? ''
    const installed = await open(setup, back)
    const number = new URL(back).searchParams.get('installation_id') ?? ''
    assert.ok(installed.text.includes(`--installation ${number}`))
    const checked = await check(setup, id)
    assert.deepEqual(checked.missing, [])
    assert.deepEqual(
      checked.installations.map((one) => [one.id, one.account, one.isSuspended]),
      [[Number(number), 'acme', false]],
    )
  })

  test('neither a response nor the database shows its private key', async (test) => {
    const setup = await setUp(test)
    const { text } = await open(setup, (await begin(setup)).openUrl)
    const created = await open(setup, (await submit(text)).location)
    const rows = JSON.stringify(await t.db.selectFrom('forge_apps').selectAll().execute())
    const shown = JSON.stringify([await list(setup), t.log, created.text, rows])
    const pem = setup.forge.apps[0]?.privateKey ?? ''
    const line = pem.split('\n')[1] ?? ''
    assert.ok(line.length > 40)
    assert.ok(!shown.includes(line) && !shown.includes('PRIVATE KEY'))
    assert.ok(!shown.includes(Buffer.from(pem).toString('base64').slice(60, 120)))
  })

  test('the manifest requests no workflows permission, and webhooks only over https', async (test) => {
    for (const [url, active, hook] of [
      ['https://docs.test', true, /^https:\/\/docs\.test\/v1\/hooks\/github\/app_/],
      ['http://localhost:4100', false, /^https:\/\/example\.com\//],
    ] as const) {
      const setup = await setUp(test, url)
      const { openUrl } = await begin(setup)
      assert.ok(openUrl.startsWith(`${url}/github/new?state=`))
      const { manifest } = await submit((await open(setup, openUrl)).text)
      const hooks = manifest['hook_attributes'] as { url: string; active: boolean }
      assert.equal(hooks.active, active)
      assert.match(hooks.url, hook)
      assert.equal(manifest['redirect_url'], `${url}/github/created`)
      assert.equal(manifest['public'], false)
      const permissions = Object.entries(manifest['default_permissions'] as Record<string, string>)
      assert.deepEqual(permissions.map((one) => one.join(' ')).toSorted(), wantedPermissions)
      assert.equal((manifest['default_events'] as string[]).length, 7)
    }
  })

  test('the redirect from GitHub works once, for an hour, and only with its state', async (test) => {
    const setup = await setUp(test)
    const { openUrl } = await begin(setup)
    const { location } = await submit((await open(setup, openUrl)).text)
    const other = new URL(location)
    other.searchParams.set('state', 'x'.repeat(40))
    assert.equal((await open(setup, other.href)).response.status, 404)
    assert.equal((await open(setup, location)).response.status, 200)
    const again = await open(setup, location)
    assert.equal(again.response.status, 404)
    assert.match(again.text, /docent github create-app/)
    assert.equal((await open(setup, openUrl)).response.status, 404)
    assert.equal((await list(setup)).length, 1)

    await remove(setup, (await list(setup))[0]?.id ?? '')
    const late = await begin(setup)
    await setup.clock.pass(hour)
    assert.equal((await open(setup, late.openUrl)).response.status, 200)
    const lateBack = (await submit((await open(setup, late.openUrl)).text)).location
    await setup.clock.pass(1)
    assert.equal((await open(setup, late.openUrl)).response.status, 404)
    assert.equal((await open(setup, lateBack)).response.status, 404)
    assert.deepEqual(await list(setup), [])
  })

  test('states are stored as digests', async (test) => {
    const setup = await setUp(test)
    const { openUrl } = await begin(setup)
    const state = new URL(openUrl).searchParams.get('state') ?? ''
    const rows = await t.db.selectFrom('forge_app_states').selectAll().execute()
    assert.equal(rows.length, 1)
    assert.ok(!JSON.stringify(rows).includes(state))
  })

  test('if the exchange loses its response, the page says to delete the App and retry', async (test) => {
    const faults: ForgeFault[] = [
      { kind: 'lose answer' },
      { kind: 'truncate' },
      { kind: 'answer after', status: 502, body: '<html>Bad gateway</html>' },
    ]
    for (const fault of faults) {
      const setup = await setUp(test)
      const { openUrl } = await begin(setup, { organization: 'acme' })
      const { location } = await submit((await open(setup, openUrl)).text)
      setup.forge.failOnce('POST /app-manifests/:code/conversions', fault)
      const { response, text: shown } = await open(setup, location)
      assert.equal(response.status, 503)
      assert.match(shown, new RegExp(`Delete the App .*/settings/apps, .*--url ${setup.forge.web} --organization acme`))
      assert.deepEqual(await list(setup), [])
      assert.equal((await open(setup, location)).response.status, 404)
      await begin(setup)
    }
  })

  test('a host has one App, and a second one is refused until it is deleted', async (test) => {
    const setup = await setUp(test)
    const app = setup.forge.createApp()
    assert.equal((await put(setup, { appId: app.id, privateKey: app.privateKey })).status, 200)
    const json = { webUrl: setup.forge.web, name: 'Second' }
    const refused = await setup.call('/v1/forge-apps', { key: setup.admin, json })
    const { detail } = await expectProblem(refused, 400, 'invalid_input')
    const [stored] = await list(setup)
    assert.ok(stored && detail.includes(`docent github delete-app ${stored.id}`))
    assert.equal((await remove(setup, stored.id)).status, 204)
    await expectProblem(await remove(setup, stored.id), 404, 'not_found')
    await begin(setup)
  })

  test('an existing App is stored only if GitHub accepts its key', async (test) => {
    const setup = await setUp(test)
    const [app, other] = [setup.forge.createApp(), setup.forge.createApp()]
    const wrong = await put(setup, { appId: app.id, privateKey: other.privateKey })
    const { detail } = await expectProblem(wrong, 403, 'repository_unauthorized')
    assert.match(detail, /docent github set-app/)
    await expectProblem(await put(setup, { appId: app.id, privateKey: 'no key' }), 400, 'invalid_input')
    assert.deepEqual(await list(setup), [])
    const first = (await (await put(setup, { appId: app.id, privateKey: app.privateKey })).json()) as ForgeApp
    const again = (await (await put(setup, { appId: app.id, privateKey: app.privateKey })).json()) as ForgeApp
    assert.deepEqual([again.id, again.slug], [first.id, app.slug])
    assert.equal((await list(setup)).length, 1)
  })

  test('an App whose encryption key is lost is listed with the command that sets its key', async (test) => {
    const setup = await setUp(test)
    const app = setup.forge.createApp()
    const stored = (await (await put(setup, { appId: app.id, privateKey: app.privateKey })).json()) as ForgeApp
    assert.equal(stored.problem, null)
    const secrets = createSecrets(() => otherKeys)
    const lost = await t.start({ forgeApps: { ...setup.forgeApps, secrets } })
    const [shown] = await list({ ...setup, ...lost })
    assert.match(
      shown?.problem ?? '',
      /Find the key, or generate a new one at .*, then run: docent github set-app --app-id \d+ --url http:\S+ --private-key-file FILE$/,
    )
    const path = `/v1/forge-apps/${stored.id}/check`
    const refused = await lost.call(path, { key: setup.admin, method: 'POST' })
    await expectProblem(refused, 403, 'repository_unauthorized')
    const again = await put({ ...setup, ...lost }, { appId: app.id, privateKey: app.privateKey })
    assert.equal(((await again.json()) as ForgeApp).problem, null)
    assert.equal((await list({ ...setup, ...lost }))[0]?.problem, null)
  })

  test('a check names the missing permissions, and the page that grants them', async (test) => {
    const setup = await setUp(test)
    const app = setup.forge.createApp({ permissions: { contents: 'read', metadata: 'read' } })
    const stored = (await (await put(setup, { appId: app.id, privateKey: app.privateKey })).json()) as ForgeApp
    const { missing } = await check(setup, stored.id)
    assert.deepEqual(
      missing.map(({ permission }) => permission),
      ['contents', 'pull_requests', 'issues', 'checks', 'statuses'],
    )
    for (const { remedy } of missing) assert.ok(remedy.includes(stored.pageUrl))
  })

  test('an installation of another App is not shown as ours', async (test) => {
    const setup = await setUp(test)
    const app = setup.forge.createApp()
    await put(setup, { appId: app.id, privateKey: app.privateKey })
    for (const id of [String(app.installationId + 999), '0', '-1', 'x', '1e3', '9'.repeat(30), '']) {
      const { response } = await open(setup, `${publicUrl}/github/installed?installation_id=${id}`)
      assert.equal(response.status, 404, id)
    }
    const { response } = await open(setup, `${publicUrl}/github/installed?installation_id=${app.installationId}`)
    assert.equal(response.status, 200)
  })

  test('requests to pages that call GitHub are rate limited', async (test) => {
    const setup = await setUp(test)
    const statuses: number[] = []
    for (let i = 0; i < 21; i += 1) {
      statuses.push((await open(setup, `${publicUrl}/github/installed?installation_id=1`)).response.status)
    }
    assert.deepEqual([statuses.slice(0, 20).every((status) => status === 404), statuses[20]], [true, 429])
  })

  test('only an admin key for all projects can manage the App', async (test) => {
    const setup = await setUp(test)
    const id = 'app_00000000000000000000'
    const json = { webUrl: setup.forge.web, name: 'x' }
    const calls = [
      ['/v1/forge-apps', {}],
      ['/v1/forge-apps', { json }],
      ['/v1/forge-apps', { method: 'PUT', json: { appId: 1, privateKey: 'x' } }],
      [`/v1/forge-apps/${id}`, { method: 'DELETE' }],
      [`/v1/forge-apps/${id}/check`, { method: 'POST' }],
    ] as const
    for (const [path, options] of calls) {
      for (const key of [t.keys.write, t.keys.adminOfProject]) {
        await expectProblem(await setup.call(path, { ...options, key }), 403, 'forbidden')
      }
      await expectProblem(await setup.call(path, { ...options, key: null }), 401, 'unauthenticated')
    }
  })

  test('an address that is not a GitHub server is refused', async (test) => {
    const setup = await setUp(test)
    const wrong = [
      'x',
      'ftp://github.com',
      'https://github.com/acme',
      'https://github.com/?x',
      'https://u:p@github.com',
    ]
    for (const webUrl of wrong) {
      const refused = await setup.call('/v1/forge-apps', { key: setup.admin, json: { webUrl, name: 'x' } })
      const { details } = await expectProblem(refused, 400, 'invalid_input')
      assert.equal(details?.[0]?.pointer, '#/webUrl', webUrl)
    }
  })
})

function unescape(text = ''): string {
  return text.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&#39;', "'")
}
