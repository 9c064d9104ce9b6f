import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Routes, scriptedForge } from '../../../../test/support/forge-client.ts'
import type { HttpAnswer } from '../../../../test/support/scripted-http.ts'
import { openBitbucket } from '../bitbucket.ts'
import { pullSchema } from '../pull.ts'
import { createBitbucketActivity, opinionsIn } from './activity.ts'

const { signal } = new AbortController()
const list = '/repositories/acme/docs/pullrequests/7/comments'
const ada = '{11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa}'
const at = '2026-11-20T10:00:00.123456+00:00'
const person = { type: 'user', uuid: ada, nickname: 'ada', display_name: 'Ada Lovelace' }
const comment = { id: 1, user: person, content: { raw: 'Hello' }, created_on: at, updated_on: at, deleted: false }

async function open(t: TestContext, routes: Routes, user: string | null = null) {
  const { client, webUrl, requests } = await scriptedForge(t, routes)
  const reader = createBitbucketActivity(openBitbucket(client, { webUrl, path: 'acme/docs' }, user))
  const look = (since?: string) => reader.ofPull({ number: 7, head: '' }, { comments: { since } }, signal)
  return { reader, look, webUrl, requests }
}

const page = (values: readonly unknown[], next?: string): HttpAnswer => ({ body: { values, ...(next && { next }) } })

test('comments on the page and on lines are entries', async (t) => {
  const { look, webUrl } = await open(t, {
    [`GET ${list}`]: page([
      comment,
      { ...comment, id: 2, inline: { path: 'docs/a.md', to: 5, from: null } },
      { ...comment, id: 3, inline: { path: 'docs/a.md', to: null, from: 9 } },
      { ...comment, id: 4, links: { html: { href: 'https://evil.example/' } } },
    ]),
  })
  const { entries } = await look()
  const shown = entries.map(({ kind, forgeId, text, path, line }) => [kind, forgeId, text, path, line])
  assert.deepEqual(shown, [
    ['comment', '1', 'Hello', null, null],
    ['review_comment', '2', 'Hello', 'docs/a.md', 5],
    ['review_comment', '3', 'Hello', 'docs/a.md', 9],
    ['comment', '4', 'Hello', null, null],
  ])
  assert.deepEqual(entries[0]?.author, { id: ada, login: 'ada', isBot: false })
  assert.deepEqual(new Set(entries.map(({ link }) => link)), new Set([`${webUrl}/acme/docs/pull-requests/7`]))
})

test('comments that are not sent yet are left out, and deleted ones have no words', async (t) => {
  const { look } = await open(t, {
    [`GET ${list}`]: page([
      { ...comment, pending: true },
      { ...comment, id: 2, deleted: true, content: { raw: '' } },
      { ...comment, id: 3, deleted: true, inline: { path: 'a.md' } },
      { ...comment, id: 4, pending: true, deleted: true },
    ]),
  })
  assert.deepEqual(await look(), {
    entries: [],
    deleted: [
      { kind: 'comment', forgeId: '2' },
      { kind: 'review_comment', forgeId: '3' },
    ],
    marks: { comments: { since: '2026-11-20T09:58:00.000Z' } },
    off: [],
  })
})

test('tokens and apps are bots, and accounts that are gone are nobody', async (t) => {
  const users = [{ ...person, type: 'app_user' }, { ...person, nickname: null }, {}, null]
  const { look } = await open(t, { [`GET ${list}`]: page(users.map((user, id) => ({ ...comment, id: id + 1, user }))) })
  assert.deepEqual(
    (await look()).entries.map(({ author }) => author && [author.login, author.isBot]),
    [['ada', true], ['Ada Lovelace', false], null, null],
  )
})

test('pages are read back to the last look', async (t) => {
  const older = { ...comment, id: 2, updated_on: '2026-11-20T08:00:00Z' }
  const next = 'https://api.bitbucket.org/2.0/next'
  const routes = { [`GET ${list}`]: [page([comment], next), page([older], next), page([older])] }
  const { look, requests } = await open(t, routes)
  assert.equal((await look('2026-11-20T09:00:00.000Z')).entries.length, 2)
  assert.deepEqual(
    requests.map(({ url }) => url.replace(/.*\?/, '')),
    ['sort=-updated_on&pagelen=50&page=1', 'sort=-updated_on&pagelen=50&page=2'],
  )
})

