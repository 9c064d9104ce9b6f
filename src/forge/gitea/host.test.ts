import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { PullRequest as ForgejoPullRequest } from 'forgejo-js'
import type { PullRequest } from 'gitea-js'
import { type Routes, scriptedForge, type ScriptedForge } from '../../../test/support/forge-client.ts'
import type { HttpAnswer } from '../../../test/support/scripted-http.ts'
import type { FailureCode } from '../../lib/failure.ts'
import type { ForgeHost, NewPull } from '../host.ts'
import { createGiteaHost } from './host.ts'

const signal = new AbortController().signal
const repo = '/repos/acme/docs'
const branch = 'docent/job_1'
const oid = 'a'.repeat(40)
const proposal: NewPull = { title: 'Fix', body: 'Because.', base: 'main', branch, draft: false }

function row(given: PullRequest & ForgejoPullRequest = {}) {
  return {
    id: 90_007,
    number: 7,
    state: 'open',
    title: 'Fix',
    body: 'Because.',
    draft: false,
    merged: false,
    html_url: 'https://elsewhere.example/phish',
    base: { label: 'main', ref: 'main', sha: oid, repo_id: 1 },
    head: { label: branch, ref: branch, sha: oid, repo_id: 1 },
    ...given,
  } satisfies PullRequest & ForgejoPullRequest
}

type Opened = ScriptedForge & { readonly host: ForgeHost }

async function open(t: TestContext, routes: Routes): Promise<Opened> {
  const forge = await scriptedForge(t, routes)
  const repository = { webUrl: forge.webUrl, path: 'acme/docs' }
  return { ...forge, host: createGiteaHost({ client: forge.client, repository }) }
}

const compare = `GET ${repo}/compare/main...docent/job_1`
const compared = { [compare]: { body: { total_commits: 1 } } }
const visible = { [`GET ${repo}`]: { body: { id: 1 } } }
const notFound: HttpAnswer = { status: 404, body: { message: "The target couldn't be found.", errors: [] } }

test('a pull request is known by its number, and its link leads to the host', async (t) => {
  const { host, webUrl } = await open(t, { [`GET ${repo}/pulls/7`]: { body: row() } })
  assert.deepEqual(await host.get(7, signal), {
    number: 7,
    state: 'open',
    draft: false,
    mergedAt: null,
    link: `${webUrl}/acme/docs/pulls/7`,
    title: 'Fix',
    body: 'Because.',
    base: 'main',
    head: { branch, commit: oid },
    isOwn: true,
    isLocked: false,
  })
})

test('merged ones without a branch, drafts and forks have their meaning', async (t) => {
  const head = { label: branch, ref: 'refs/pull/7/head', sha: oid, repo_id: 1 }
  const { draft: _, ...old } = row({ title: '[WIP] wip: Fix' })
  const rows = [
    row({ state: 'closed', merged: true, merged_at: '2026-11-20T10:00:00+01:00', head }),
    old,
    row({ head: { ...head, ref: branch, repo_id: 2 }, is_locked: true }),
    row({ state: 'closed', head: { ...head, sha: '', repo_id: -1 } }),
  ]
  const { host } = await open(t, { [`GET ${repo}/pulls/7`]: rows.map((body) => ({ body })) })
  const read = async () => await host.get(7, signal)
  const merged = await read()
  assert.deepEqual([merged?.state, merged?.mergedAt], ['merged', '2026-11-20T09:00:00.000Z'])
  assert.deepEqual([merged?.head, merged?.isOwn], [{ branch, commit: oid }, true])
  const draft = await read()
  assert.deepEqual([draft?.draft, draft?.title], [true, 'Fix'])
  const fork = await read()
  assert.deepEqual([fork?.isOwn, fork?.isLocked], [false, true])
  const gone = await read()
  assert.deepEqual([gone?.state, gone?.head.commit, gone?.isOwn], ['closed', '', false])
})

const next = { link: '<http://x/api/v1/y?page=2>; rel="next",<http://x/api/v1/y?page=2>; rel="last"' }
const end = { link: '<http://x/api/v1/y?page=1>; rel="first",<http://x/api/v1/y?page=1>; rel="prev"' }

