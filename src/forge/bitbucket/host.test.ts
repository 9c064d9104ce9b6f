import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Routes, scriptedForge, type ScriptedForge } from '../../../test/support/forge-client.ts'
import type { ForgeHost, NewPull } from '../host.ts'
import { createBitbucketHost } from './host.ts'
import type { Written } from './plain-body.ts'

const signal = new AbortController().signal
const repo = '/repositories/acme/docs'
const pulls = `${repo}/pullrequests`
const branch = 'docent/job_1'
const oid = 'ab'.repeat(20)
const proposal: NewPull = { title: 'Fix', body: 'Because.', base: 'main', branch, draft: false }
const ada = { uuid: '{11111111-2222-4333-8444-555555555555}' }

function row(given: Readonly<Record<string, unknown>> = {}) {
  const repository = { full_name: 'acme/docs' }
  return {
    id: 7,
    state: 'OPEN',
    title: 'Fix',
    description: 'Because.',
    draft: false,
    updated_on: '2026-11-20T10:00:00.123456+01:00',
    links: { html: { href: 'https://elsewhere.example/phish' } },
    source: { repository, branch: { name: branch }, commit: { hash: oid.slice(0, 12) } },
    destination: { repository, branch: { name: 'main' }, commit: { hash: oid.slice(0, 12) } },
    reviewers: [],
    ...given,
  }
}

type Opened = ScriptedForge & { readonly host: ForgeHost; readonly added: (readonly [string, Written])[] }

async function open(t: TestContext, routes: Routes): Promise<Opened> {
  const commit = { [`GET ${repo}/commit/${oid.slice(0, 12)}`]: { body: { hash: oid } } }
  const forge = await scriptedForge(t, Object.assign(routes, { ...commit, ...routes }))
  const added: (readonly [string, Written])[] = []
  const written = {
    read: () => Promise.resolve(undefined),
    add: (name: string, one: Written) => Promise.resolve(void added.push([name, one])),
  }
  const repository = { webUrl: forge.webUrl, path: 'acme/docs' }
  return { ...forge, added, host: createBitbucketHost({ client: forge.client, repository, user: null, written }) }
}

const none = { body: { values: [] } }

test('a pull request has the whole id of its head, and its link leads to the host', async (t) => {
  const { host, webUrl } = await open(t, { [`GET ${pulls}/7`]: { body: row() } })
  assert.deepEqual(await host.get(7, signal), {
    number: 7,
    state: 'open',
    draft: false,
    mergedAt: null,
    link: `${webUrl}/acme/docs/pull-requests/7`,
    title: 'Fix',
    body: 'Because.',
    base: 'main',
    head: { branch, commit: oid },
    isOwn: true,
    isLocked: false,
  })
})

test('states and forks of Bitbucket have their meaning', async (t) => {
  const source = { ...row().source, repository: null, commit: null }
  const rows = [row({ state: 'MERGED' }), row({ state: 'DECLINED' }), row({ state: 'SUPERSEDED', draft: true, source })]
  const { host } = await open(t, { [`GET ${pulls}/7`]: rows.map((body) => ({ body })) })
  const merged = await host.get(7, signal)
  assert.deepEqual([merged?.state, merged?.mergedAt], ['merged', '2026-11-20T09:00:00.123Z'])
  assert.equal((await host.get(7, signal))?.state, 'closed')
  const superseded = await host.get(7, signal)
  assert.deepEqual([superseded?.state, superseded?.draft, superseded?.isOwn], ['closed', true, false])
  assert.equal(superseded?.head.commit, '')
})

test('an undocumented response is not taken for a pull request', async (t) => {
  const rows = [
    row({ id: 2 ** 40 }),
    row({ id: '7' }),
    row({ state: 'QUEUED' }),
    row({ title: 'x'.repeat(4_001) }),
    row({ updated_on: 'yesterday' }),
    row({ source: { branch: { name: branch }, commit: { hash: 'main' } } }),
    [],
    null,
  ]
  const { host } = await open(t, { [`GET ${pulls}/7`]: rows.map((body) => ({ body })) })
  for (const [at] of rows.entries()) {
    await assert.rejects(host.get(7, signal), { code: 'forge_unavailable' }, String(at))
  }
})

