import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import type { Key } from '../../../projects/keys.ts'
import type { Project } from '../../../projects/projects.ts'

suite('projects and keys over HTTP', () => {
  let t: TestApp
  before(async () => {
    t = await openTestApp()
  })

  const admin = () => ({ key: t.keys.admin })
  const make = (json: unknown, key = t.keys.admin) => t.call('/v1/keys', { key, json })
  const keysSeenBy = async (key: string) => ((await (await t.call('/v1/keys', { key })).json()) as { keys: Key[] }).keys
  const projectsSeenBy = async (key: string) =>
    ((await (await t.call('/v1/projects', { key })).json()) as { projects: Project[] }).projects

  test('a key is shown once: not cached, not in the list, not in the log', async () => {
    const response = await make({ name: 'CI' })
    assert.equal(response.status, 201)
    assert.equal(response.headers.get('Cache-Control'), 'no-store')
    const created = (await response.json()) as Key & { key: string }
    assert.match(created.key, /^docent_[0-9A-Za-z]{46}$/)
    assert.deepEqual([created.scope, created.projectIds, created.lastUsedAt], ['write', null, null])
    const { key, ...shown } = created
    assert.deepEqual(
      (await keysSeenBy(t.keys.admin)).find((one) => one.id === created.id),
      shown,
    )
    assert.ok(!JSON.stringify(t.log).includes(key))
  })

  test('a key never grants more than the one that makes it', async () => {
    const limited = t.keys.adminOfProject
    const table: [unknown, number][] = [
      [{ name: 'x', projectIds: [t.project.id] }, 201],
      [{ name: 'x', projectIds: [t.project.id], scope: 'admin' }, 201],
      [{ name: 'x', projectIds: [t.other.id] }, 403],
      [{ name: 'x', projectIds: [t.project.id, t.other.id] }, 403],
      [{ name: 'x', projectIds: null }, 403],
      [{ name: 'x' }, 403],
      [{ name: 'x', projectIds: [] }, 400],
    ]
    for (const [json, status] of table) {
      const response = await make(json, limited)
      assert.equal(response.status, status, JSON.stringify(json))
    }
    for (const key of [t.keys.write, t.keys.read]) {
      await expectProblem(await make({ name: 'x', projectIds: [t.project.id] }, key), 403, 'forbidden')
    }
  })

  test('a key of certain projects sees and revokes only keys within them', async () => {
    const all = await keysSeenBy(t.keys.admin)
    const seen = await keysSeenBy(t.keys.adminOfProject)
    assert.ok(seen.length > 0 && seen.every((key) => key.projectIds?.every((id) => id === t.project.id)))
    const beyond = all.find((key) => key.projectIds === null)
    const path = `/v1/keys/${beyond?.id}`
    await expectProblem(await t.call(path, { key: t.keys.adminOfProject, method: 'DELETE' }), 404, 'not_found')
  })

  test('revoking returns 204, even twice, and 404 for an unknown key', async () => {
    const { id } = (await (await make({ name: 'gone' })).json()) as Key
    for (let times = 0; times < 2; times += 1) {
      const response = await t.call(`/v1/keys/${id}`, { ...admin(), method: 'DELETE' })
      assert.equal(response.status, 204)
      assert.equal(await response.text(), '')
    }
    assert.notEqual((await keysSeenBy(t.keys.admin)).find((key) => key.id === id)?.revokedAt, null)
    for (const other of ['key_00000000000000000000', 'x', '%00', t.keys.write]) {
      await expectProblem(await t.call(`/v1/keys/${other}`, { ...admin(), method: 'DELETE' }), 404, 'not_found')
    }
  })

  test('keys and projects that cannot be are refused by name', async () => {
    const url = 'https://git.example/x.git'
    const table: [string, unknown, string][] = [
      ['/v1/keys', {}, '#/name'],
      ['/v1/keys', { name: '' }, '#/name'],
      ['/v1/keys', { name: 'a\0b' }, '#/name'],
      ['/v1/keys', { name: 'x'.repeat(101) }, '#/name'],
      ['/v1/keys', { name: 'x', scope: 'owner' }, '#/scope'],
      ['/v1/keys', { name: 'x', scope: null }, '#/scope'],
      ['/v1/keys', { name: 'x', projectIds: 'all' }, '#/projectIds'],
      ['/v1/keys', { name: 'x', projectIds: ['a/b~c'] }, '#/projectIds/0'],
      ['/v1/keys', { name: 'x', projectIds: ['prj_00000000000000000000'] }, '#/projectIds'],
      ['/v1/projects', { repository: url }, '#/name'],
      ['/v1/projects', { name: 'x' }, '#/repository'],
      ['/v1/projects', { name: 'x', repository: 'file:///etc' }, '#/repository'],
      ['/v1/projects', { name: 'x', repository: 'x\u0000' }, '#/repository'],
      ['/v1/projects', { name: 'x', repository: url, branch: '-x' }, '#/branch'],
      ['/v1/projects', { name: 'x', repository: url, branch: '' }, '#/branch'],
      ['/v1/projects', { name: 'x', repository: url, branch: 7 }, '#/branch'],
    ]
    for (const [path, json, pointer] of table) {
      const problem = await expectProblem(await t.call(path, { ...admin(), json }), 400, 'invalid_input')
      assert.equal(problem.details?.[0]?.pointer, pointer, JSON.stringify(json))
    }
  })

  test('several mistakes are reported at once', async () => {
    const problem = await expectProblem(await t.call('/v1/projects', { ...admin(), json: {} }), 400, 'invalid_input')
    assert.equal(problem.detail, '`name` is missing. `repository` is missing.')
    assert.equal(problem.details?.length, 2)
  })

  test('a project is created where Location says, and keys of others do not see it', async () => {
    const json = { name: 'Fresh', repository: 'https://git.example/fresh.git', branch: 'trunk' }
    const response = await t.call('/v1/projects', { ...admin(), json })
    assert.equal(response.status, 201)
    const { access, ...project } = (await response.json()) as Project & { readonly access: { readonly problem: null } }
    assert.equal(access.problem, null)
    assert.equal(response.headers.get('Location'), `/v1/projects/${project.id}`)
    assert.equal(project.branch, 'trunk')
    assert.deepEqual(await (await t.call(`/v1/projects/${project.id}`, admin())).json(), project)
    await expectProblem(await t.call(`/v1/projects/${project.id}`), 404, 'not_found')
    assert.deepEqual(
      (await projectsSeenBy(t.keys.write)).map((one) => one.id),
      [t.project.id],
    )
    const names = (await projectsSeenBy(t.keys.admin)).map((one) => one.name)
    assert.deepEqual(names, names.toSorted())
  })
})
