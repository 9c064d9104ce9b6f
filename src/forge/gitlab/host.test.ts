import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { MergeRequestSchemaWithBasicLabels } from '@gitbeaker/core'
import { type Routes, scriptedForge, type ScriptedForge } from '../../../test/support/forge-client.ts'
import type { FailureCode } from '../../lib/failure.ts'
import type { ForgeHost, NewPull } from '../host.ts'
import { createGitLabHost } from './host.ts'

const signal = new AbortController().signal
const project = '/projects/acme%2Fweb%2Fdocs'
const merges = `${project}/merge_requests`
const branch = 'docent/job_1'
const oid = 'a'.repeat(40)
const proposal: NewPull = { title: 'Fix', body: 'Because.', base: 'main', branch, draft: false }

/** The published types know no merge request of a deleted fork, and no merge request without a change. */
type Row = Partial<Omit<MergeRequestSchemaWithBasicLabels, 'source_project_id' | 'sha'>> & {
  readonly source_project_id?: number | null
  readonly sha?: string | null
}

function row(given: Row = {}) {
  return {
    id: 90_007,
    iid: 7,
    state: 'opened',
    title: 'Fix',
    description: 'Because.',
    draft: false,
    merged_at: null,
    web_url: 'https://elsewhere.example/phish',
    target_branch: 'main',
    source_branch: branch,
    source_project_id: 1,
    target_project_id: 1,
    sha: oid,
    discussion_locked: null,
    ...given,
  }
}

type Opened = ScriptedForge & { readonly host: ForgeHost }

async function open(t: TestContext, routes: Routes): Promise<Opened> {
  const forge = await scriptedForge(t, routes)
  const repository = { webUrl: forge.webUrl, path: 'acme/web/docs' }
  return { ...forge, host: createGitLabHost({ client: forge.client, repository }) }
}

const compared = { [`GET ${project}/repository/compare`]: { body: { commits: [{ id: oid }], diffs: [] } } }
const visible = { [`GET ${project}`]: { body: { id: 1 } } }
const hidden = { [`GET ${project}`]: { status: 404, body: { message: '404 Project Not Found' } } }

test('a merge request is known by its iid, and its link leads to the host', async (t) => {
  const { host, webUrl } = await open(t, { [`GET ${merges}/7`]: { body: row() } })
  assert.deepEqual(await host.get(7, signal), {
    number: 7,
    state: 'open',
    draft: false,
    mergedAt: null,
    link: `${webUrl}/acme/web/docs/-/merge_requests/7`,
    title: 'Fix',
    body: 'Because.',
    base: 'main',
    head: { branch, commit: oid },
    isOwn: true,
    isLocked: false,
  })
})

test('states, drafts and forks of GitLab have their meaning', async (t) => {
  const rows = [
    row({ state: 'locked' }),
    row({ state: 'merged', merged_at: '2026-11-20T10:00:00.5+01:00' }),
    row({ state: 'closed', title: '[Draft] draft: Fix', draft: true, description: null as never }),
    row({ source_project_id: null, sha: null, discussion_locked: true }),
  ]
  const { host } = await open(t, { [`GET ${merges}/7`]: rows.map((body) => ({ body })) })
  const read = async () => await host.get(7, signal)
  assert.equal((await read())?.state, 'open')
  const merged = await read()
  assert.deepEqual([merged?.state, merged?.mergedAt], ['merged', '2026-11-20T09:00:00.500Z'])
  const closed = await read()
  assert.deepEqual([closed?.state, closed?.title, closed?.draft, closed?.body], ['closed', 'Fix', true, ''])
  const foreign = await read()
  assert.deepEqual([foreign?.isOwn, foreign?.head.commit, foreign?.isLocked], [false, '', true])
})

test('an undocumented response is not taken for a merge request', async (t) => {
  const rows = [
    row({ iid: 2 ** 40 }),
    { ...row(), iid: '7' },
    row({ sha: 'main' }),
    row({ title: 'x'.repeat(4_001) }),
    row({ merged_at: 'yesterday' }),
    [],
    null,
  ]
  const { host } = await open(t, { [`GET ${merges}/7`]: rows.map((body) => ({ body })) })
  for (const [at] of rows.entries()) {
    await assert.rejects(host.get(7, signal), { code: 'forge_unavailable' }, String(at))
  }
})

test('all pages are read, and only this branch of this project counts', async (t) => {
  const full = Array.from({ length: 100 }, (_, at) => row({ iid: at + 1, source_branch: 'other' }))
  const last = [row(), row({ iid: 101, source_project_id: 2 })]
  const { host, asked } = await open(t, { [`GET ${merges}`]: [{ body: full }, { body: last }] })
  const found = await host.listByBranch(branch, signal)
  assert.deepEqual(
    found.map(({ number }) => number),
    [7],
  )
  const query = 'source_branch=docent%2Fjob_1&state=all&per_page=100'
  assert.deepEqual(asked(), [`GET ${merges}?${query}&page=1`, `GET ${merges}?${query}&page=2`])
})

