import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Routes, scriptedForge } from '../../../test/support/forge-client.ts'
import { serveHttp } from '../../../test/support/scripted-http.ts'
import { composeBody } from '../body.ts'
import { createForgeClient } from '../client.ts'
import type { NewPull } from '../host.ts'
import { azureOptions } from './azure.ts'
import { toParts } from './facts-comment.ts'
import { createAzureHost } from './host.ts'

const signal = new AbortController().signal
const repo = '/acme/Team%20docs/_apis/git/repositories/docs'
const pulls = `${repo}/pullrequests`
const threads = `${repo}/pullRequests/7/threads`
const branch = 'docent/job_1'
const oid = 'ab'.repeat(20)
const proposal: NewPull = { title: 'Fix', body: 'Because.', base: 'main', branch, draft: false }
const id = '11111111-2222-4333-8444-555555555555'
const body = composeBody({ jobId: 'job_1', title: 'Fix', note: '', text: 'Because.', facts: 'A.\n\nB.\n\nThe job.' })
const { description, comment: content = '' } = toParts(body)

function row(given: Readonly<Record<string, unknown>> = {}) {
  return {
    pullRequestId: 7,
    status: 'active',
    isDraft: false,
    title: 'Fix',
    description: 'Because.',
    sourceRefName: `refs/heads/${branch}`,
    targetRefName: 'refs/heads/main',
    lastMergeSourceCommit: { commitId: oid },
    reviewers: [],
    ...given,
  }
}

const thread = (number: number, text: string, more: Readonly<Record<string, unknown>> = {}) => ({
  id: number,
  comments: [{ id: 1, content: text }],
  ...more,
})

async function open(t: TestContext, routes: Routes) {
  const forge = await scriptedForge(t, routes)
  const repository = { webUrl: forge.webUrl, path: 'acme/Team%20docs/_git/docs' }
  return { ...forge, host: createAzureHost({ client: forge.client, repository }) }
}

test('states, branches and forks of Azure DevOps have their meaning', async (t) => {
  const rows = [
    row({ description: undefined }),
    row({ status: 'completed', closedDate: '2026-11-20T10:00:00.1234567Z' }),
    row({ status: 'abandoned', isDraft: true, forkSource: { name: 'x' }, lastMergeSourceCommit: undefined }),
  ]
  const { host, webUrl, asked } = await open(t, { [`GET ${pulls}/7`]: rows.map((one) => ({ body: one })) })
  assert.deepEqual(await host.get(7, signal), {
    number: 7,
    state: 'open',
    draft: false,
    mergedAt: null,
    link: `${webUrl}/acme/Team%20docs/_git/docs/pullrequest/7`,
    title: 'Fix',
    body: '',
    base: 'main',
    head: { branch, commit: oid },
    isOwn: true,
    isLocked: false,
  })
  const merged = await host.get(7, signal)
  assert.deepEqual([merged?.state, merged?.mergedAt], ['merged', '2026-11-20T10:00:00.123Z'])
  const closed = await host.get(7, signal)
  assert.deepEqual([closed?.state, closed?.draft, closed?.isOwn, closed?.head.commit], ['closed', true, false, ''])
  assert.ok(asked().every((one) => one === `GET ${pulls}/7?api-version=7.1`))
})

test('an undocumented response is not taken for a pull request', async (t) => {
  const rows = [
    row({ pullRequestId: 2 ** 40 }),
    row({ status: 'notSet' }),
    row({ sourceRefName: 7 }),
    row({ lastMergeSourceCommit: { commitId: 'main' } }),
    [],
  ]
  const { host } = await open(t, { [`GET ${pulls}/7`]: rows.map((one) => ({ body: one })) })
  for (const [at] of rows.entries()) {
    await assert.rejects(host.get(7, signal), { code: 'forge_unavailable' }, String(at))
  }
})

test('the body has the facts of the newest comment that begins as ours does', async (t) => {
  const value = [
    thread(1, content.replace('A.', 'Old.')),
    thread(3, content.replace('A.', 'Deleted.'), { isDeleted: true }),
    thread(2, content.replaceAll('\n', '\r\n')),
    thread(4, `> ${content}`),
    { id: 5, comments: [{ id: 1, isDeleted: true }] },
    { id: 6, comments: null },
  ]
  const { host } = await open(t, {
    [`GET ${pulls}/7`]: { body: row({ description }) },
    [`GET ${threads}`]: { body: { value, count: 6 } },
  })
  assert.equal((await host.get(7, signal))?.body, body)
})