test('pages are followed by their links, with what these say', async (t) => {
  const other = row({ id: 8, source: { ...row().source, branch: { name: 'other' } } })
  const routes: { -readonly [route in keyof Routes]: Routes[route] } = {}
  const { host, webUrl, asked } = await open(t, routes)
  const next = `${webUrl}${pulls}?state=OPEN&state=MERGED&ctx=a%2Bb&page=2`
  routes[`GET ${pulls}`] = [{ body: { values: [other], next } }, { body: { values: [row()] } }]
  const found = await host.listByBranch(branch, signal)
  assert.deepEqual(
    found.map(({ number }) => number),
    [7],
  )
  const states = 'state=OPEN&state=MERGED&state=DECLINED&state=SUPERSEDED'
  const query = 'q=source.branch.name+%3D+%22docent%2Fjob_1%22'
  const lists = asked().filter((one) => one.startsWith(`GET ${pulls}?`))
  assert.deepEqual(lists, [
    `GET ${pulls}?${query}&${states}&pagelen=50`,
    `GET ${pulls}?state=OPEN&state=MERGED&ctx=a%2Bb&page=2`,
  ])
})

test('a link to the next page that leads elsewhere is not followed', async (t) => {
  for (const next of ['https://elsewhere.example/2.0/x?page=2', 'no address', 'file:///etc/passwd']) {
    const { host, requests } = await open(t, { [`GET ${pulls}`]: { body: { values: [], next } } })
    await assert.rejects(host.listByBranch(branch, signal), { code: 'forge_unavailable' }, next)
    assert.equal(requests.length, 1)
  }
})

test('a create looks first, because it would overwrite what people wrote', async (t) => {
  const { host, asked } = await open(t, { [`GET ${pulls}`]: { body: { values: [row()] } } })
  assert.deepEqual(await host.create(proposal, signal), { kind: 'exists' })
  assert.ok(!asked().some((one) => one.startsWith('POST')))
})

test('digests are stored before the request, and only for a job', async (t) => {
  const routes = { [`GET ${pulls}`]: none, [`POST ${pulls}`]: { status: 502, body: '<html>' } }
  const { host, added, requests } = await open(t, routes)
  assert.deepEqual(await host.create(proposal, signal), { kind: 'unknown_effect' })
  assert.equal(added.length, 0)
  const body = 'Text.\n\n<!-- docent:facts x -->\n<!-- docent:job=job_1 -->\nFacts.\n<!-- /docent:facts -->'
  assert.deepEqual(await host.create({ ...proposal, body }, signal), { kind: 'unknown_effect' })
  assert.deepEqual([added[0]?.[0], added[0]?.[1].jobId, added[0]?.[1].digests.size], [branch, 'job_1', 2])
  const sent = requests.at(-1)?.body as { readonly description: string }
  assert.doesNotMatch(sent.description, /<|job_1/)
})