test('a draft has a prefix on GitLab, and an edit of the title keeps it', async (t) => {
  const drafted = { status: 201, body: row({ title: 'Draft: Fix', draft: true }) }
  const { host, requests } = await open(t, {
    ...compared,
    [`POST ${merges}`]: drafted,
    [`GET ${merges}/7`]: [{ body: row({ draft: true }) }, { body: row() }],
    [`PUT ${merges}/7`]: { body: row() },
  })
  const created = await host.create({ ...proposal, draft: true }, signal)
  assert.equal(created.kind === 'created' && created.pull.title, 'Fix')
  await host.update(7, { title: 'Better', base: 'next' }, signal)
  await host.update(7, { title: 'Better' }, signal)
  await host.update(7, { draft: true }, signal)
  await host.update(7, { body: 'More.' }, signal)
  await host.close(7, signal)
  const sent = requests.filter(({ method }) => method !== 'GET').map(({ body }) => body)
  assert.deepEqual(sent, [
    { source_branch: branch, target_branch: 'main', title: 'Draft: Fix', description: 'Because.' },
    { title: 'Draft: Better', target_branch: 'next' },
    { title: 'Better' },
    { title: 'Draft: Fix' },
    { description: 'More.' },
    { state_event: 'close' },
  ])
})

test('a branch without commits is not proposed, although GitLab would accept it', async (t) => {
  const { host, asked } = await open(t, { [`GET ${project}/repository/compare`]: { body: { commits: [] } } })
  assert.deepEqual(await host.create(proposal, signal), { kind: 'empty' })
  assert.deepEqual(asked(), [`GET ${project}/repository/compare?from=main&to=docent%2Fjob_1`])
})

test('an open merge request of the branch is a result', async (t) => {
  const message = ['Another open merge request already exists for this source branch: !5']
  const { host } = await open(t, { ...compared, [`POST ${merges}`]: { status: 409, body: { message } } })
  assert.deepEqual(await host.create(proposal, signal), { kind: 'exists' })
})

const missing = { status: 404, body: { message: '404 Branch Not Found' } }
const there = { body: { name: 'a' } }

test('a comparison that fails says which branch is missing', async (t) => {
  const rows: readonly (readonly [base: typeof missing | typeof there, head: typeof missing, code: FailureCode])[] = [
    [missing, missing, 'base_not_found'],
    [there, missing, 'branch_conflict'],
  ]
  for (const [base, head, code] of rows) {
    const { host } = await open(t, {
      [`GET ${project}/repository/compare`]: { status: 404, body: { message: '404 Ref Not Found' } },
      [`GET ${project}/repository/branches/main`]: base,
      [`GET ${project}/repository/branches/docent%2Fjob_1`]: head,
    })
    await assert.rejects(host.create(proposal, signal), { code })
  }
})

const forbidden = { status: 403, body: { message: '403 Forbidden' } }
const unknown = { status: 404, body: { message: '404 Not found' } }

test('a refused write is explained by the project and the account', async (t) => {
  const archived = { [`GET ${project}`]: { body: { id: 1, archived: true } } }
  const alive = { 'GET /user': { body: { id: 3, username: 'bot' } } }
  const revoked = { 'GET /user': { status: 401, body: { message: '401 Unauthorized' } } }
  const rows: readonly (readonly [refusal: typeof forbidden, more: Routes, code: FailureCode])[] = [
    [forbidden, visible, 'forge_right_missing'],
    [forbidden, archived, 'repository_archived'],
    [unknown, visible, 'forge_right_missing'],
    [unknown, { ...hidden, ...alive }, 'repository_unauthorized'],
    [unknown, { ...hidden, ...revoked }, 'repository_unauthorized'],
    [unknown, { [`GET ${project}`]: { status: 502 } }, 'forge_unavailable'],
  ]
  for (const [refusal, more, code] of rows) {
    const { host } = await open(t, { [`PUT ${merges}/7`]: refusal, ...more })
    await assert.rejects(host.update(7, { body: 'x' }, signal), { code }, JSON.stringify(more))
  }
})

test('a merge request is gone only when the project is still there', async (t) => {
  const gone = await open(t, { [`GET ${merges}/7`]: unknown, ...visible })
  assert.deepEqual(await gone.host.poll(7, null, signal), { kind: 'gone' })
  assert.equal(await gone.host.get(7, signal), undefined)
  const lost = await open(t, { [`GET ${merges}/7`]: unknown, ...hidden, 'GET /user': { body: {} } })
  await assert.rejects(lost.host.poll(7, null, signal), { code: 'repository_unauthorized' })
})

test('labels that GitLab drops, and names with a comma, are returned', async (t) => {
  const { host, requests } = await open(t, { [`PUT ${merges}/7`]: { body: row({ labels: ['Docs', 'old'] }) } })
  assert.deepEqual(await host.addLabels(7, ['docs', 'two, words', 'no'], signal), ['two, words', 'no'])
  assert.deepEqual(requests[0]?.body, { add_labels: 'docs,no' })
  assert.deepEqual(await host.addLabels(7, ['a,b'], signal), ['a,b'])
})

test('reviewers are added to existing ones, and dropped ones are returned', async (t) => {
  const ann = { id: 11, username: 'Ann' }
  const bob = { id: 12, username: 'bob' }
  const { host, requests } = await open(t, {
    'GET /users': [{ body: [{ id: 9, username: 'ann2' }, ann] }, { body: [bob] }, { body: [] }],
    [`GET ${merges}/7`]: { body: row({ reviewers: [{ id: 5, username: 'eve' }] as never }) },
    [`PUT ${merges}/7`]: { body: row({ reviewers: [{ id: 5, username: 'eve' }, ann] as never }) },
  })
  assert.deepEqual(await host.requestReviewers(7, ['ann', 'bob', 'cyd'], signal), ['bob', 'cyd'])
  assert.deepEqual(requests.at(-1)?.body, { reviewer_ids: [5, 11, 12] })
})
