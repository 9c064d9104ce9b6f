import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../test/support/openapi-app.ts'
import { operator } from '../../projects/keys.ts'

suite('who may call', () => {
  let t: TestApp
  let jobs: string
  let jobId: string
  before(async () => {
    t = await openTestApp()
    jobs = `/v2/agent/${t.project.id}/job`
    const created = await t.call(jobs, { json: { prompt: 'do it' } })
    jobId = ((await created.json()) as { id: string }).id
  })

  test('a key can do what its scope allows, and no more', async () => {
    const { read, write, admin, adminOfProject, foreign } = t.keys
    const job = `${jobs}/${jobId}`
    const newProject = { name: 'New', repository: 'https://git.example/new.git' }
    const table: [string, string, unknown, Record<string, number>][] = [
      ['GET', job, undefined, { [read]: 200, [write]: 200, [admin]: 200, [foreign]: 404 }],
      ['GET', `${jobs}s`, undefined, { [read]: 200, [write]: 200, [admin]: 200, [foreign]: 404 }],
      ['HEAD', job, undefined, { [read]: 200, [foreign]: 404 }],
      ['GET', `${job}/messages`, undefined, { [read]: 200, [write]: 200, [admin]: 200, [foreign]: 404 }],
      ['GET', `${job}/diff`, undefined, { [read]: 200, [write]: 200, [admin]: 200, [foreign]: 404 }],
      ['POST', jobs, { prompt: 'x' }, { [read]: 403, [write]: 201, [admin]: 201, [foreign]: 404 }],
      ['POST', `${job}/message`, { prompt: 'x' }, { [read]: 403, [write]: 200, [admin]: 200, [foreign]: 404 }],
      ['POST', `${job}/archive`, undefined, { [read]: 403, [write]: 409, [admin]: 409, [foreign]: 404 }],
      ['GET', '/v1/projects', undefined, { [read]: 200, [write]: 200, [admin]: 200, [foreign]: 200 }],
      ['POST', '/v1/projects', newProject, { [read]: 403, [write]: 403, [adminOfProject]: 403, [admin]: 201 }],
      ['GET', `/v1/projects/${t.project.id}`, undefined, { [read]: 200, [admin]: 200, [foreign]: 404 }],
      ['GET', `/v1/projects/${t.project.id}/pulls`, undefined, { [read]: 200, [admin]: 200, [foreign]: 404 }],
      ['POST', `/v1/projects/${t.project.id}/pulls/1/merge`, undefined, { [read]: 403, [write]: 404, [foreign]: 404 }],
      ['POST', `/v1/projects/${t.project.id}/pulls/1/close`, undefined, { [read]: 403, [write]: 404, [foreign]: 404 }],
      ['GET', '/v1/keys', undefined, { [read]: 403, [write]: 403, [adminOfProject]: 200, [admin]: 200 }],
      ['POST', '/v1/keys', { name: 'x' }, { [read]: 403, [write]: 403, [adminOfProject]: 403, [admin]: 201 }],
      ['DELETE', '/v1/keys/key_00000000000000000000', undefined, { [read]: 403, [write]: 403, [admin]: 404 }],
    ]
    for (const [method, path, json, expected] of table) {
      for (const [key, status] of Object.entries(expected)) {
        const name = Object.entries(t.keys).find(([, text]) => text === key)?.[0]
        const response = await t.call(path, { method, key, ...(json === undefined ? {} : { json }) })
        assert.equal(response.status, status, `${method} ${path} with ${name}: ${await response.text()}`)
      }
    }
  })

  test('a project that the key may not see looks like a missing one', async () => {
    const answers = await Promise.all(
      [t.other.id, 'prj_00000000000000000000', 'nonsense', '%00', '..%2f', 'prj_%ZZ', '😀'].map(async (id) => {
        const { detail, title, code } = await expectProblem(await t.call(`/v2/agent/${id}/jobs`), 404, 'not_found')
        return { detail, title, code }
      }),
    )
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    for (const id of ['nonsense', '%00', '%ED%A0%80']) {
      await expectProblem(await t.call(`/v2/agent/${id}/jobs`, { key: t.keys.admin }), 404, 'not_found')
    }
  })

  test('a job of another project is answered like one that does not exist', async () => {
    const other = await t.call(`/v2/agent/${t.other.id}/job`, { key: t.keys.foreign, json: { prompt: 'x' } })
    const { id } = (await other.json()) as { id: string }
    for (const name of [id, 'job_00000000000000000000', 'job_', '%00', 'a'.repeat(5_000)]) {
      for (const path of [name, `${name}/messages`, `${name}/diff`]) {
        const problem = await expectProblem(await t.call(`${jobs}/${path}`), 404, 'not_found')
        assert.equal(problem.detail, 'There is no such job in this project.')
      }
      await expectProblem(await t.call(`${jobs}/${name}/message`, { json: { prompt: 'x' } }), 404, 'not_found')
      await expectProblem(await t.call(`${jobs}/${name}/archive`, { method: 'POST' }), 404, 'not_found')
    }
  })

  test('an invalid key is 401 and says how to authenticate', async () => {
    const [key] = [t.keys.write]
    const typo = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
    const headers = [
      undefined,
      '',
      key,
      'Basic abc',
      'Bearer',
      'Bearer ',
      `Bearer ${typo}`,
      `Bearer ${key}x`,
      `Bearer  x y`,
      `Bearer ${key} x`,
      `Bearer ${key}, Basic x`,
    ]
    for (const header of headers) {
      const sent = header === undefined ? {} : { headers: { Authorization: header } }
      const response = await t.call(`${jobs}s`, { key: null, ...sent })
      assert.match(response.headers.get('WWW-Authenticate') ?? '', /^Bearer realm="docent"/)
      const problem = await expectProblem(response, 401, 'unauthenticated')
      assert.ok(!JSON.stringify(problem).includes(key.slice(0, 20)), 'the answer repeats the key')
    }
  })

  test('the challenge distinguishes a missing key from a wrong one', async () => {
    const challenge = async (headers: Record<string, string>) =>
      (await t.call(`${jobs}s`, { key: null, headers })).headers.get('WWW-Authenticate')
    assert.equal(await challenge({}), 'Bearer realm="docent"')
    assert.equal(await challenge({ Authorization: 'Basic x' }), 'Bearer realm="docent", error="invalid_request"')
    assert.equal(await challenge({ Authorization: 'Bearer x' }), 'Bearer realm="docent", error="invalid_token"')
    const read = await t.call(jobs, { key: t.keys.read, json: { prompt: 'x' } })
    assert.match(read.headers.get('WWW-Authenticate') ?? '', /error="insufficient_scope", scope="write"/)
  })

  test('the scheme may be written in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
      const response = await t.call(`${jobs}s`, { key: null, headers: { Authorization: `${scheme} ${t.keys.read}` } })
      assert.equal(response.status, 200)
    }
  })

  test('two Authorization headers are refused, also when both are right', async () => {
    const headers = new Headers({ Authorization: `Bearer ${t.keys.read}` })
    headers.append('Authorization', `Bearer ${t.keys.read}`)
    const response = await t.app.request(`${jobs}s`, { headers })
    await expectProblem(response, 401, 'unauthenticated')
  })

  test('a key in the query is refused, also beside a valid one in the header', async () => {
    const queries = ['key=x', 'api_key=x', 'apiKey=x', 'API-KEY=x', 'access_token=', `other=${t.keys.read}`, `%6bey=x`]
    queries.push(t.keys.read, `x=Bearer%20${t.keys.read}`, `x=${t.keys.read},`)
    for (const query of queries) {
      const problem = await expectProblem(await t.call(`${jobs}s?${query}`), 401, 'unauthenticated')
      assert.match(problem.detail, /Never put a key in an address/)
    }
    assert.equal((await t.call(`${jobs}s?monkey=x&keys=y&tokens=z`)).status, 200)
  })

  test('a revoked key opens nothing', async () => {
    const created = await t.call('/v1/keys', { key: t.keys.admin, json: { name: 'short-lived' } })
    const { id, key } = (await created.json()) as { id: string; key: string }
    assert.equal((await t.call('/v1/projects', { key })).status, 200)
    assert.equal((await t.call(`/v1/keys/${id}`, { key: t.keys.admin, method: 'DELETE' })).status, 204)
    await expectProblem(await t.call('/v1/projects', { key }), 401, 'unauthenticated')
  })

  test('a caller that is known by the way it came needs no key', async () => {
    const response = await t.app.request('/v1/keys', {}, { principal: operator })
    assert.equal(response.status, 200)
    assert.equal((await t.app.request('/v1/keys')).status, 401)
  })

  test('an address that does not exist is 401 without a key and 404 with one', async () => {
    await expectProblem(await t.call('/v1/nothing', { key: null }), 401, 'unauthenticated')
    await expectProblem(await t.call('/v1/nothing'), 404, 'not_found')
    await expectProblem(await t.call('/nothing', { key: null }), 404, 'not_found')
  })
})
