import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Routes, scriptedForge } from '../../../../test/support/forge-client.ts'
import type { HttpAnswer } from '../../../../test/support/scripted-http.ts'
import { openAzure } from '../azure.ts'
import { createAzureActivity } from './activity.ts'
import { mayWrite } from './permission.ts'

const { signal } = new AbortController()
const repo = '/acme/web/_apis/git/repositories/docs'
const idOf = (digit: number) => `${String(digit).repeat(8)}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`
const at = '2026-11-20T10:00:00.1234567Z'
const [ada, us, other] = [idOf(1), idOf(2), idOf(3)]
const person = { id: ada.toUpperCase(), displayName: 'Ada', descriptor: 'aad.MTI' }
const comment = { id: 1, author: person, content: 'Hello', publishedDate: at, commentType: 'text' }

async function open(t: TestContext, routes: Routes) {
  const { client, webUrl, requests } = await scriptedForge(t, routes)
  const azure = openAzure(client, { webUrl, path: 'acme/web/_git/docs' })
  return { azure, reader: createAzureActivity(azure), webUrl, requests }
}

async function read(t: TestContext, value: readonly unknown[], account?: HttpAnswer) {
  const opened = await open(t, {
    [`GET ${repo}/pullRequests/7/threads`]: { body: { value } },
    ...(account ? { 'GET /acme/_apis/connectionData': account } : {}),
  })
  return { ...opened, found: await opened.reader.ofPull({ number: 7, head: '' }, {}, signal) }
}

test('comments on the page, on lines and in answers are entries', async (t) => {
  const on = { filePath: '/docs/a b.md', rightFileStart: { line: 5, offset: 1 } }
  const { found, webUrl } = await read(t, [
    { id: 141, comments: [comment] },
    { id: 142, threadContext: on, comments: [comment, { ...comment, id: 2, parentCommentId: 1, content: 'Yes' }] },
    { id: 143, threadContext: { filePath: '/old.md', leftFileStart: { line: 9, offset: 1 } }, comments: [comment] },
  ])
  const shown = found.entries.map(({ kind, forgeId, text, path, line }) => [kind, forgeId, text, path, line])
  assert.deepEqual(shown, [
    ['comment', '7.141.1', 'Hello', null, null],
    ['review_comment', '7.142.1', 'Hello', 'docs/a b.md', 5],
    ['review_comment', '7.142.2', 'Yes', 'docs/a b.md', 5],
    ['review_comment', '7.143.1', 'Hello', 'old.md', 9],
  ])
  const [first] = found.entries
  assert.deepEqual(first?.author, { id: ada, login: 'Ada', isBot: false })
  assert.deepEqual(
    [first?.at, first?.link],
    ['2026-11-20T10:00:00.123Z', `${webUrl}/acme/web/_git/docs/pullrequest/7?discussionId=141`],
  )
})

test('deleted comments have no words, and messages of the host are no comments', async (t) => {
  const { found } = await read(t, [
    { id: 1, comments: [comment, { ...comment, id: 2, isDeleted: true, content: undefined }] },
    { id: 2, isDeleted: true, comments: [comment] },
    { id: 3, comments: [{ ...comment, commentType: 'system', content: '@docent do it' }] },
    { id: 4, comments: null },
    { id: 5, comments: [{ ...comment, content: '<!-- docent:job=job_aaaaaaaaaaaaaaaaaaaa -->\nFacts' }] },
  ])
  assert.deepEqual(
    found.entries.map(({ forgeId }) => forgeId),
    ['7.1.1'],
  )
  assert.deepEqual(found.deleted, [
    { kind: 'comment', forgeId: '7.1.2' },
    { kind: 'comment', forgeId: '7.2.1' },
  ])
})

test('services, apps and groups are bots', async (t) => {
  const authors = [
    { id: ada, displayName: 'Build', descriptor: 'svc.MTI' },
    { id: ada, displayName: 'App', descriptor: 'aadsp.MTI' },
    { id: ada, displayName: 'Group', isContainer: true },
    { id: ada, displayName: 'Guest', descriptor: 'msa.MTI' },
    { id: ada, displayName: 'Old' },
    null,
  ]
  const { found } = await read(
    t,
    authors.map((author, id) => ({ id, comments: [{ ...comment, author }] })),
  )
  assert.deepEqual(
    found.entries.map(({ author }) => author?.isBot),
    [true, true, true, false, false, undefined],
  )
})

