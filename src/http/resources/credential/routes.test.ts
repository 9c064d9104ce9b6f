import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import type { RepositoryAccess } from '../../../git/types.ts'
import { Failure } from '../../../lib/failure.ts'
import type { AccessReport, CredentialReport } from '../../../projects/access/access.ts'

const secret = 'github_pat_0123456789abcdef'
const mayPush: RepositoryAccess = { read: 'yes', push: 'yes', code: null, isRefused: false, detail: '' }

suite('the credential of a project', () => {
  let t: TestApp
  let path: string
  let id: string
  let found: RepositoryAccess | Failure
  before(async () => {
    const probeAccess = () => (found instanceof Failure ? Promise.reject(found) : Promise.resolve(found))
    const fetch = () => Promise.reject(new Failure('repository_unreachable', 'The host did not answer.'))
    t = await openTestApp({ probeAccess, fetch })
  })
  beforeEach(async () => {
    found = mayPush
    id = await create('https://github.com/acme/docs.git')
    path = `/v1/projects/${id}/credential`
  })

  const admin = () => ({ key: t.keys.admin })
  const create = async (repository: string) => {
    const made = await t.call('/v1/projects', { ...admin(), json: { name: 'Docs', repository } })
    return ((await made.json()) as { id: string }).id
  }
  const put = (json: unknown) => t.call(path, { ...admin(), method: 'PUT', json })
  const set = async (json: unknown = { token: secret }) => {
    const response = await put(json)
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as CredentialReport
  }
  const get = () => t.call(path, admin())

  test('a credential is set, checked, shown without its secret, replaced and deleted', async () => {
    await expectProblem(await get(), 404, 'not_found')
    const made = await set()
    assert.deepEqual([made.kind, made.forge, made.webUrl], ['token', 'github', 'https://github.com'])
    assert.deepEqual([made.account, made.rights?.push, made.missing, made.problem], ['octocat', 'yes', [], null])
    const shown = await (await get()).text()
    assert.deepEqual(JSON.parse(shown), made)
    assert.doesNotMatch(shown, /github_pat|v1\./)
    const basic = await set({ forge: 'git', user: 'writer', token: 'pass' })
    assert.deepEqual([basic.kind, basic.forge, basic.apiUrl, basic.account], ['basic', null, null, 'writer'])
    assert.equal((await t.call(path, { ...admin(), method: 'DELETE' })).status, 204)
    await expectProblem(await t.call(path, { ...admin(), method: 'DELETE' }), 404, 'not_found')
  })

  test('a credential that lacks a right is stored, with the page on which to grant it', async () => {
    found = { read: 'yes', push: 'no', code: 'forge_right_missing', isRefused: false, detail: 'x' }
    const made = await set()
    assert.equal(made.missing[0]?.right, 'push')
    assert.match(made.missing[0]?.remedy ?? '', /github\.com\/settings/)
    found = mayPush
    const checked = await t.call(`${path}/check`, { ...admin(), method: 'POST' })
    assert.equal(((await checked.json()) as AccessReport).rights.push, 'yes')
    assert.deepEqual(((await (await get()).json()) as CredentialReport).missing, [])
  })

  test('a check works without a credential, and its proof names each step', async () => {
    found = new Failure('repository_unreachable', 'The host did not answer.')
    const response = await t.call(`${path}/check`, { ...admin(), json: { write: true } })
    const { rights, problem, steps } = (await response.json()) as AccessReport & { steps: { state: string }[] }
    assert.deepEqual([rights.read, problem], ['unknown', 'The host did not answer.'])
    assert.deepEqual(
      steps.map(({ state }) => state),
      ['failed', 'skipped', 'skipped', 'skipped', 'skipped'],
    )
    const plain = await t.call(`${path}/check`, { ...admin(), json: {} })
    assert.equal(((await plain.json()) as { steps: unknown }).steps, null)
  })

  test('a new project, and a new address, report missing rights', async () => {
    found = {
      read: 'no',
      push: 'no',
      code: 'repository_unauthorized',
      isRefused: false,
      detail: 'The host asks for a credential.',
    }
    const json = { name: 'Docs', repository: 'https://git.example/docs.git' }
    const made = await t.call('/v1/projects', { ...admin(), json })
    assert.equal(made.status, 201)
    const { id, access } = (await made.json()) as { id: string; access: AccessReport }
    assert.deepEqual([access.rights.read, access.problem], ['no', 'The host asks for a credential.'])
    const change = async (json: unknown) => {
      const response = await t.call(`/v1/projects/${id}`, { ...admin(), method: 'PATCH', json })
      return ((await response.json()) as { access: AccessReport | null }).access
    }
    assert.equal(await change({ name: 'Renamed', repository: json.repository }), null)
    assert.equal((await change({ repository: 'https://git.example/other.git' }))?.rights.read, 'no')
  })

  test('invalid fields are named, and their values are never repeated', async () => {
    const table: [Record<string, unknown>, string][] = [
      [{}, '#/token'],
      [{ token: '' }, '#/token'],
      [{ token: secret, forge: 'sourcehut' }, '#/forge'],
      [{ token: secret, user: 'writer' }, '#/user'],
      [{ token: secret, apiUrl: 'http://127.0.0.1/' }, '#/apiUrl'],
      [{ token: `${secret}\n${secret}` }, '#/token'],
      [{ token: secret, installationId: 7 }, '#/token'],
      [{ installationId: 0 }, '#/installationId'],
      [{ installationId: 7 }, '#/installationId'],
    ]
    for (const [json, pointer] of table) {
      const problem = await expectProblem(await put(json), 400, 'invalid_input')
      assert.equal(problem.details?.[0]?.pointer, pointer, JSON.stringify(Object.keys(json)))
      assert.doesNotMatch(JSON.stringify(problem), /github_pat/)
    }
  })

  test('everything about a credential needs the scope `admin`', async () => {
    await set()
    const calls = [
      ['GET', path, undefined],
      ['PUT', path, { token: secret }],
      ['DELETE', path, undefined],
      ['POST', `${path}/check`, {}],
    ] as const
    for (const [method, address, json] of calls) {
      const sent = json === undefined ? {} : { json }
      const call = (key: string) => t.call(address, { method, key, ...sent })
      await expectProblem(await call(t.keys.adminOfProject), 404, 'not_found')
      const own = address.replace(id, t.project.id)
      const status = async (key: string) => (await t.call(own, { method, key, ...sent })).status
      assert.deepEqual([await status(t.keys.read), await status(t.keys.write)], [403, 403], `${method} ${own}`)
    }
  })

  test('neither the log nor the database has the secret', async () => {
    await set()
    const rows = await t.db.selectFrom('credentials').selectAll().execute()
    for (const text of [JSON.stringify(t.log), JSON.stringify(rows)]) {
      assert.doesNotMatch(text, new RegExp(`${secret}|${Buffer.from(secret).toString('base64')}`))
    }
  })
})