test('the id of our account becomes its name, and those of others stay', async (t) => {
  const raw = '@{557058:aaaa} and @{5d5355e8}'
  const routes = (user: HttpAnswer) => ({
    [`GET ${list}`]: page([{ ...comment, content: { raw } }]),
    'GET /user': user,
  })
  const account = { body: { uuid: ada, account_id: '557058:aaaa', nickname: 'Docs Bot' } }
  const textOf = async (user: HttpAnswer, email: string | null) =>
    (await (await open(t, routes(user), email)).look()).entries[0]?.text
  assert.equal(await textOf(account, 'bot@acme.example'), '@Docs Bot and @{5d5355e8}')
  assert.equal(await textOf({ status: 403 }, 'bot@acme.example'), raw)
  assert.equal(await textOf(account, null), raw, 'an access token has no account')
  await assert.rejects(textOf({ status: 503 }, 'bot@acme.example'), { code: 'forge_unavailable' })
})

test('an opinion that was taken back is deleted', () => {
  const branch = { branch: { name: 'main' } }
  const row = { id: 7, state: 'OPEN', title: 'A', updated_on: at, links: { html: { href: '' } } }
  const grace = { ...person, uuid: '{22222222-aaaa-4aaa-8aaa-aaaaaaaaaaaa}' }
  const participants = [
    { user: person, state: 'approved', participated_on: '2026-11-19T10:00:00Z' },
    { user: grace, state: null },
    { user: null, state: 'approved' },
  ]
  const pull = pullSchema.parse({ ...row, source: branch, destination: branch, participants })
  const { entries, deleted = [] } = opinionsIn(pull, 'https://x.example')
  const shown = entries.map(({ kind, forgeId, author, state, at: time }) => [kind, forgeId, author?.login, state, time])
  assert.deepEqual(shown, [['review', `7 ${ada}`, 'ada', 'approved', '2026-11-19T10:00:00.000Z']])
  assert.deepEqual(
    deleted.map(({ forgeId }) => forgeId),
    [`7 ${grace.uuid}`],
  )
})

const workspace = 'GET /workspaces/acme/permissions/repositories/docs'
const named = `GET /repositories/acme/docs/permissions-config/users/${encodeURIComponent(ada)}`
const refused = { status: 403, body: { type: 'error', error: { message: 'no' } } }
const row = (permission: string, uuid = ada) => ({ permission, user: { uuid } })
const other = '{22222222-aaaa-4aaa-8aaa-aaaaaaaaaaaa}'

const permissions: readonly (readonly [name: string, routes: Routes, may: boolean | null])[] = [
  ['a writer', { [workspace]: page([row('write', other), row('write')]) }, true],
  ['an administrator', { [workspace]: page([row('admin')]) }, true],
  [
    'on the second page',
    { [workspace]: [page([row('write', other)], 'https://x.example'), page([row('write')])] },
    true,
  ],
  ['a reader, if the filter is not obeyed', { [workspace]: page([row('read')]) }, false],
  ['a stranger', { [workspace]: page([row('write', other)]) }, false],
  ['named by the repository', { [workspace]: refused, [named]: { body: { permission: 'write' } } }, true],
  ['not named, and maybe in a group', { [workspace]: refused, [named]: { body: { permission: 'none' } } }, null],
  ['nobody says', { [workspace]: refused, [named]: refused }, null],
  ['without end', { [workspace]: page([row('write', other)], 'https://x.example') }, null],
]

test('only an administrator of the repository learns who may push', async (t) => {
  for (const [name, routes, may] of permissions) {
    const { reader } = await open(t, routes)
    assert.equal(await reader.mayWrite({ id: ada, login: 'ada', isBot: false }, signal), may, name)
  }
})