test('open and ended pull requests are paged by the links, and filtered by branch', async (t) => {
  const other = row({ head: { label: 'b', ref: 'b', sha: oid, repo_id: 1 } })
  const { host, asked } = await open(t, {
    [`GET ${repo}/pulls`]: [
      { body: [row(), { ...other, number: 6 }], headers: next },
      { body: [{ ...other, number: 5 }], headers: end },
      { body: [row({ number: 4, state: 'closed' }), row({ number: 7, state: 'closed' })] },
    ],
  })
  const found = await host.listByBranch(branch, signal)
  assert.deepEqual(
    found.map(({ number, state }) => [number, state]),
    [
      [7, 'closed'],
      [4, 'closed'],
    ],
    'the later list counts',
  )
  const query = (state: string, page: number) =>
    `GET ${repo}/pulls?state=${state}&sort=recentupdate&limit=50&page=${page}`
  assert.deepEqual(asked(), [query('open', 1), query('open', 2), query('closed', 1)])
})

test('at most six pages of ended pull requests are read', async (t) => {
  const { host, asked } = await open(t, {
    [`GET ${repo}/pulls`]: [{ body: [] }, { body: [row({ state: 'closed' })], headers: next }],
  })
  await host.listByBranch(branch, signal)
  assert.equal(asked().length, 7)
})

test('a draft has a prefix on Gitea, and an edit of the title keeps it', async (t) => {
  const { host, requests } = await open(t, {
    ...compared,
    [`POST ${repo}/pulls`]: { status: 201, body: row({ title: 'WIP: Fix', draft: true }) },
    [`GET ${repo}/pulls/7`]: [{ body: row({ draft: true }) }, { body: row() }],
    [`PATCH ${repo}/pulls/7`]: { status: 201, body: row() },
  })
  const created = await host.create({ ...proposal, draft: true }, signal)
  assert.equal(created.kind === 'created' && created.pull.title, 'Fix')
  await host.update(7, { title: 'Better', base: 'next' }, signal)
  await host.update(7, { title: 'Better' }, signal)
  await host.update(7, { draft: true }, signal)
  await host.close(7, signal)
  const sent = requests.filter(({ method }) => method !== 'GET').map(({ body }) => body)
  assert.deepEqual(sent, [
    { head: branch, base: 'main', body: 'Because.', title: 'WIP: Fix' },
    { title: 'WIP: Better', base: 'next' },
    { title: 'Better' },
    { title: 'WIP: Fix' },
    { state: 'closed' },
  ])
})

test('a branch without commits is not proposed, although Gitea would accept it', async (t) => {
  const { host, asked } = await open(t, { [compare]: { body: { total_commits: 0, commits: [] } } })
  assert.deepEqual(await host.create(proposal, signal), { kind: 'empty' })
  assert.equal(asked().length, 1)
})

test('a host too old to compare branches is asked to open the pull request', async (t) => {
  const there = { body: { name: 'a' } }
  const branches = { [`GET ${repo}/branches/main`]: there, [`GET ${repo}/branches/docent/job_1`]: there }
  const { host } = await open(t, {
    ...visible,
    ...branches,
    [compare]: notFound,
    [`POST ${repo}/pulls`]: { status: 201, body: row() },
  })
  assert.equal((await host.create(proposal, signal)).kind, 'created')
})

test('a comparison that fails says which branch is missing', async (t) => {
  const there: HttpAnswer = { body: { name: 'a' } }
  const rows: readonly (readonly [base: HttpAnswer, code: FailureCode])[] = [
    [notFound, 'base_not_found'],
    [there, 'branch_conflict'],
  ]
  for (const [base, code] of rows) {
    const branches = { [`GET ${repo}/branches/main`]: base, [`GET ${repo}/branches/docent/job_1`]: notFound }
    const { host } = await open(t, { ...visible, ...branches, [compare]: notFound })
    await assert.rejects(host.create(proposal, signal), { code })
  }
})