test('an edit changes the comment in place, and only if it differs', async (t) => {
  const { host, requests } = await open(t, {
    [`PATCH ${pulls}/7`]: { body: row({ description }) },
    [`GET ${threads}`]: [{ body: { value: [thread(2, 'x')] } }, { body: { value: [thread(2, content)] } }],
    [`POST ${threads}`]: { body: { id: 3 } },
    [`PATCH ${threads}/2/comments/1`]: { body: {} },
  })
  await host.update(7, { body }, signal)
  await host.update(7, { body }, signal)
  await host.update(7, { body: body.replace('A.', 'New.') }, signal)
  const writes = requests.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url}`)
  const edit = `PATCH ${pulls}/7?api-version=7.1`
  const made = `POST ${threads}?api-version=7.1`
  const edited = `PATCH ${threads}/2/comments/1?api-version=7.1`
  assert.deepEqual(writes, [edit, made, edit, edit, edited])
})

test('a comment of another account is left alone, and ours is written anew', async (t) => {
  const refused = { status: 403, body: { message: 'TF401387: Only the author of a comment can edit it.' } }
  const { host, asked } = await open(t, {
    [`PATCH ${pulls}/7`]: { body: row({ description }) },
    [`GET ${threads}`]: { body: { value: [thread(2, `${content} x`)] } },
    [`PATCH ${threads}/2/comments/1`]: refused,
    [`POST ${threads}`]: { body: { id: 3 } },
  })
  assert.equal((await host.update(7, { body }, signal)).body, body)
  assert.equal(asked().at(-1), `POST ${threads}?api-version=7.1`)
})

test('a created pull request without its comment is looked at again', async (t) => {
  const { host } = await open(t, {
    [`GET ${repo}/diffs/commits`]: { body: { commonCommit: 'cd'.repeat(20), targetCommit: oid } },
    [`POST ${pulls}`]: { status: 201, body: row({ description }) },
    [`POST ${threads}`]: [{ status: 502 }, { body: { id: 3 } }],
  })
  assert.deepEqual(await host.create({ ...proposal, body }, signal), { kind: 'unknown_effect' })
  const made = await host.create({ ...proposal, body }, signal)
  assert.equal(made.kind === 'created' && made.pull.body, body)
})

test('branches without a change, doubles and missing branches have their results', async (t) => {
  const words = 'TF401179: An active pull request for the source and target branch already exists.'
  const refs = (...names: readonly string[]) => ({
    body: { value: names.map((name) => ({ name: `refs/heads/${name}` })) },
  })
  const gone = { status: 404, body: { message: 'TF401175: The version descriptor could not be resolved.' } }
  const other = { body: { commonCommit: 'cd'.repeat(20), targetCommit: oid } }
  const { host } = await open(t, {
    [`GET ${repo}`]: { body: { id, name: 'docs' } },
    [`GET ${repo}/diffs/commits`]: [{ body: { commonCommit: oid, targetCommit: oid } }, other, gone, gone],
    [`POST ${pulls}`]: { status: 409, body: { message: words, typeKey: 'GitPullRequestExistsException' } },
    [`GET ${repo}/refs`]: [refs('main-2'), refs('main'), refs(`${branch}-2`)],
  })
  assert.deepEqual(await host.create(proposal, signal), { kind: 'empty' })
  assert.deepEqual(await host.create(proposal, signal), { kind: 'exists' })
  await assert.rejects(host.create(proposal, signal), { code: 'base_not_found' })
  await assert.rejects(host.create(proposal, signal), { code: 'branch_conflict' })
})

test('an ended pull request is closed already, and an edit of it is looked at again', async (t) => {
  const refused = { status: 409, body: { message: 'TF401181: The pull request cannot be edited due to its state.' } }
  const { host } = await open(t, {
    [`PATCH ${pulls}/7`]: refused,
    [`GET ${pulls}/7`]: [{ body: row({ status: 'completed' }) }, { body: row() }],
  })
  await host.close(7, signal)
  await assert.rejects(host.close(7, signal), { code: 'forge_unavailable' })
  await assert.rejects(host.update(7, { title: 'x' }, signal), { code: 'forge_unavailable' })
})

test('reviewers who are there keep their votes, and names are returned', async (t) => {
  const other = '22222222-2222-4333-8444-555555555555'
  const { host, asked } = await open(t, {
    [`GET ${pulls}/7`]: { body: row({ reviewers: [{ id, vote: 10 }] }) },
    [`PUT ${repo}/pullRequests/7/reviewers/${other}`]: { status: 400, body: { message: 'no such identity' } },
  })
  assert.deepEqual(await host.requestReviewers(7, [id.toUpperCase(), 'ada', other], signal), ['ada', other])
  assert.equal(asked().filter((one) => one.startsWith('PUT')).length, 1)
})

test('a page for signing in is a refused token after one repeat', async (t) => {
  const page = '<!DOCTYPE html><title>Sign In</title>'
  const answers = [
    { status: 203, body: page },
    { status: 200, body: page },
    { status: 302, headers: { Location: '/_signin' } },
  ]
  for (const answer of answers) {
    let isRefused = true
    const server = await serveHttp(t, () => (isRefused ? answer : { body: row() }))
    const authorization = { scheme: 'Basic', token: () => Promise.resolve('secret') } as const
    const client = createForgeClient({
      apiUrl: server.url,
      authorization,
      privateHosts: [server.host],
      ...azureOptions,
    })
    const host = createAzureHost({ client, repository: { webUrl: server.url, path: 'acme/_git/docs' } })
    await assert.rejects(host.get(7, signal), { code: 'repository_unauthorized' })
    assert.equal(server.requests.length, 2)
    const sent = server.requests[0]?.headers
    assert.equal(sent?.['x-tfs-fedauthredirect'], 'Suppress')
    assert.equal(Buffer.from(sent?.authorization?.replace('Basic ', '') ?? '', 'base64').toString(), ':secret')
    isRefused = false
    assert.equal((await host.get(7, signal))?.number, 7)
  }
})

test('a page instead of the response to a write has an unknown effect', async (t) => {
  const server = await serveHttp(t, ({ method }) =>
    method === 'GET' ? { body: { commonCommit: 'cd'.repeat(20), targetCommit: oid } } : { body: '<html>' },
  )
  const client = createForgeClient({ apiUrl: server.url, privateHosts: [server.host], ...azureOptions })
  const host = createAzureHost({ client, repository: { webUrl: server.url, path: 'acme/_git/docs' } })
  assert.deepEqual(await host.create(proposal, signal), { kind: 'unknown_effect' })
  assert.equal(server.requests.filter(({ method }) => method === 'POST').length, 1)
})
