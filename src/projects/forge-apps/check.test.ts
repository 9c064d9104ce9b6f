import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../../../test/support/openapi-app.ts'
import { startForge } from '../../../test/support/forge/forge.ts'
import { createForgeClient } from '../../forge/client.ts'
import { gitHubHeaders } from '../../forge/github/github.ts'
import { checkForgeApp, setForgeApp } from './forge-apps.ts'

const { signal } = new AbortController()

test('a permission that an App or an installation lacks is named with its page', async (t) => {
  const forge = await startForge(t, { kind: 'github' })
  const { deps } = await openTestApp()
  const openClient: typeof deps.forgeApps.openClient = (apiUrl, authorization) =>
    createForgeClient({ apiUrl, authorization, headers: gitHubHeaders, privateHosts: [forge.host] })
  const context = { ...deps.forgeApps, openClient, checkAddress: (address: string) => address }
  const { id: appId, privateKey, installationId } = forge.createApp()
  const { id, pageUrl } = await setForgeApp(context, { webUrl: forge.web, appId, privateKey }, signal)
  assert.deepEqual((await checkForgeApp(context, id, signal)).missing, [])
  const [app] = forge.apps
  assert.ok(app?.installation)
  const old = { contents: 'write', pull_requests: 'write', issues: 'write', metadata: 'read' }
  app.installation.permissions = { ...old, statuses: 'read' }
  const page = `${forge.web}/organizations/acme/settings/installations/${installationId}`
  const effect = 'Until then, the checks of pull requests are not shown.'
  assert.deepEqual((await checkForgeApp(context, id, signal)).missing, [
    { permission: 'checks', remedy: `Accept \`checks: read\` for acme at ${page}. ${effect}` },
  ])
  app.permissions = { ...old, statuses: 'read' }
  const where = `in its settings (${pageUrl}, "Permissions & events"), then accept it in each installation.`
  assert.deepEqual((await checkForgeApp(context, id, signal)).missing, [
    { permission: 'checks', remedy: `Give the App \`checks: read\` ${where} ${effect}` },
  ])
})
