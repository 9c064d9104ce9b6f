import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { noBudget, otherSettings, usualSettings } from '../../../../test/support/project-settings.ts'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import type { JobResponse } from '../../../jobs/response.ts'
import type { Project } from '../../../projects/projects.ts'

suite('the settings of a project', () => {
  let t: TestApp
  before(async () => {
    t = await openTestApp()
  })

  const repository = 'https://git.example/settings.git'
  /** The access to the repository has tests of its own. */
  const withoutAccess = (shown: unknown): Project => {
    const { access, ...project } = shown as Project & { readonly access: object | null }
    assert.notEqual(access, undefined)
    return project
  }
  const create = async (json: Record<string, unknown> = {}) => {
    const response = await t.call('/v1/projects', { key: t.keys.admin, json: { name: 'Set', repository, ...json } })
    assert.equal(response.status, 201, await response.clone().text())
    return withoutAccess(await response.json())
  }
  const patch = (id: string, json: unknown, key = t.keys.admin) =>
    t.call(`/v1/projects/${id}`, { key, method: 'PATCH', json })
  const changed = async (id: string, json: unknown) => {
    const response = await patch(id, json)
    assert.equal(response.status, 200, await response.clone().text())
    return withoutAccess(await response.json())
  }
  const read = async (id: string) =>
    (await (await t.call(`/v1/projects/${id}`, { key: t.keys.admin })).json()) as Project
  test('a new project has the defaults, or what it was made with', async () => {
    const { id, name, repository: address, createdAt, updatedAt, ...settings } = await create()
    assert.deepEqual(settings, { ...usualSettings, fork: null, sources: [] })
    assert.match(`${id} ${name} ${address} ${createdAt} ${updatedAt}`, /^prj_\w+ Set https:/)
    const made = await create(otherSettings)
    assert.deepEqual({ ...made, ...otherSettings }, made)
    assert.deepEqual(await read(made.id), made)
  })

  test('an update changes only the given fields, and null restores the default', async () => {
    const { id } = await create(otherSettings)
    assert.equal((await changed(id, { name: 'Renamed', unknown: 1 })).name, 'Renamed')
    assert.deepEqual((await changed(id, { budget: { tokens: 9, turns: null } })).budget, {
      ...noBudget,
      costUsd: 0.5,
      tokens: 9,
    })
    const { pathPolicy } = await changed(id, { pathPolicy: { deny: null } })
    assert.deepEqual(pathPolicy, { ...otherSettings.pathPolicy, deny: [] })
    const { expected } = (await changed(id, { pathPolicy: { expected: { paths: ['*.lua'], keys: null } } })).pathPolicy
    assert.deepEqual(expected, { paths: ['*.lua'], components: [], keys: [] }, 'a list that is not named stays')
    const { pullRequest } = await changed(id, { pullRequest: { draft: null, reviewers: ['hubot'] } })
    assert.deepEqual(pullRequest, { ...otherSettings.pullRequest, draft: false, reviewers: ['hubot'] })
    const { commit } = await changed(id, {
      commit: { prefix: null, author: { name: 'Other', email: 'o@example.com' } },
    })
    assert.deepEqual(commit, { prefix: null, signOff: false, author: { name: 'Other', email: 'o@example.com' } })
    assert.equal((await changed(id, { commit: { author: null } })).commit.author, null)
    const { branchPrefix } = (await changed(id, { pullRequest: { branchPrefix: null } })).pullRequest
    assert.equal(branchPrefix, 'docent/')
    const { categories } = await changed(id, { categories: { library: null, search: 'ai' } })
    assert.deepEqual(categories, { ai_training: 'ai', search: 'ai' })
    const before = await read(id)
    const untouched = await changed(id, {})
    assert.deepEqual({ ...untouched, updatedAt: before.updatedAt }, before)
    const reset = await changed(id, Object.fromEntries(Object.keys(usualSettings).map((name) => [name, null])))
    assert.deepEqual({ ...reset, ...usualSettings }, reset)
    assert.equal(reset.name, 'Renamed')
    assert.deepEqual(await read(id), reset)
  })

  test('pages may be on a host that the service lists, and 100 of each kind', async () => {
    const { id } = await create()
    const many = Array.from({ length: 100 }, (_, at) => `http://docs.internal:8080/${at}/?q=%20`)
    const prefixes = many.map((address) => address.replace(/\?.*/, ''))
    assert.deepEqual((await changed(id, { pages: { addresses: many, prefixes } })).pages, { addresses: many, prefixes })
    assert.deepEqual((await changed(id, { pages: { addresses: null } })).pages, { addresses: [], prefixes })
  })

  test('changes at the same time do not undo each other', async () => {
    const { id } = await create()
    const names = ['turns', 'tokens', 'seconds', 'changedFiles', 'changedBytes', 'costUsd']
    await Promise.all(names.map((name) => patch(id, { budget: { [name]: 3 } })))
    assert.deepEqual(Object.values((await read(id)).budget), [3, 3, 3, 3, 3, 3])
  })

  test('settings that cannot be are refused by name, in a new project and in a change', async () => {
    const { id } = await create()
    const table: [Record<string, unknown>, string][] = [
      [{ name: '' }, '#/name'],
      [{ name: null }, '#/name'],
      [{ repository: null }, '#/repository'],
      [{ repository: 'file:///etc' }, '#/repository'],
      [{ branch: '-x' }, '#/branch'],
      [{ model: 'large' }, '#/model'],
      [{ model: 7 }, '#/model'],
      [{ budget: { turns: 0 } }, '#/budget/turns'],
      [{ budget: { turns: 1.5 } }, '#/budget/turns'],
      [{ budget: { turns: '7' } }, '#/budget/turns'],
      [{ budget: { costUsd: 0 } }, '#/budget/costUsd'],
      [{ budget: { costUsd: -1 } }, '#/budget/costUsd'],
      [{ budget: [] }, '#/budget'],
      [{ pathPolicy: 'docs/' }, '#/pathPolicy'],
      [{ pathPolicy: { allow: 'docs/' } }, '#/pathPolicy/allow'],
      [{ pathPolicy: { allow: [''] } }, '#/pathPolicy/allow/0'],
      [{ pathPolicy: { deny: ['a', 'b\0'] } }, '#/pathPolicy/deny/1'],
      [{ pathPolicy: { deny: ['{a,b}'.repeat(7)] } }, '#/pathPolicy/deny/0'],
      [{ pathPolicy: { unprotect: ['package.json', 'docs/**'] } }, '#/pathPolicy/unprotect/1'],
      [{ pathPolicy: { unprotect: ['docs/'] } }, '#/pathPolicy/unprotect/0'],
      [{ pathPolicy: { imageHosts: ['a.b', 'https://a.b'] } }, '#/pathPolicy/imageHosts/1'],
      [{ pathPolicy: { expected: { keys: ['mkdocs.yml'] } } }, '#/pathPolicy/expected/keys/0'],
      [{ pathPolicy: { imageHosts: ['A.b'] } }, '#/pathPolicy/imageHosts/0'],
      [{ pathPolicy: { deletedPercent: 101 } }, '#/pathPolicy/deletedPercent'],
      [{ pathPolicy: { deletedPercent: 0 } }, '#/pathPolicy/deletedPercent'],
      [{ transcripts: { keepDays: 36_501 } }, '#/transcripts/keepDays'],
      [{ pathPolicy: { allow: Array(101).fill('docs/') } }, '#/pathPolicy/allow'],
      ...[
        'http://example.com/a',
        'https://user@example.com/a',
        'https://example.com',
        'https://Example.com/a',
        'https://exämple.com/a',
        'https://example.com/a/../b',
        'https://example.com/a#b',
        'https://example.com:8443/a',
        'https://127.0.0.1/a',
        'https://localhost/a',
        'https://docs.internal/a',
        'https://example.com/a b',
        'example.com/a',
        `https://example.com/${'a'.repeat(2_000)}`,
      ].map((address): [Record<string, unknown>, string] => [
        { pages: { addresses: ['https://example.com/', address] } },
        '#/pages/addresses/1',
      ]),
      ...[
        'https://example.com/a',
        'https://example.com/a/?b=c/',
        'https://example.com/a/#b/',
        'http://example.com/',
      ].map((prefix): [Record<string, unknown>, string] => [{ pages: { prefixes: [prefix] } }, '#/pages/prefixes/0']),
      [{ pages: { prefixes: Array(101).fill('https://example.com/') } }, '#/pages/prefixes'],
      [{ pages: { addresses: 'https://example.com/' } }, '#/pages/addresses'],
      [{ pullRequest: true }, '#/pullRequest'],
      [{ pullRequest: { draft: 'yes' } }, '#/pullRequest/draft'],
      [{ pullRequest: { labels: 'docs' } }, '#/pullRequest/labels'],
      [{ pullRequest: { labels: ['a,b'] } }, '#/pullRequest/labels/0'],
      [{ pullRequest: { labels: Array(21).fill('docs') } }, '#/pullRequest/labels'],
      [{ pullRequest: { reviewers: ['a', 'b\nc'] } }, '#/pullRequest/reviewers/1'],
      ...['', ' ', 'docs/', '-a', '/a', 'a//', 'a..b', 'a b', 'refs/', '.a/', 'a.lock/', 'ä/', 'a'.repeat(101)].map(
        (prefix): [Record<string, unknown>, string] => [
          { branch: 'docs', pullRequest: { branchPrefix: prefix } },
          '#/pullRequest/branchPrefix',
        ],
      ),
      [{ branch: 'docent' }, '#/branch'],
      [{ pullRequest: { titlePrefix: 'a\nb' } }, '#/pullRequest/titlePrefix'],
      [{ commit: { prefix: 'a\nSigned-off-by: x' } }, '#/commit/prefix'],
      [{ pullRequest: { deleteBranch: 'closed' } }, '#/pullRequest/deleteBranch'],
      [{ pullRequest: { autoMerge: 1 } }, '#/pullRequest/autoMerge'],
      [{ commit: { signOff: true } }, '#/commit/signOff'],
      [{ commit: { signOff: 'yes' } }, '#/commit/signOff'],
      [{ commit: { author: 'Docs <docs@example.com>' } }, '#/commit/author'],
      [{ commit: { author: { name: 'Docs' } } }, '#/commit/author/email'],
      [{ commit: { author: { name: 'Do<cs', email: 'a@b' } } }, '#/commit/author/name'],
      [{ commit: { author: { name: 'Docs', email: 'a b@c' } } }, '#/commit/author/email'],
      [{ commit: { author: { name: 'Docs', email: 'a@b>\nc' } } }, '#/commit/author/email'],
      [{ timeZone: 'Mars/Olympus' }, '#/timeZone'],
      [{ timeZone: '+01:00' }, '#/timeZone'],
      [{ timeZone: 'asia/kolkata' }, '#/timeZone'],
      [{ timeZone: '../etc/passwd' }, '#/timeZone'],
      [{ privacy: 'off' }, '#/privacy'],
      [{ privacy: 'strict', visitorWindow: 'month' }, '#/visitorWindow'],
      [{ privacy: 'strict', retentionMonths: 26 }, '#/retentionMonths'],
      [{ visitorWindow: 'year' }, '#/visitorWindow'],
      [{ collectionSource: 'log' }, '#/collectionSource'],
      [{ retentionMonths: 0 }, '#/retentionMonths'],
      [{ retentionMonths: 121 }, '#/retentionMonths'],
      [{ retentionMonths: 1 }, '#/retentionMonths'],
      [{ retentionMonths: 1, signalRetentionDays: null }, '#/retentionMonths'],
      [{ retentionMonths: 1, signalRetentionDays: 32 }, '#/signalRetentionDays'],
      [{ signalRetentionDays: 776 }, '#/signalRetentionDays'],
      [{ signalRetentionDays: 1e9 }, '#/signalRetentionDays'],
      [{ categories: { browser: 'robot' } }, '#/categories/browser'],
      [{ categories: { robot: 'ai' } }, '#/categories'],
      [{ categories: [] }, '#/categories'],
      [{ unverifiedAiAgents: 'maybe' }, '#/unverifiedAiAgents'],
      [{ coAuthors: 'everybody' }, '#/coAuthors'],
    ]
    for (const [json, pointer] of table) {
      const create = { key: t.keys.admin, json: { name: 'x', repository, ...json } }
      for (const response of [await t.call('/v1/projects', create), await patch(id, json)]) {
        const problem = await expectProblem(response, 400, 'invalid_input')
        assert.equal(problem.details?.[0]?.pointer, pointer, JSON.stringify(json).slice(0, 80))
      }
    }
    assert.deepEqual((await read(id)).budget, noBudget)
    assert.equal((await changed(id, { retentionMonths: 1, signalRetentionDays: 31 })).signalRetentionDays, 31)
    assert.equal((await changed(id, { timeZone: 'EUROPE/BERLIN' })).timeZone, 'Europe/Berlin')
  })

  test('strict privacy lowers the window and the retention, and refuses more', async () => {
    const of = ({ privacy, visitorWindow, retentionMonths, signalRetentionDays }: Project) =>
      [privacy, visitorWindow, retentionMonths, signalRetentionDays] as const
    const { id } = await create({ visitorWindow: 'never', retentionMonths: 120, signalRetentionDays: 3_720 })
    assert.deepEqual(of(await changed(id, { privacy: 'strict' })), ['strict', 'day', 25, 775])
    for (const [json, pointer] of [
      [{ visitorWindow: 'week' }, '#/visitorWindow'],
      [{ retentionMonths: 26 }, '#/retentionMonths'],
    ] as const) {
      const { details } = await expectProblem(await patch(id, json), 400, 'invalid_input')
      assert.deepEqual(
        details?.map((one) => one.pointer),
        [pointer],
      )
    }
    const nulls = { visitorWindow: null, retentionMonths: null, signalRetentionDays: null }
    assert.deepEqual(of(await changed(id, nulls)), ['strict', 'day', 25, 90])
    assert.deepEqual(of(await changed(id, { retentionMonths: 3 })), ['strict', 'day', 3, 90])
    assert.deepEqual(of(await create({ privacy: 'strict' })), ['strict', 'day', 25, 90])
    assert.deepEqual(of(await changed(id, { privacy: null })), ['standard', 'day', 3, 90], 'nothing grows by itself')
    assert.deepEqual(of(await changed(id, { visitorWindow: 'month' })), ['standard', 'month', 3, 90])
  })

  test('a body that targets the prototype, or an empty one, changes nothing', async () => {
    const { id } = await create()
    const before = await read(id)
    const send = (body: string, type = 'application/json') =>
      t.call(`/v1/projects/${id}`, { key: t.keys.admin, method: 'PATCH', body, headers: { 'Content-Type': type } })
    for (const body of [
      '{"__proto__":{"name":"polluted"},"constructor":{"prototype":{"name":"polluted"}}}',
      '{"budget":{"__proto__":{"turns":1},"toString":1,"hasOwnProperty":2}}',
      '{"pathPolicy":{"__proto__":{"deny":["*"]}}}',
    ]) {
      assert.equal((await send(body)).status, 200)
    }
    assert.equal(({} as Record<string, unknown>)['name'], undefined)
    assert.deepEqual({ ...(await read(id)), updatedAt: before.updatedAt }, before)
    for (const body of ['[]', 'null', '"x"', '', '{']) await expectProblem(await send(body), 400, 'invalid_input')
    for (const type of ['application/merge-patch+json', 'application/json-patch+json', 'text/plain', '']) {
      await expectProblem(await send('{"name":"x"}', type), 415, 'unsupported_media_type')
    }
    await expectProblem(await send(`{"name":"${'x'.repeat(1_048_576)}"}`), 413, 'payload_too_large')
  })

  test('only admins change and delete projects, and only those that they see', async () => {
    const path = `/v1/projects/${t.other.id}`
    const table: [string, unknown, Record<string, number>][] = [
      ['PATCH', { name: 'x' }, { [t.keys.foreign]: 403, [t.keys.write]: 404, [t.keys.adminOfProject]: 404 }],
      ['DELETE', undefined, { [t.keys.foreign]: 403, [t.keys.write]: 404, [t.keys.adminOfProject]: 404 }],
    ]
    for (const [method, json, expected] of table) {
      for (const [key, status] of Object.entries(expected)) {
        assert.equal((await t.call(path, { method, key, ...(json ? { json } : {}) })).status, status)
      }
      const none = await t.call(path, { method, key: null, ...(json ? { json } : {}) })
      await expectProblem(none, 401, 'unauthenticated')
    }
    for (const id of ['prj_00000000000000000000', 'x', '%00']) {
      await expectProblem(await patch(id, { name: 'x' }), 404, 'not_found')
      const gone = await t.call(`/v1/projects/${id}`, { key: t.keys.admin, method: 'DELETE' })
      await expectProblem(gone, 404, 'not_found')
    }
    const put = await t.call(path, { key: t.keys.admin, method: 'PUT' })
    assert.equal(put.headers.get('Allow'), 'GET, HEAD, DELETE, PATCH')
    await expectProblem(put, 405, 'method_not_allowed')
    assert.equal((await patch(t.project.id, { name: 'Mine' }, t.keys.adminOfProject)).status, 200)
  })

  test('a key of certain projects cannot lead them to another repository', async () => {
    const { repository: own } = await read(t.project.id)
    const other = await patch(t.project.id, { repository: 'https://git.example/private.git' }, t.keys.adminOfProject)
    await expectProblem(other, 403, 'forbidden')
    assert.equal((await patch(t.project.id, { repository: own }, t.keys.adminOfProject)).status, 200)
    assert.equal((await read(t.project.id)).repository, own)
  })

  test('the repository cannot change during a job; later jobs use the new one', async () => {
    const jobs = `/v2/agent/${t.project.id}/job`
    const moved = 'https://git.example/moved.git'
    const job = (await (await t.call(jobs, { json: { prompt: 'x' } })).json()) as JobResponse
    await expectProblem(await patch(t.project.id, { repository: moved }), 409, 'project_busy')
    assert.equal((await patch(t.project.id, { name: 'Busy', repository: job.source.repository })).status, 200)
    await t.call(`${jobs}/${job.id}/cancel`, { method: 'POST' })
    assert.equal((await changed(t.project.id, { repository: moved })).repository, moved)
    const followed = await t.call(`${jobs}/${job.id}/message`, { json: { prompt: 'y' } })
    assert.equal(((await followed.json()) as JobResponse).source.repository, moved)
  })

  test('a deleted project and its jobs look as if they never existed', async () => {
    const { id } = await create()
    const { key } = (await (
      await t.call('/v1/keys', { key: t.keys.admin, json: { name: 'k', scope: 'admin', projectIds: [id] } })
    ).json()) as { key: string }
    await t.call(`/v2/agent/${id}/job`, { key, json: { prompt: 'x' } })
    assert.equal((await t.call(`/v1/projects/${id}`, { key, method: 'DELETE' })).status, 204)
    const left = await t.db.selectFrom('jobs').select('id').where('project_id', '=', id).execute()
    assert.deepEqual(left, [])
    for (const path of [`/v1/projects/${id}`, `/v2/agent/${id}/jobs`]) {
      await expectProblem(await t.call(path, { key }), 404, 'not_found')
    }
    await expectProblem(await t.call(`/v1/projects/${id}`, { key, method: 'DELETE' }), 404, 'not_found')
    assert.deepEqual(await (await t.call('/v1/projects', { key })).json(), { projects: [], nextCursor: null })
  })
})