test('votes are reviews, in the older form and the newer one', async (t) => {
  const property = ($value: string) => ({ $type: 'System.String', $value })
  const system = { ...comment, author: { id: other, displayName: 'Service' }, commentType: 'system', content: 'voted' }
  const vote = (id: number, result: string, more: object) => ({
    id,
    properties: { CodeReviewThreadType: property('VoteUpdate'), CodeReviewVoteResult: property(result), ...more },
    comments: [system],
  })
  const named = { CodeReviewVotedByTfId: property(ada), CodeReviewVotedByDisplayName: property('Ada') }
  const newer = (id: number, result: string) => ({
    ...vote(id, result, { CodeReviewVotedByIdentity: property('1') }),
    identities: { 1: person },
  })
  const rows = [vote(1, '10', named), newer(2, '5'), newer(3, '-5'), newer(4, '-10'), newer(5, '0'), newer(6, 'x')]
  const { found } = await read(t, rows)
  assert.deepEqual(
    found.entries.map(({ kind, author, state }) => [kind, author?.id, state]),
    ['approved', 'approved', 'changes_requested', 'changes_requested', 'dismissed'].map((state) => [
      'review',
      ada,
      state,
    ]),
  )
})

test('the id of our account becomes its name, and those of others stay', async (t) => {
  const content = `@<${us.toUpperCase()}> and @<${other}>`
  const threads = [{ id: 1, comments: [{ ...comment, content }] }]
  const account = { body: { authenticatedUser: { id: us, providerDisplayName: 'Docs Bot' } } }
  assert.equal((await read(t, threads, account)).found.entries[0]?.text, `@Docs Bot and @<${other}>`)
  assert.equal((await read(t, threads, { status: 403 })).found.entries[0]?.text, content)
  // Read as a comment that calls nobody, it would never act.
  await assert.rejects(read(t, threads, { status: 503 }), { code: 'forge_unavailable' })
  const { requests } = await read(t, [{ id: 1, comments: [comment] }])
  assert.equal(requests.length, 1, 'nobody asks without a reason')
})

test('a hostile list is an unavailable forge', async (t) => {
  await assert.rejects(read(t, [{ id: 'x' }]), { code: 'forge_unavailable' })
  const long = { ...comment, content: 'x'.repeat(400_001) }
  await assert.rejects(read(t, [{ id: 1, comments: [long] }]), { code: 'forge_unavailable' })
})

test('a push of the last 30 days is the proof that somebody may push', async (t) => {
  const now = new Date('2026-11-30T00:00:00Z')
  const ask = async (answer: HttpAnswer) => {
    const { azure, requests } = await open(t, { [`GET ${repo}/pushes`]: answer })
    return { may: await mayWrite(azure, { id: ada, now }, signal), url: requests[0]?.url ?? '' }
  }
  const push = (id: string, date: string) => ({ body: { value: [{ pushedBy: { id }, date }] } })
  const { may, url } = await ask(push(ada.toUpperCase(), '2026-10-31T00:00:00Z'))
  assert.equal(may, true)
  const query = new URL(url, 'https://azure.example').searchParams
  assert.equal(query.get('searchCriteria.pusherId'), ada)
  assert.equal(query.get('searchCriteria.fromDate'), '2026-10-31T00:00:00.000Z')
  assert.equal((await ask(push(ada, '2026-10-30T23:59:59Z'))).may, null, 'also if the filter is not obeyed')
  assert.equal((await ask(push(other, '2026-11-29T00:00:00Z'))).may, null)
  assert.equal((await ask({ body: { value: [] } })).may, null)
  assert.equal((await ask({ status: 403, body: { message: 'no' } })).may, null)
  await assert.rejects(ask({ body: {} }), { code: 'forge_unavailable' })
})
