import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { scriptedForge } from '../../../test/support/forge-client.ts'
import type { HttpAnswer } from '../../../test/support/scripted-http.ts'
import type { Access } from '../host.ts'
import { createGiteaHost } from './host.ts'

const signal = new AbortController().signal
const repo = '/repos/acme/docs'

const looked: HttpAnswer = {
  status: 422,
  body: { message: 'Invalid PullRequest: There are no changes between the head and the base' },
}
const scopes = 'token does not have at least one of required scope(s), required=[write:repository]'
const refused: HttpAnswer = { status: 403, body: { message: scopes } }
const unknown: HttpAnswer = { status: 404, body: { message: "The target couldn't be found." } }

function repository(push: boolean, more = {}): HttpAnswer {
  return { body: { default_branch: 'main', permissions: { admin: false, pull: true, push }, ...more } }
}

type Given = { readonly repository?: HttpAnswer; readonly user?: HttpAnswer; readonly create?: HttpAnswer }

async function access(t: TestContext, given: Given = {}): Promise<{ readonly found: Access; readonly webUrl: string }> {
  const { client, webUrl, requests } = await scriptedForge(t, {
    'GET /user': given.user ?? { body: { login: 'docent' } },
    [`GET ${repo}`]: given.repository ?? repository(true),
    [`POST ${repo}/pulls`]: given.create ?? looked,
    'GET /repos/acme/handbook': repository(true),
  })
  const host = createGiteaHost({ client, repository: { webUrl, path: 'acme/docs' } })
  const found = await host.access({}, signal)
  const created = requests.find(({ method }) => method === 'POST')?.body as { head?: string; base?: string } | undefined
  assert.equal(created?.head, created?.base, 'a branch is never proposed into another')
  return { found, webUrl }
}

const rows: readonly (readonly [name: string, given: Given, read: string, push: string, pullRequests: string])[] = [
  ['a writer with all scopes', {}, 'yes', 'yes', 'yes'],
  ['a reader with all scopes', { repository: repository(false) }, 'yes', 'no', 'yes'],
  ['a writer whose token may only read', { create: refused }, 'yes', 'unknown', 'no'],
  ['a host that hides what it forbids', { create: unknown }, 'yes', 'unknown', 'no'],
  ['a repository that is hidden', { repository: unknown }, 'no', 'no', 'no'],
  ['a token without any scope of repositories', { repository: refused }, 'no', 'no', 'no'],
  [
    'pull requests that are switched off',
    { repository: repository(true, { has_pull_requests: false }) },
    'yes',
    'yes',
    'no',
  ],
  ['an empty repository', { repository: repository(true, { default_branch: '' }) }, 'yes', 'yes', 'yes'],
]

test('the role of the account and the scopes of the token decide the rights', async (t) => {
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

test('a known right is not probed, and what an imitation opens is closed', async (t) => {
  const { client, webUrl, requests } = await scriptedForge(t, {
    'GET /user': { body: { login: 'docent' } },
    [`GET ${repo}`]: repository(true),
    [`POST ${repo}/pulls`]: { status: 201, body: { number: 7 } },
    [`PATCH ${repo}/pulls/7`]: { status: 201, body: {} },
  })
  const host = createGiteaHost({ client, repository: { webUrl, path: 'acme/docs' } })
  assert.equal((await host.access({ pullRequests: 'yes' }, signal)).rights.pullRequests, 'yes')
  assert.deepEqual([...new Set(requests.map(({ method }) => method))], ['GET'])
  assert.equal((await host.access({}, signal)).rights.pullRequests, 'yes')
  assert.deepEqual(requests.at(-1)?.body, { state: 'closed' })
})

test('the account is known when the token may ask for it, and a remedy names the page', async (t) => {
  const { found } = await access(t)
  assert.deepEqual([found.account, found.expiresAt], ['docent', null])
  const scoped = await access(t, { user: refused, create: refused })
  assert.equal(scoped.found.account, null)
  const where = `${scoped.webUrl}/user/settings/applications`
  const permissions = '"repository: Read and Write", "issue: Read and Write" and "user: Read"'
  const remedy = `Create a token with the permissions ${permissions} at ${where}.`
  assert.deepEqual(scoped.found.missing, [{ right: 'pullRequests', remedy, needsNewToken: true }])
  const reader = await access(t, { repository: repository(false) })
  assert.equal(
    reader.found.missing[0]?.remedy,
    `Give docent the permission "Write" at ${reader.webUrl}/acme/docs/settings/collaboration.`,
  )
})

test('a wrong token, an archived and a moved repository are failures', async (t) => {
  const wrong: HttpAnswer = { status: 401, body: { message: 'user does not exist [uid: 0, name: ]' } }
  await assert.rejects(access(t, { user: wrong }), { code: 'repository_unauthorized' })
  await assert.rejects(access(t, { repository: repository(true, { archived: true }) }), { code: 'repository_archived' })
  const moved: HttpAnswer = { status: 307, headers: { location: '/repos/acme/handbook' } }
  await assert.rejects(access(t, { repository: moved }), { code: 'repository_moved' })
  await assert.rejects(access(t, { create: { status: 502 } }), { code: 'forge_unavailable' })
})
