import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { scriptedForge } from '../../../test/support/forge-client.ts'
import type { HttpAnswer } from '../../../test/support/scripted-http.ts'
import { createAzureHost } from './host.ts'

const signal = new AbortController().signal
const id = '11111111-2222-4333-8444-555555555555'

const ada = { body: { authenticatedUser: { id, providerDisplayName: 'Ada' } } }

type Given = { readonly name?: string; readonly account?: HttpAnswer }

async function access(t: TestContext, repository: HttpAnswer, { name = 'docs', account = ada }: Given = {}) {
  const { client, webUrl } = await scriptedForge(t, {
    [`GET /acme/web/_apis/git/repositories/${name}`]: repository,
    'GET /acme/_apis/connectionData': account,
  })
  const place = { webUrl, path: `acme/web/_git/${name}` }
  return { found: await createAzureHost({ client, repository: place }).access({}, signal), webUrl }
}

test('the check knows no right except reading', async (t) => {
  const { found } = await access(t, { body: { id, name: 'Docs', project: { visibility: 'public' } } })
  const rights = { read: 'yes', push: 'unknown', pullRequests: 'unknown' }
  assert.deepEqual(found, { account: 'Ada', expiresAt: null, rights, missing: [], facts: { isPublic: true } })
  const project = { visibility: 'private' }
  assert.equal((await access(t, { body: { id, name: 'docs', project } })).found.facts?.isPublic, false)
  assert.equal((await access(t, { body: { id, name: 'docs' } }, { name: id })).found.rights.read, 'yes')
})

test('an account that is not shown is unknown', async (t) => {
  const repository = { body: { id, name: 'docs' } }
  const shownName = async (account: HttpAnswer) => (await access(t, repository, { account })).found.account
  assert.equal(await shownName({ status: 403, body: { message: 'no scope' } }), null)
  assert.equal(await shownName({ body: { user: 'Ada' } }), null)
  assert.equal(
    await shownName({ body: { authenticatedUser: { id, customDisplayName: 'A', providerDisplayName: 'B' } } }),
    'A',
  )
  await assert.rejects(shownName({ status: 503 }), { code: 'forge_unavailable' })
})

test('a token without the scope needs another one, with the page that creates it', async (t) => {
  const { found, webUrl } = await access(t, { status: 403, body: { message: 'no scope' } })
  assert.deepEqual(found.rights, { read: 'no', push: 'no', pullRequests: 'no' })
  const start = `Create a personal access token with the scopes "Code (Read & write)" at ${webUrl}/acme/_usersSettings/tokens`
  assert.ok(found.missing.length === 3 && found.missing[0]?.remedy.startsWith(start), found.missing[0]?.remedy)
  assert.equal(found.missing[0]?.needsNewToken, true)
  const hidden = (await access(t, { status: 404, body: { message: 'TF401019' } })).found
  assert.match(hidden.missing[0]?.remedy ?? '', /^Let the account of the token read the repository, or correct/)
  assert.equal(hidden.missing[0]?.needsNewToken, undefined)
})

test('a disabled or renamed repository and a refused token are failures', async (t) => {
  const disabled = access(t, { body: { id, name: 'docs', isDisabled: true } })
  await assert.rejects(disabled, { code: 'repository_archived' })
  await assert.rejects(access(t, { body: { id, name: 'handbook' } }), {
    code: 'repository_moved',
    message: /is handbook/,
  })
  await assert.rejects(access(t, { status: 401 }), { code: 'repository_unauthorized' })
  await assert.rejects(access(t, { body: {} }), { code: 'forge_unavailable' })
})
