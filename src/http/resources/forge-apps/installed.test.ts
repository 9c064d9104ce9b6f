import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startForge } from '../../../../test/support/forge/forge.ts'
import { openTestApp } from '../../../../test/support/openapi-app.ts'
import { createForgeClient } from '../../../forge/client.ts'
import { gitHubHeaders } from '../../../forge/github/github.ts'
import { listForgeApps, storeForgeApp } from '../../../projects/forge-apps/forge-apps.ts'
import { generateKey, parseKeys } from '../../../secrets/keys.ts'
import { createSecrets } from '../../../secrets/secrets.ts'

suite('the page of an installed App', () => {
  test('an App whose key cannot be read does not hide the installation of another', async (test) => {
    const { deps, start } = await openTestApp()
    await deps.forgeApps.db.deleteFrom('forge_apps').execute()
    const forge = await startForge(test, { kind: 'github' })
    const openClient: typeof deps.forgeApps.openClient = (apiUrl, authorization) =>
      createForgeClient({ apiUrl, authorization, headers: gitHubHeaders, privateHosts: [forge.host] })
    const forgeApps = { ...deps.forgeApps, openClient }
    const { call } = await start({ forgeApps })
    const app = forge.createApp()
    const details = { appId: app.id, slug: 'docent', name: 'Docent', owner: null, permissions: {} }
    const none = { webhookSecret: null, clientId: null, clientSecret: null }
    const stored = { details, secrets: { privateKey: app.privateKey, ...none } }
    const otherKeys = parseKeys(generateKey())
    const lost = { ...forgeApps, secrets: createSecrets(() => otherKeys) }
    await storeForgeApp(lost, { ...stored, id: 'app_lost', webUrl: 'http://0.example' })
    await storeForgeApp(forgeApps, { ...stored, id: 'app_ours', webUrl: forge.web })
    const apps = await listForgeApps(forgeApps)
    assert.deepEqual(
      apps.map(({ id, problem }) => [id, problem === null]),
      [
        ['app_lost', false],
        ['app_ours', true],
      ],
    )
    const page = (id: number) => call(`/github/installed?installation_id=${id}`, { key: null })
    const found = await page(app.installationId)
    assert.match(await found.text(), new RegExp(`--installation ${app.installationId}`))
    const unknown = await page(app.installationId + 999)
    assert.equal(unknown.status, 403)
    assert.match(await unknown.text(), /private key of the GitHub App docent cannot be decrypted/)
  })
})
