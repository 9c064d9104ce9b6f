import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import type { RepositoryAccess } from '../../../git/types.ts'
import type { CredentialReport } from '../../../projects/access/access.ts'
import type { SourceAccess } from '../../../projects/sources/source-access.ts'
import type { CheckedSource, SourceSetting } from '../../../projects/sources/sources.ts'

const secret = 'github_pat_0123456789abcdef'
const address = 'https://github.com/acme/api.git'
const may: RepositoryAccess = { read: 'yes', push: 'unknown', code: null, isRefused: false, detail: '' }
const mayNot: RepositoryAccess = {
  read: 'no',
  push: 'unknown',
  code: 'repository_unauthorized',
  isRefused: false,
  detail: 'The host asks for a credential.',
}

suite('the sources of a project', () => {
  let t: TestApp
  let found: RepositoryAccess
  let sources: string
  before(async () => {
    const probeAccess = () => assert.fail('a source is not pushed to')
    t = await openTestApp({ probeRead: () => Promise.resolve(found), probeAccess })
    sources = `/v1/projects/${t.project.id}/sources`
  })
  beforeEach(async () => {
    found = may
    await t.db.deleteFrom('sources').execute()
  })

  const admin = () => ({ key: t.keys.admin })
  const post = (json: unknown, key = t.keys.admin) => t.call(sources, { key, json })
  const create = async (json: object = {}) => {
    const response = await post({ name: 'api', repository: address, ...json })
    assert.equal(response.status, 201, await response.clone().text())
    return (await response.json()) as CheckedSource
  }
  const get = async <T>(path: string, key = t.keys.admin) => (await (await t.call(path, { key })).json()) as T

  test('a source is created with a check, listed, changed and deleted', async () => {
    const made = await create({ paths: ['src/'] })
    const { access } = made
    assert.deepEqual([access?.read, access?.credential, access?.base?.branch], ['yes', null, 'main'])
    assert.deepEqual(await get(`${sources}/api`), made)
    assert.deepEqual(await get(sources), { sources: [made] })
    const setting: SourceSetting = {
      name: 'api',
      repository: address,
      branch: null,
      paths: ['src/'],
      releaseStatus: false,
    }
    const { project } = t
    assert.deepEqual((await get<{ sources: unknown }>(`/v1/projects/${project.id}`)).sources, [setting])
    const listed = await get<{ projects: { id: string; sources: unknown }[] }>('/v1/projects')
    const shown = new Map(listed.projects.map(({ id, sources }) => [id, sources]))
    assert.deepEqual([shown.get(project.id), shown.get(t.other.id)], [[setting], []])
    found = mayNot
    const change = { key: t.keys.admin, method: 'PATCH', json: { branch: 'release', paths: null } }
    const changed = (await (await t.call(`${sources}/api`, change)).json()) as CheckedSource
    assert.deepEqual([changed.branch, changed.paths, changed.access?.read], ['release', [], 'no'])
    const renamed = { ...change, json: { name: 'server' } }
    const after = (await (await t.call(`${sources}/api`, renamed)).json()) as CheckedSource
    assert.deepEqual([after.name, after.access], ['server', changed.access])
    assert.equal((await t.call(`${sources}/server`, { ...admin(), method: 'DELETE' })).status, 204)
    await expectProblem(await t.call(`${sources}/server`, admin()), 404, 'not_found')
  })

  test('a credential is checked for reading alone, shown without its secret, and deleted', async () => {
    await create()
    const path = `${sources}/api/credential`
    await expectProblem(await t.call(path, admin()), 404, 'not_found')
    const set = await t.call(path, { ...admin(), method: 'PUT', json: { token: secret } })
    const made = (await set.json()) as CredentialReport
    assert.deepEqual([made.kind, made.forge, made.account], ['token', 'github', 'octocat'])
    assert.deepEqual(made.rights, { read: 'yes', push: 'unknown', pullRequests: 'unknown' })
    const shown = await (await t.call(path, admin())).text()
    assert.deepEqual(JSON.parse(shown), made)
    assert.doesNotMatch(shown, /github_pat|v1\./)
    assert.doesNotMatch(
      JSON.stringify([t.log, await t.db.selectFrom('credentials').selectAll().execute()]),
      /github_pat/,
    )
    await expectProblem(await t.call(`/v1/projects/${t.project.id}/credential`, admin()), 404, 'not_found')
    assert.equal((await get<CheckedSource>(`${sources}/api`)).access?.credential, 'token')
    assert.equal((await t.call(path, { ...admin(), method: 'DELETE' })).status, 204)
    assert.equal((await get<CheckedSource>(`${sources}/api`)).access, null)
    await expectProblem(await t.call(path, { ...admin(), method: 'DELETE' }), 404, 'not_found')
  })

  test('a check says what is missing and how to grant it', async () => {
    await create()
    found = mayNot
    const response = await t.call(`${sources}/api/check`, { ...admin(), method: 'POST' })
    const { read, missing, problem, base } = (await response.json()) as SourceAccess
    assert.deepEqual([read, problem, base], ['no', 'The host asks for a credential.', null])
    assert.match(
      missing[0]?.remedy ?? '',
      /"Contents: Read-only" at \S+, then: docent source credential set api --project 'Acme docs' --token-file -$/,
    )
  })

  test('sources that cannot be are refused by name', async () => {
    await create()
    const table: [Record<string, unknown>, string][] = [
      [{ name: '' }, '#/name'],
      [{ name: 'API' }, '#/name'],
      [{ name: 'a'.repeat(41) }, '#/name'],
      [{ repository: 'http://x.example' }, '#/repository'],
      [{ branch: 'a..b' }, '#/branch'],
      [{ paths: 'src/' }, '#/paths'],
      [{ paths: ['a', ''] }, '#/paths/1'],
      [{ paths: Array(101).fill('src/') }, '#/paths'],
    ]
    for (const [json, pointer] of table) {
      const made = await post({ name: 'cli', repository: address, ...json })
      const patched = await t.call(`${sources}/api`, { ...admin(), method: 'PATCH', json })
      for (const response of [made, patched]) {
        const problem = await expectProblem(response, 400, 'invalid_input')
        assert.equal(problem.details?.[0]?.pointer, pointer, JSON.stringify(json).slice(0, 80))
      }
    }
    await expectProblem(await post({ name: 'api', repository: address }), 409, 'source_exists')
    for (let at = 1; at < 20; at += 1) await create({ name: `s${at}` })
    await expectProblem(await post({ name: 's20', repository: address }), 409, 'too_many_sources')
  })

  test('reading needs `read`, everything else `admin`; foreign sources do not exist', async () => {
    await create()
    const foreign = `/v1/projects/${t.other.id}/sources`
    const table: [string, string, unknown, Record<string, number>][] = [
      ['GET', sources, undefined, { read: 200, write: 200, foreign: 404 }],
      ['GET', `${sources}/api`, undefined, { read: 200, foreign: 404 }],
      [
        'POST',
        sources,
        { name: 'x', repository: address },
        { read: 403, write: 403, foreign: 404, adminOfProject: 201 },
      ],
      ['PATCH', `${sources}/api`, {}, { read: 403, write: 403, foreign: 404, adminOfProject: 200 }],
      ['POST', `${sources}/api/check`, undefined, { read: 403, write: 403, foreign: 404, adminOfProject: 200 }],
      ['GET', `${sources}/api/credential`, undefined, { read: 403, write: 403, foreign: 404, adminOfProject: 404 }],
      ['PUT', `${sources}/api/credential`, { token: 'x' }, { read: 403, write: 403, foreign: 404 }],
      ['DELETE', `${sources}/api/credential`, undefined, { read: 403, write: 403, foreign: 404 }],
      ['GET', `${foreign}/api`, undefined, { admin: 404, adminOfProject: 404 }],
      ['PUT', `${foreign}/api/credential`, { token: 'x' }, { admin: 404, adminOfProject: 404 }],
      ['DELETE', `${sources}/API`, undefined, { admin: 404 }],
      ['DELETE', `${sources}/api`, undefined, { read: 403, write: 403, foreign: 404, adminOfProject: 204 }],
    ]
    for (const [method, path, json, expected] of table) {
      for (const [name, status] of Object.entries(expected)) {
        const key = t.keys[name as keyof typeof t.keys]
        const response = await t.call(path, { method, key, ...(json === undefined ? {} : { json }) })
        assert.equal(response.status, status, `${method} ${path} with ${name}`)
      }
    }
  })

  test('a key that may only read sees no result of a check', async () => {
    await create()
    assert.equal((await get<CheckedSource>(`${sources}/api`, t.keys.write)).access, null)
    assert.equal((await get<{ sources: CheckedSource[] }>(sources, t.keys.read)).sources[0]?.access, null)
    assert.notEqual((await get<CheckedSource>(`${sources}/api`, t.keys.adminOfProject)).access, null)
  })

  test('a key for the project reads no repositories of others through a source', async () => {
    const folder = { ...t.deps, sources: { ...t.deps.sources, checkAddress: (text: string) => text } }
    const { call } = await t.start(folder)
    const key = t.keys.adminOfProject
    const json = { name: 'folder', repository: 'file:///srv/other' }
    await expectProblem(await call(sources, { key, json }), 403, 'forbidden')
    assert.equal((await call(sources, { ...admin(), json })).status, 201)

    await create()
    const credential = `${sources}/api/credential`
    const put = (json: unknown) => t.call(credential, { key, method: 'PUT', json })
    await expectProblem(await put({ installationId: 7 }), 403, 'forbidden')
    const patch = (json: unknown, key: string) => t.call(`${sources}/api`, { key, method: 'PATCH', json })
    assert.equal((await patch({ repository: 'https://github.com/acme/b.git' }, key)).status, 200)
    assert.equal((await put({ token: secret })).status, 200)
    const other = { repository: 'https://github.com/acme/c.git' }
    await expectProblem(await patch(other, key), 403, 'forbidden')
    assert.equal((await patch({ branch: 'main' }, key)).status, 200)
    assert.equal((await patch(other, t.keys.admin)).status, 200)
  })

  test('changes are in the audit log with the name of the source', async () => {
    await create()
    await t.call(`${sources}/api`, { ...admin(), method: 'PATCH', json: { branch: 'main' } })
    await t.call(`${sources}/api/check`, { ...admin(), method: 'POST' })
    await t.call(`${sources}/api/credential`, { ...admin(), method: 'PUT', json: { token: secret } })
    const { entries } = await get<{ entries: { action: string; subject: string }[] }>('/v1/audit?limit=3')
    assert.deepEqual(
      entries.map(({ action, subject }) => `${action} ${subject}`),
      ['putSourceCredential api', 'updateSource api', 'createSource api'],
    )
  })
})
