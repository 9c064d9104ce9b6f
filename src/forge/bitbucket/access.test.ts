import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { scriptedForge } from '../../../test/support/forge-client.ts'
import type { HttpAnswer } from '../../../test/support/scripted-http.ts'
import type { Access } from '../host.ts'
import { refuseToken } from './bitbucket.ts'
import { createBitbucketHost } from './host.ts'

const signal = new AbortController().signal
const repo = '/repositories/acme/docs'
const written = { read: () => Promise.resolve(undefined), add: () => Promise.resolve() }

function repository(scopes: string | undefined, fullName = 'acme/docs'): HttpAnswer {
  const headers = scopes === undefined ? {} : { 'x-oauth-scopes': scopes }
  return { headers, body: { type: 'repository', full_name: fullName } }
}

function error(status: number, message: string): HttpAnswer {
  return { status, body: { type: 'error', error: { message } } }
}

const lacking = error(403, 'Your credentials lack one or more required privilege scopes.')
const hidden = error(404, 'You may not have access to this repository or it no longer exists in this workspace.')

type Given = {
  readonly repository: HttpAnswer
  readonly user?: HttpAnswer
  readonly email?: string
  readonly permissions?: HttpAnswer
}

async function access(t: TestContext, given: Given): Promise<{ readonly found: Access; readonly webUrl: string }> {
  const { client, webUrl } = await scriptedForge(t, {
    'GET /user': given.user ?? { body: { nickname: 'ada', display_name: 'Ada Lovelace' } },
    [`GET ${repo}`]: given.repository,
    'GET /workspaces/acme/permissions/repositories/docs': given.permissions ?? { body: { values: [] } },
  })
  const place = { webUrl, path: 'acme/docs' }
  const host = createBitbucketHost({ client, repository: place, user: given.email ?? null, written })
  return { found: await host.access({}, signal), webUrl }
}

const email = 'ada@acme.example'
const all =
  'read:repository:bitbucket write:repository:bitbucket read:pullrequest:bitbucket write:pullrequest:bitbucket'

const rows: readonly (readonly [name: string, given: Given, read: string, push: string, pullRequests: string])[] = [
  ['all', { repository: repository('repository:write, pullrequest:write') }, 'yes', 'yes', 'yes'],
  ['an admin', { repository: repository('repository:admin, pullrequest:write') }, 'yes', 'yes', 'yes'],
  ['no pull requests', { repository: repository('repository:write, pullrequest') }, 'yes', 'yes', 'no'],
  ['a reader', { repository: repository('repository') }, 'yes', 'no', 'no'],
  ['no header', { repository: repository(undefined) }, 'yes', 'unknown', 'unknown'],
  ['an API token', { repository: repository(all), email }, 'yes', 'yes', 'yes'],
  [
    'an API token that writes and does not read',
    {
      repository: repository('read:repository:bitbucket write:repository:bitbucket write:pullrequest:bitbucket'),
      email,
    },
    'yes',
    'yes',
    'no',
  ],
  ['an API token that reads', { repository: repository('read:repository:bitbucket'), email }, 'yes', 'no', 'no'],
  ['no scope', { repository: lacking }, 'no', 'no', 'no'],
  ['another repository', { repository: hidden }, 'no', 'no', 'no'],
]

test('scopes are rights, and each missing one has a remedy', async (t) => {
  for (const [name, given, read, push, pullRequests] of rows) {
    const { found } = await access(t, given)
    assert.deepEqual(found.rights, { read, push, pullRequests }, name)
    assert.deepEqual(
      found.missing.map(({ right }) => right),
      Object.entries(found.rights).flatMap(([right, granted]) => (granted === 'no' ? [right] : [])),
      name,
    )
  }
})

test('a remedy names the page of the kind of token', async (t) => {
  const token = await access(t, { repository: repository('repository') })
  const page = `${token.webUrl}/acme/docs/admin/access-tokens`
  const permissions = '"Repositories: Write" and "Pull requests: Write"'
  assert.equal(token.found.missing[0]?.remedy, `Create an access token with the permissions ${permissions} at ${page}.`)
  assert.equal(token.found.missing[0]?.needsNewToken, true)
  const api = await access(t, { repository: repository('read:repository:bitbucket'), email })
  assert.match(api.found.missing[0]?.remedy ?? '', /write:pullrequest:bitbucket at https:\/\/id\.atlassian\.com\//)
  const other = await access(t, { repository: hidden, email })
  assert.match(other.found.missing[0]?.remedy ?? '', /^Let the account ada@acme\.example read acme\/docs: /)
  assert.equal(other.found.missing[0]?.needsNewToken, undefined)
})

test('the account of an API token is named where it may be asked for', async (t) => {
  const given = { repository: repository(all), email }
  assert.equal((await access(t, given)).found.account, 'ada')
  assert.equal((await access(t, { ...given, user: lacking })).found.account, email)
  assert.equal((await access(t, { repository: repository('repository') })).found.account, null)
})

test('a credential that may not ask who may push says so, with the remedy', async (t) => {
  const refused = error(403, 'You do not have permission to view this resource.')
  const given = { repository: repository('repository:write, pullrequest:write'), permissions: refused }
  const { found, webUrl } = await access(t, given)
  const words = 'Comments that call Docent do nothing: Bitbucket says who may push only to an administrator.'
  const permissions = '"Repositories: Admin" and "Pull requests: Write"'
  const page = `${webUrl}/acme/docs/admin/access-tokens`
  assert.deepEqual(found.off, [`${words} Create an access token with the permissions ${permissions} at ${page}.`])
  const admin = { ...given, repository: repository('repository:admin, pullrequest:write') }
  assert.deepEqual((await access(t, admin)).found.off, [])
  assert.deepEqual((await access(t, { ...given, permissions: { body: { values: [] } } })).found.off, [])
  const api = await access(t, { repository: repository(all), email, permissions: refused })
  assert.match(api.found.off?.[0] ?? '', /administrator\. Give the account ada@acme\.example the permission Admin at /)
})

test('a refused token, a renamed repository and an undocumented response are failures', async (t) => {
  const refused = error(401, 'Token is invalid, expired, or not supported for this endpoint.')
  await assert.rejects(access(t, { repository: refused }), { code: 'repository_unauthorized' })
  const renamed = access(t, { repository: repository('repository', 'acme/handbook') })
  await assert.rejects(renamed, { code: 'repository_moved', message: /is acme\/handbook now/ })
  await assert.rejects(access(t, { repository: { body: [] } }), { code: 'forge_unavailable' })
  await assert.rejects(access(t, { repository: { body: '<html>Log in' } }), { code: 'forge_unavailable' })
})

const tokens: readonly (readonly [token: string, user: string | undefined, field: string | undefined])[] = [
  ['ATCTT3xFfGN0abc', undefined, undefined],
  ['ATCTT3xFfGN0abc', email, 'user'],
  ['ATATT3xFfGF0abc', email, undefined],
  ['ATATT3xFfGF0abc', undefined, 'user'],
  ['ATATT3xFfGF0abc', 'ada', 'user'],
  ['ATBBabc', 'ada', 'token'],
  ['ATBBabc', undefined, 'token'],
  ['of another form', undefined, undefined],
  ['of another form', email, undefined],
]

test('the first characters of a token tell its kind; app passwords are refused', () => {
  for (const [token, user, field] of tokens) assert.equal(refuseToken(token, user)?.field, field, `${token} ${user}`)
  assert.match(refuseToken('ATBBabc', undefined)?.message ?? '', /app password, .* 9 June 2026/)
})
