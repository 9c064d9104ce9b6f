import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { type ForgeOptions, startForge } from '../../../test/support/forge/forge.ts'
import type { AppDelivery } from '../../../test/support/forge/github-app.ts'
import type { Cleanup } from '../../../test/support/git-remote.ts'
import { openTestApp, type TestApp } from '../../../test/support/openapi-app.ts'
import { createForgeClient } from '../../forge/client.ts'
import { gitHubHeaders } from '../../forge/github/github.ts'
import { createLog } from '../../lib/observability/log.ts'
import { storeForgeApp } from './forge-apps.ts'
import { askAgain } from './redeliver.ts'

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute
const newest = Date.parse('2026-11-20T09:00:00Z')

/** The newest first; `ago`: before the newest one. */
function deliver(id: number, ago: number, given: Partial<AppDelivery> = {}): AppDelivery {
  const delivered_at = new Date(newest - ago).toISOString()
  const usual = { guid: `guid-${id}`, redelivery: false, status_code: 200, event: 'push', repository_id: 1 }
  return { id, delivered_at, ...usual, ...given }
}

suite('deliveries that failed', () => {
  let t: TestApp
  beforeEach(async () => {
    t = await openTestApp()
    await t.db.deleteFrom('forge_apps').execute()
  })

  async function arrange(cleanup: Cleanup, webhookSecret: string | null = 'the secret') {
    const options: ForgeOptions = { kind: 'github' }
    const forge = await startForge(cleanup, options)
    const openClient: typeof t.deps.forgeApps.openClient = (apiUrl, authorization) =>
      createForgeClient({ apiUrl, authorization, headers: gitHubHeaders, privateHosts: [forge.host] })
    const context = { ...t.deps.forgeApps, openClient }
    const { id: appId, slug, name, privateKey } = forge.createApp()
    const details = { appId, slug, name, owner: null, permissions: {} }
    const secrets = { privateKey, webhookSecret, clientId: null, clientSecret: null }
    await storeForgeApp(context, { id: `app_${'a'.repeat(20)}`, webUrl: forge.web, details, secrets })
    const [app] = forge.apps
    assert.ok(app)
    const look = (pause = 0) =>
      askAgain({ ...context, log: createLog('silent'), signal: new AbortController().signal }, pause)
    return { app, look, forge }
  }

  test('those without a response are asked for once, one for each event and repository', async (cleanup) => {
    const { app, look } = await arrange(cleanup)
    app.deliveries.push(
      deliver(9, 0),
      deliver(8, 1 * second, { status_code: 0 }),
      deliver(7, 2 * second, { status_code: 502 }),
      deliver(6, 3 * second, { status_code: 502, event: 'issue_comment' }),
      deliver(5, 4 * second, { status_code: 504, repository_id: 2 }),
      // Refused as forged, and asked for by a person, with and without a success.
      deliver(4, 5 * second, { status_code: 401, repository_id: 3 }),
      deliver(3, 6 * second, { redelivery: true, guid: 'guid-1', status_code: 502, repository_id: 4 }),
      deliver(2, 7 * second, { status_code: 0, event: 'ping', repository_id: null }),
      deliver(1, 8 * second, { status_code: 502, repository_id: 4 }),
    )
    await look()
    assert.deepEqual(app.askedAgain, [8, 6, 5, 2])
    await look()
    assert.deepEqual(app.askedAgain, [8, 6, 5, 2], 'the list was read up to the newest one')
    app.deliveries.unshift(deliver(10, -minute, { status_code: 0 }))
    await look(minute / second)
    assert.deepEqual(app.askedAgain, [8, 6, 5, 2], 'another process has just read the list')
    await look()
    assert.deepEqual(app.askedAgain, [8, 6, 5, 2, 10])
  })

  test('the list is read over pages, to three days and to a thousand entries', async (cleanup) => {
    const { app, look, forge } = await arrange(cleanup)
    const failed = { status_code: 0 }
    for (let at = 0; at < 250; at += 1) app.deliveries.push(deliver(1_000 - at, at * second))
    app.deliveries.push(deliver(3, 3 * day - second, { ...failed, repository_id: 2 }))
    app.deliveries.push(deliver(2, 3 * day + second, { ...failed, repository_id: 3 }))
    await look()
    assert.deepEqual(app.askedAgain, [3])
    const lists = () => forge.requests.filter(({ route }) => route === 'GET /app/hook/deliveries').length
    assert.equal(lists(), 3)
    for (let at = 0; at < 1_200; at += 1) {
      app.deliveries.unshift(deliver(2_000 + at, -minute - at * second, { ...failed, repository_id: 10 + at }))
    }
    await look()
    assert.equal(lists(), 13)
    assert.equal(app.askedAgain.length, 1 + 50, 'fifty at most')
    assert.equal(app.askedAgain[1], 3_199, 'the newest first')
  })

  test('an App that was created elsewhere is not asked', async (cleanup) => {
    const { app, look } = await arrange(cleanup, null)
    app.deliveries.push(deliver(1, 0, { status_code: 0 }))
    await look()
    assert.deepEqual(app.askedAgain, [])
  })

  test('a list that cannot be read is read at the next look', async (cleanup) => {
    const { app, look, forge } = await arrange(cleanup)
    app.deliveries.push(deliver(1, 0, { status_code: 0 }))
    forge.failOnce('GET /app/hook/deliveries', { kind: 'answer after', status: 404, body: '{}' })
    await look()
    assert.deepEqual(app.askedAgain, [])
    await look()
    assert.deepEqual(app.askedAgain, [1])
  })
})
