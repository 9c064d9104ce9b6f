import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { scriptedForge } from '../../../test/support/forge-client.ts'
import type { HttpAnswer } from '../../../test/support/scripted-http.ts'
import type { Access } from '../host.ts'
import { createGitLabHost } from './host.ts'

const signal = new AbortController().signal
const project = '/projects/acme%2Fdocs'

const token = (scopes: readonly string[], expires_at: string | null = null): HttpAnswer => ({
  body: { scopes, expires_at, active: true },
})
const user: HttpAnswer = { body: { id: 3, username: 'project_1_bot' } }
const refused: HttpAnswer = { status: 403, body: { error: 'insufficient_scope' } }
const unknown: HttpAnswer = { status: 404, body: { message: '404 Project Not Found' } }

function member(project: number | null, group: number | null = null, more = {}): HttpAnswer {
  const level = (access_level: number | null) => (access_level === null ? null : { access_level })
  return { body: { permissions: { project_access: level(project), group_access: level(group) }, ...more } }
}

type Given = {
  readonly token?: HttpAnswer
  readonly user?: HttpAnswer
  readonly project?: HttpAnswer
  readonly member?: HttpAnswer
}

async function access(t: TestContext, given: Given): Promise<{ readonly found: Access; readonly webUrl: string }> {
  const { client, webUrl } = await scriptedForge(t, {
    'GET /personal_access_tokens/self': given.token ?? token(['api']),
    'GET /user': given.user ?? user,
    [`GET ${project}`]: given.project ?? member(30),
    [`GET ${project}/members/all/3`]: given.member ?? unknown,
    'GET /projects/1': member(30),
  })
  const host = createGitLabHost({ client, repository: { webUrl, path: 'acme/docs' } })
  return { found: await host.access({}, signal), webUrl }
}

type Row = readonly [name: string, given: Given, read: string, push: string, pullRequests: string]

const rows: readonly Row[] = [
  ['a developer with api', {}, 'yes', 'yes', 'yes'],
  ['a maintainer of the group', { project: member(null, 40) }, 'yes', 'yes', 'yes'],
  ['a reporter with api', { project: member(20) }, 'yes', 'no', 'no'],
  ['a reporter here who is a developer of the group', { project: member(20, 30) }, 'yes', 'yes', 'yes'],
  ['a token that may only push', { token: token(['read_api', 'write_repository']) }, 'yes', 'yes', 'no'],
  ['a token that may only read', { token: token(['read_api']) }, 'yes', 'no', 'no'],
  ['a token that may not read the project', { project: refused, user: refused }, 'unknown', 'unknown', 'no'],
  ['a project that is hidden', { project: unknown }, 'no', 'no', 'no'],
  [
    'a member through an invited group',
    { project: member(null), member: { body: { access_level: 30 } } },
    'yes',
    'yes',
    'yes',
  ],
  ['a stranger at a public project', { project: member(null) }, 'yes', 'no', 'no'],
  ['a GitLab that does not list the scopes of a token', { token: unknown }, 'yes', 'unknown', 'unknown'],
  [
    'merge requests that are switched off',
    { project: member(30, null, { merge_requests_enabled: false }) },
    'yes',
    'yes',
    'no',
  ],
]

test('scopes, roles and settings of the project decide the rights', async (t) => {
  for (const [name, given, read, push, pullRequests] of rows) {
    const { found } = await access(t, given)
    assert.deepEqual(found.rights, { read, push, pullRequests }, name)
    const missing = Object.entries(found.rights).flatMap(([right, has]) => (has === 'no' ? [right] : []))
    assert.deepEqual(
      found.missing.map(({ right }) => right),
      missing,
      name,
    )
  }
})

test('account and expiry are known, and a remedy names the page', async (t) => {
  const { found, webUrl } = await access(t, { token: token(['read_api'], '2027-01-31') })
  assert.equal(found.account, 'project_1_bot')
  assert.equal(found.expiresAt, '2027-01-31T00:00:00.000Z')
  const where = `${webUrl}/acme/docs/-/settings/access_tokens`
  const scopes = '"api" and "write_repository"'
  const remedy = `Create a token with the role "Developer" and the scopes ${scopes} at ${where}.`
  assert.deepEqual(found.missing[0], { right: 'push', remedy, needsNewToken: true })
  const off = await access(t, { project: member(30, null, { merge_requests_enabled: false }) })
  assert.match(off.found.missing[0]?.remedy ?? '', /^Turn on merge requests at http.*\/acme\/docs\/edit/)
  assert.equal((await access(t, { user: refused })).found.account, null)
})

test('a wrong token, an archived and a moved project are failures', async (t) => {
  const wrong: HttpAnswer = { status: 401, body: { message: '401 Unauthorized' } }
  await assert.rejects(access(t, { token: wrong }), { code: 'repository_unauthorized' })
  await assert.rejects(access(t, { project: member(30, null, { archived: true }) }), { code: 'repository_archived' })
  const moved: HttpAnswer = { status: 301, headers: { location: '/projects/1' } }
  await assert.rejects(access(t, { project: moved }), { code: 'repository_moved' })
  await assert.rejects(access(t, { project: { status: 500 } }), { code: 'forge_unavailable' })
})
