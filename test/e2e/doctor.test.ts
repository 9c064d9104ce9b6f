// `docent doctor` beside a service, without one, and where something is wrong.

import assert from 'node:assert/strict'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { checkData } from '../../src/cli/doctor/data.ts'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { lockDirectory } from '../../src/lib/directory-lock.ts'
import { runCommand } from '../support/command.ts'
import { serverSettings } from '../support/engine.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { copyTemplate } from '../support/template.ts'
import { type OneService, startOneService } from '../support/one-service.ts'

let model: ModelServer
let running: OneService
before(async () => {
  model = await startModelServer(() => ({ text: 'yes' }))
  running = await startOneService({ 'index.md': '# Home\n' })
})
after(async () => {
  await running.close()
  await model.close()
})

type Report = { readonly ok: boolean; readonly findings: readonly Finding[] }

const run = (args: readonly string[], extra: Environment = {}) =>
  runCommand(['doctor', ...args], { ...running.environment, ...extra })

async function examine(extra: Environment = {}, ...args: readonly string[]) {
  const { code, stdout } = await run([...args, '--json'], extra)
  const report = JSON.parse(stdout) as Report
  assert.equal(code, report.ok ? 0 : 1)
  return (about: string) => report.findings.filter((one) => one.about.startsWith(about))
}

async function addProject(repository: string, branch: string | null): Promise<string> {
  const api = openSocketApi(parseConfig(running.environment))
  const { body } = await api.send('POST', '/v1/projects', { name: 'x', repository, branch })
  return (JSON.parse(body) as { id: string }).id
}

test('with a healthy service all checks pass, and each is one line', async () => {
  const { code, stdout, stderr } = await run([])
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^✓ service: release \S+ runs on/m)
  assert.match(stdout, /^✓ database: answers; its schema is \d{4}-/m)
  assert.match(stdout, /^✓ repository of Docs: .* main is at [0-9a-f]{40}$/m)
  assert.doesNotMatch(stdout, /^✗/m)
})

test('doctor distinguishes a missing repository from a missing branch', async () => {
  const gone = await addProject(`${running.repository}-gone`, null)
  const branch = await addProject(running.repository, 'nowhere')
  const find = await examine()
  assert.equal(find(`repository of ${gone}`)[0]?.state, 'failed')
  assert.match(find(`repository of ${branch}`)[0]?.says ?? '', /has no branch nowhere/)
  const one = await examine({}, '--project', running.client.projectId)
  assert.deepEqual(
    one('repository').map((finding) => finding.state),
    ['ok'],
  )
  assert.equal((await examine({}, '--project', 'prj_00000000000000000000'))('repository')[0]?.state, 'failed')
})

test('a running service judges a repository by its own settings', async () => {
  const find = await examine({ DOCENT_ALLOW_LOCAL_REPOSITORIES: 'false' }, '--no-model')
  assert.equal(find('repository of Docs')[0]?.state, 'ok')
})

test('one request checks the model, and its key is never shown', async () => {
  const settings = {
    DOCENT_MODEL: 'compatible/m',
    DOCENT_COMPATIBLE_BASE_URL: model.baseUrl,
    DOCENT_COMPATIBLE_API_KEY: 'canary-key',
  }
  const before = model.requests.length
  assert.match((await examine(settings, '--project', running.client.projectId))('model')[0]?.says ?? '', /responds in/)
  assert.equal(model.requests.length, before + 1)
  assert.equal((await examine(settings, '--no-model'))('model')[0]?.state, 'skipped')
  model.script = () => ({ status: 401 })
  const { stdout, stderr } = await run(['--project', running.client.projectId], settings)
  assert.match(stdout, /^✗ model: .*refuses the key/m)
  assert.match(stderr, /1 check failed: model/)
  assert.ok(!(stdout + stderr).includes('canary-key'))
})

test('without a service doctor reads the data and changes nothing', async () => {
  const empty = join(running.folder, 'empty')
  const find = await examine({ DOCENT_DATA_DIR: empty })
  assert.deepEqual([find('service')[0]?.state, find('database')[0]?.state], ['skipped', 'skipped'])
  assert.ok(!(await readdir(running.folder)).includes('empty'))
  await mkdir(empty, { mode: 0o755 })
  await chmod(empty, 0o755)
  assert.match((await examine({ DOCENT_DATA_DIR: empty }))('data directory')[0]?.todo ?? '', /chmod 700/)
  const lock = lockDirectory(empty)
  const config = parseConfig({ DOCENT_DATA_DIR: empty })
  const interrupted = { clock: systemClock, onWait: () => undefined, signal: AbortSignal.abort() }
  assert.match((await checkData(config, interrupted)).findings[0]?.says ?? '', /in use by another/)
  // Usually it waits for a service that is starting.
  const waited = await checkData(config, { clock: systemClock, onWait: () => lock?.release() })
  assert.deepEqual(
    waited.findings.map(({ about, state }) => [about, state]),
    [
      ['service', 'skipped'],
      ['database', 'skipped'],
    ],
  )
  const stopped = join(running.folder, 'stopped')
  await mkdir(stopped, { mode: 0o700 })
  await copyTemplate(join(stopped, 'postgres'))
  const found = await examine({ DOCENT_DATA_DIR: stopped })
  assert.deepEqual([found('service')[0]?.state, found('database')[0]?.state], ['skipped', 'ok'])
})

test('doctor reports a page view store that is down or not shared', async () => {
  const find = async (extra: Environment) => (await examine(extra, '--no-model'))('page views')[0]
  assert.equal((await find({}))?.state, 'ok')
  assert.equal((await examine({}, '--no-model'))('log of page views')[0]?.state, 'ok')
  assert.equal((await find({ CLICKHOUSE_URL: 'http://127.0.0.1:9' }))?.state, 'failed')
  const alone = await find({ CLICKHOUSE_URL: '', ...serverSettings('postgres://127.0.0.1:9/docent') })
  assert.equal(alone?.state, 'warning')
})

test('every mistake in the settings is a finding, and nothing else is checked', async () => {
  const find = await examine({ DOCENT_PORT: 'x', DOCENT_TYPO: '1', DOCENT_MODEL: 'zz' })
  assert.equal(find('settings').length, 3)
  assert.equal(find('git').length, 0)
})

test('a public address that does not reach the service is a warning', async () => {
  const far = { DOCENT_HOST: '0.0.0.0', DOCENT_PUBLIC_URL: 'http://127.0.0.1:9' }
  assert.match((await examine(far, '--no-model'))('public address')[0]?.says ?? '', /nothing responds/)
  const own = { DOCENT_PUBLIC_URL: running.service.address }
  assert.equal((await examine(own, '--no-model'))('public address')[0]?.state, 'ok')
  assert.equal((await examine({ DOCENT_HOST: '0.0.0.0' }, '--no-model'))('public address')[0]?.state, 'warning')
})