test('the words of Bitbucket are understood', async (t) => {
  const refusal = (status: number, message: string) => ({
    status,
    body: { type: 'error', error: { message, fields: { source: [message] } } },
  })
  const found = { body: { name: 'main' } }
  const gone = refusal(404, 'Branch "x" does not exist')
  const branches = `GET ${repo}/refs/branches`
  const visible = { [`GET ${repo}`]: { body: { full_name: 'acme/docs' } } }
  const create = async (routes: Routes) => {
    const { host } = await open(t, { [`GET ${pulls}`]: none, ...visible, ...routes })
    return await host.create(proposal, signal)
  }
  const missing = { [`POST ${pulls}`]: refusal(400, 'destination: branch not found: main') }
  const empty = { [`POST ${pulls}`]: refusal(400, 'There are no changes to be pulled') }
  assert.deepEqual(await create(empty), { kind: 'empty' })
  await assert.rejects(create({ ...missing, [`${branches}/main`]: gone }), { code: 'base_not_found' })
  const both = { [`${branches}/main`]: found, [`${branches}/${branch}`]: gone }
  await assert.rejects(create({ ...missing, ...both }), { code: 'branch_conflict' })
  const others = { [`${branches}/main`]: found, [`${branches}/${branch}`]: found }
  const odd = { [`POST ${pulls}`]: refusal(400, 'title: too long') }
  await assert.rejects(create({ ...odd, ...others }), { code: 'forge_refused', message: /title: too long/ })
  const lacking = refusal(403, 'Your credentials lack one or more required privilege scopes.')
  await assert.rejects(create({ [`POST ${pulls}`]: lacking }), { code: 'forge_right_missing' })
  const limited = { status: 429, headers: { 'retry-after': '7' }, body: 'Rate limit for this resource' }
  await assert.rejects(create({ [`POST ${pulls}`]: limited }), { code: 'forge_rate_limited', retryAfter: 7 })
})

test('an edit repeats title and reviewers, and one without a change is not sent', async (t) => {
  const { host, requests, asked } = await open(t, {
    [`GET ${pulls}/7`]: { body: row({ reviewers: [ada] }) },
    [`PUT ${pulls}/7`]: { body: row({ draft: true }) },
  })
  assert.equal((await host.update(7, { body: 'Because.', title: 'Fix', base: 'main' }, signal)).number, 7)
  assert.ok(!asked().some((one) => one.startsWith('PUT')))
  await host.update(7, { draft: true }, signal)
  const sent = { type: 'pullrequest', title: 'Fix', draft: true, reviewers: [{ type: 'user', ...ada }] }
  assert.deepEqual(requests.find(({ method }) => method === 'PUT')?.body, sent)
})

test('reviewers are people with an id; those that people asked stay', async (t) => {
  const uuid = '{66666666-7777-4888-8999-aaaaaaaaaaaa}'
  const refused = { status: 400, body: { type: 'error', error: { message: 'reviewers: Malformed reviewers list' } } }
  const { host, requests } = await open(t, {
    [`GET ${pulls}/7`]: { body: row({ reviewers: [ada] }) },
    [`PUT ${pulls}/7`]: [refused, { body: row() }, refused],
  })
  const names = ['grace', uuid.slice(1, -1), ada.uuid, '0123456789abcdef01234567']
  assert.deepEqual(await host.requestReviewers(7, names, signal), ['grace', '0123456789abcdef01234567'])
  const puts = requests
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) => (body as { reviewers: unknown }).reviewers)
  const person = (one: object) => ({ type: 'user', ...one })
  assert.deepEqual(puts[1], [person(ada), person({ uuid })])
  assert.deepEqual(puts.length, 3, 'the one who is a reviewer already needs no request')
  assert.deepEqual(await host.requestReviewers(7, ['grace'], signal), ['grace'])
  assert.deepEqual(await host.addLabels(7, ['docs'], signal), ['docs'])
})

test('a decline of what has ended is no failure, any other refusal is one', async (t) => {
  const refused = { status: 400, body: { type: 'error', error: { message: 'This pull request is already closed.' } } }
  const routes = { [`POST ${pulls}/7/decline`]: refused }
  const ended = await open(t, { ...routes, [`GET ${pulls}/7`]: { body: row({ state: 'MERGED' }) } })
  await ended.host.close(7, signal)
  const running = await open(t, { ...routes, [`GET ${pulls}/7`]: { body: row() } })
  await assert.rejects(running.host.close(7, signal), { code: 'forge_refused' })
  const slow = await open(t, { [`POST ${pulls}/7/decline`]: { status: 555, body: {} } })
  await assert.rejects(slow.host.close(7, signal), { code: 'forge_unavailable' })
})
