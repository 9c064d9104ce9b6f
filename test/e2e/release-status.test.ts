// A user has releases of a source get a commit status: first with an App that may not set statuses, then with one that may.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import { runCommand } from '../support/command.ts'
import { type ForgeService, startWithForges } from '../support/forge/connected-service.ts'

const publicUrl = 'https://docent.example'
let t: ForgeService<'api'>
before(async () => {
  const files = { 'src/a.ts': 'export const a = 1\n' }
  t = await startWithForges([['api', { kind: 'github', files }]], { DOCENT_PUBLIC_URL: publicUrl })
})
after(() => t.close())

async function ok(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, t.running.environment)
  assert.equal(code, 0, stderr)
  return stdout
}

test('a release of a source says whether it is documented, once the App may say so', async () => {
  const forge = t.forges.get('api')
  assert.ok(forge)
  const { remote } = forge
  const app = forge.createApp()
  const operator = openSocketApi(parseConfig(t.running.environment))
  await operator.send('PUT', '/v1/forge-apps', { webUrl: forge.web, appId: app.id, privateKey: app.privateKey })
  remote.git(['tag', 'v1.0', 'main'])
  const commit = forge.push('main', { '.github/workflows/ci.yml': 'on: push\n' }, 'ci: run on push')
  remote.git(['tag', 'v1.1', commit])

  await ok('source', 'add', 'api', '--repository', forge.repository, '--release-status', 'yes')
  assert.match(await ok('source', 'show', 'api'), /^releaseStatus +yes$/m)
  const enter = () => ok('source', 'credential', 'set', 'api', '--installation', `${app.installationId}`)
  await enter()
  await ok('automation', 'create', 'Follow', '--code', 'api', '--since', 'v1.0', '--instructions', 'Update the pages.')
  const releases = async () =>
    (JSON.parse(await ok('debt', '--source', 'api', '--json')) as { releases: { problem: string | null }[] }).releases

  while ((await releases())[0]?.problem == null) await delay(500)
  const { stderr } = await runCommand(['debt', '--source', 'api'], t.running.environment)
  const remedy = /The commit status of v1\.1 was refused\. .*permission "Commit statuses: Read and write"/
  assert.match(stderr, remedy)
  assert.equal(forge.remarks.statuses.length, 0)

  const { installation } = forge.apps[0] ?? {}
  assert.ok(installation)
  installation.permissions = { ...installation.permissions, statuses: 'write' }
  await enter()
  const done = 'Every change since v1.0 is documented or needs no documentation'
  while (forge.remarks.statuses.at(-1)?.text !== done) await delay(500)
  const url = `${publicUrl}/projects/${t.client.projectId}/ledger?source=api&from=v1.0&to=v1.1`
  const said = { commit, context: 'docent/docs', state: 'success', text: done, url, login: 'docent[bot]' }
  assert.deepEqual(forge.remarks.statuses.at(-1), said)
  const token = forge.tokens.find(({ permissions }) => permissions['statuses'] === 'write')
  assert.deepEqual(token?.permissions, { statuses: 'write', metadata: 'read' })
  const [shown] = await releases()
  assert.deepEqual(shown, { ...shown, source: 'api', tag: 'v1.1', since: 'v1.0', commit, text: done, problem: null })
})
