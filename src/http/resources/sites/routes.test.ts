import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import { type Site, toOrigin } from '../../../projects/sites.ts'

suite('sites', () => {
  let t: TestApp
  let sites: string
  before(async () => {
    t = await openTestApp()
    sites = `/v1/projects/${t.project.id}/sites`
  })

  const wanted = { name: 'Docs', origins: ['https://docs.example.com'] }
  const admin = () => ({ key: t.keys.adminOfProject })
  const create = async (json: Record<string, unknown> = {}) => {
    const response = await t.call(sites, { ...admin(), json: { ...wanted, ...json } })
    assert.equal(response.status, 201, await response.clone().text())
    return (await response.json()) as Site
  }
  const patch = (id: string, json: unknown) => t.call(`${sites}/${id}`, { ...admin(), method: 'PATCH', json })
  const list = async (key = t.keys.read) =>
    ((await (await t.call(sites, { key })).json()) as { sites: readonly Site[] }).sites

  test('a web origin has one normal form, and other texts are invalid', () => {
    const table: [string, string | undefined][] = [
      ['https://docs.example.com', 'https://docs.example.com'],
      ['https://Docs.Example.com/', 'https://docs.example.com'],
      ['https://docs.example.com:443', 'https://docs.example.com'],
      ['http://localhost:3000', 'http://localhost:3000'],
      ['https://[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443'],
      ['https://bücher.example', 'https://xn--bcher-kva.example'],
      ['https://docs.example.com/guides', undefined],
      ['https://docs.example.com?', undefined],
      ['https://docs.example.com/#', undefined],
      ['https://user@docs.example.com', undefined],
      ['https://*.example.com', undefined],
      ['*', undefined],
      ['null', undefined],
      ['', undefined],
      ['docs.example.com', undefined],
      ['//docs.example.com', undefined],
      ['ftp://docs.example.com', undefined],
      ['file:///', undefined],
      ['javascript:alert(1)', undefined],
      ['https://', undefined],
      ['https://a b', undefined],
    ]
    for (const [text, expected] of table) assert.equal(toOrigin(text), expected, text)
  })

  test('a site is made, shown to who may read, changed where it is named, and deleted', async () => {
    const made = await create({ origins: ['https://A.example/', 'https://a.example:443', 'http://localhost:3000'] })
    assert.match(made.id, /^site_[0-9a-z]{20}$/)
    assert.deepEqual(made.origins, ['https://a.example', 'http://localhost:3000'])
    assert.equal(made.honoursOptOut, false)
    assert.deepEqual(await list(), [made])
    const changed = (await (await patch(made.id, { honoursOptOut: true, unknown: 1 })).json()) as Site
    assert.deepEqual({ ...changed, honoursOptOut: false, updatedAt: made.updatedAt }, made)
    const other = (await (await patch(made.id, { origins: ['https://b.example'], honoursOptOut: null })).json()) as Site
    assert.deepEqual([other.origins, other.honoursOptOut, other.name], [['https://b.example'], false, 'Docs'])
    assert.equal((await patch(made.id, {})).status, 200)
    assert.equal((await t.call(`${sites}/${made.id}`, { ...admin(), method: 'DELETE' })).status, 204)
    await expectProblem(await t.call(`${sites}/${made.id}`, { ...admin(), method: 'DELETE' }), 404, 'not_found')
    assert.deepEqual(await list(), [])
  })

  test('sites that cannot be are refused by name, in a new one and in a change', async () => {
    const { id } = await create()
    const table: [Record<string, unknown>, string][] = [
      [{ name: '' }, '#/name'],
      [{ name: null }, '#/name'],
      [{ origins: [] }, '#/origins'],
      [{ origins: null }, '#/origins'],
      [{ origins: 'https://a.example' }, '#/origins'],
      [{ origins: Array.from({ length: 101 }, (_, at) => `https://a${at}.example`) }, '#/origins'],
      [{ origins: ['https://a.example', 'https://a.example/x'] }, '#/origins/1'],
      [{ origins: [`https://${'a'.repeat(300)}.example`] }, '#/origins/0'],
      [{ origins: [{}] }, '#/origins/0'],
      [{ honoursOptOut: 'yes' }, '#/honoursOptOut'],
      [{ __proto__: null, name: 7 }, '#/name'],
    ]
    for (const [json, pointer] of table) {
      const made = await t.call(sites, { ...admin(), json: { ...wanted, ...json } })
      for (const response of [made, await patch(id, json)]) {
        const problem = await expectProblem(response, 400, 'invalid_input')
        assert.equal(problem.details?.[0]?.pointer, pointer, JSON.stringify(json).slice(0, 80))
      }
    }
    assert.equal((await create({ origins: Array(100).fill('https://a.example') })).origins.length, 1)
  })

  test('reading needs `read`, changes need `admin`; foreign sites do not exist', async () => {
    const { id } = await create()
    const foreign = `/v1/projects/${t.other.id}/sites`
    const table: [string, string, unknown, Record<string, number>][] = [
      ['GET', sites, undefined, { read: 200, write: 200, foreign: 404 }],
      ['POST', sites, wanted, { read: 403, write: 403, foreign: 404 }],
      ['PATCH', `${sites}/${id}`, {}, { read: 403, write: 403, foreign: 404, adminOfProject: 200 }],
      ['DELETE', `${sites}/${id}`, undefined, { read: 403, write: 403, foreign: 404 }],
      ['PATCH', `${foreign}/${id}`, {}, { admin: 404, adminOfProject: 404, foreign: 403 }],
      ['DELETE', `${foreign}/${id}`, undefined, { admin: 404, adminOfProject: 404 }],
      ['DELETE', `${sites}/site_00000000000000000000`, undefined, { admin: 404 }],
      ['DELETE', `${sites}/%00`, undefined, { admin: 404 }],
      ['GET', `${sites}/${id}`, undefined, { admin: 405 }],
      ['PUT', sites, undefined, { admin: 405 }],
    ]
    for (const [method, path, json, expected] of table) {
      for (const [name, status] of Object.entries(expected)) {
        const key = t.keys[name as keyof typeof t.keys]
        const response = await t.call(path, { method, key, ...(json === undefined ? {} : { json }) })
        assert.equal(response.status, status, `${method} ${path} with ${name}`)
      }
    }
    await expectProblem(await t.call(sites, { key: null }), 401, 'unauthenticated')
    const form = { ...admin(), body: 'name=x', headers: { 'Content-Type': 'text/plain' } }
    await expectProblem(await t.call(sites, form), 415, 'unsupported_media_type')
    assert.ok((await list()).some((site) => site.id === id))
  })

  test('the sites go with their project', async () => {
    const { id } = await create()
    await t.call(`/v1/projects/${t.project.id}`, { ...admin(), method: 'DELETE' })
    assert.equal(await t.db.selectFrom('sites').select('id').where('id', '=', id).executeTakeFirst(), undefined)
  })
})