test('an open pull request of the branch, and equal branches, are results', async (t) => {
  const message = 'pull request already exists for these targets [id: 7, issue_id: 9, head_repo_id: 1]'
  const exists = await open(t, { ...compared, [`POST ${repo}/pulls`]: { status: 409, body: { message } } })
  assert.deepEqual(await exists.host.create(proposal, signal), { kind: 'exists' })
  const same = { message: 'Invalid PullRequest: There are no changes between the head and the base' }
  const empty = await open(t, { ...compared, [`POST ${repo}/pulls`]: { status: 422, body: same } })
  assert.deepEqual(await empty.host.create(proposal, signal), { kind: 'empty' })
})

test('a refused write is explained by the repository and the account', async (t) => {
  const scopes = 'token does not have at least one of required scope(s), required=[write:repository]'
  const forbidden: HttpAnswer = { status: 403, body: { message: scopes } }
  const hidden = { [`GET ${repo}`]: notFound }
  const rows: readonly (readonly [refusal: HttpAnswer, more: Routes, code: FailureCode])[] = [
    [forbidden, visible, 'forge_right_missing'],
    [{ status: 423, body: { message: 'acme/docs is archived' } }, {}, 'repository_archived'],
    [notFound, visible, 'forge_right_missing'],
    [notFound, { ...hidden, 'GET /user': { body: { login: 'bot' } } }, 'repository_unauthorized'],
    [notFound, { ...hidden, 'GET /user': forbidden }, 'repository_unauthorized'],
    [{ status: 400, body: { message: 'stale' } }, {}, 'forge_refused'],
  ]
  for (const [refusal, more, code] of rows) {
    const { host } = await open(t, { [`PATCH ${repo}/pulls/7`]: refusal, ...more })
    await assert.rejects(host.update(7, { body: 'x' }, signal), { code }, JSON.stringify(refusal))
    await assert.rejects(host.close(7, signal), { code }, JSON.stringify(refusal))
  }
})

test('closing a pull request that was merged meanwhile is done', async (t) => {
  const message = 'cannot change state of this pull request, it was already merged'
  const { host, requests } = await open(t, { [`PATCH ${repo}/pulls/7`]: { status: 412, body: { message } } })
  assert.equal(await host.close(7, signal), undefined)
  assert.deepEqual(requests.at(-1)?.body, { state: 'closed' })
})

test('a pull request is gone only when the repository is still there', async (t) => {
  const gone = await open(t, { [`GET ${repo}/pulls/7`]: notFound, ...visible })
  assert.deepEqual(await gone.host.poll(7, null, signal), { kind: 'gone' })
  const lost = await open(t, {
    [`GET ${repo}/pulls/7`]: notFound,
    [`GET ${repo}`]: notFound,
    'GET /user': { body: { login: 'bot' } },
  })
  await assert.rejects(lost.host.poll(7, null, signal), { code: 'repository_unauthorized' })
})

test('labels are sent by id, and names that the repository lacks are returned', async (t) => {
  const { host, requests } = await open(t, {
    [`GET ${repo}/labels`]: [{ body: [{ id: 1, name: 'a' }] }, { body: [{ id: 2, name: 'Docs' }] }, { body: [] }],
    [`POST ${repo}/issues/7/labels`]: { body: [] },
  })
  assert.deepEqual(await host.addLabels(7, ['docs', 'no-such'], signal), ['no-such'])
  assert.deepEqual(requests.at(-1)?.body, { labels: [2] })
})

test('a reviewer who does not exist does not keep the others away', async (t) => {
  const unknown: HttpAnswer = { status: 404, body: { message: 'user does not exist [uid: 0, name: nobody]' } }
  const { host, requests } = await open(t, {
    [`POST ${repo}/pulls/7/requested_reviewers`]: [unknown, { status: 201, body: [] }, unknown],
  })
  assert.deepEqual(await host.requestReviewers(7, ['acme/docs-team', 'nobody'], signal), ['nobody'])
  assert.deepEqual(
    requests.map(({ body }) => body),
    [
      { reviewers: ['nobody'], team_reviewers: ['docs-team'] },
      { reviewers: [], team_reviewers: ['docs-team'] },
      { reviewers: ['nobody'], team_reviewers: [] },
    ],
  )
})
