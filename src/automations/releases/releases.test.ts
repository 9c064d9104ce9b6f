// The commit status of a release, from the tag in a real repository to what is sent to the forge.

import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { type Following, following } from '../../../test/support/following.ts'
import type { CommitStatus } from '../../forge/statuses/status.ts'
import { Failure } from '../../lib/failure.ts'
import type { Postgres } from '../../postgres/types.ts'
import { generateKey, parseKeys } from '../../secrets/keys.ts'
import { createSecrets } from '../../secrets/secrets.ts'
import { putCredential } from '../../projects/credentials.ts'
import { deleteAutomation } from '../automations.ts'
import { readReleases } from './show.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const minute = 60_000
const day = 24 * 60 * minute
const feature = 'export function createClient(retryLimit = 5, retryDelay = 10) {}\nexport function closeClient() {}\n'

type Shown = readonly [tag: string, text: string | null, problem: string | null]

type World = {
  readonly base: Following
  readonly automationId: string
  readonly sent: CommitStatus[]
  /** A change that the docs need, at the head of the branch. */
  readonly change: (name: string) => string
  /** Tags a commit, and has the tag seen. */
  readonly tag: (name: string, commit: string) => Promise<void>
  /** A minute later, says what is due. */
  readonly say: (afterMs?: number) => Promise<void>
  readonly shown: () => Promise<readonly Shown[]>
}

/** With the release `v1.0` before it begins. `refuse`: the forge's answer to a status. */
async function world(t: TestContext, refuse: (at: number) => Failure | undefined = () => undefined): Promise<World> {
  const base = await following(t, postgres.db)
  base.product.git(['tag', 'v1.0', 'main'])
  await base.db.updateTable('sources').set({ release_status: true }).execute()
  const automationId = await base.create()
  await base.step()
  const sent: CommitStatus[] = []
  return {
    base,
    automationId,
    sent,
    change: (name) => base.product.commit('main', { [`src/${name}.ts`]: feature }, `feat: add ${name} to createClient`),
    tag: async (name, commit) => {
      base.product.git(['tag', name, commit])
      await base.lookAtTags()
    },
    say: async (afterMs = minute) => {
      await base.clock.pass(afterMs)
      await base.sayReleases(async (status) => {
        sent.push(status)
        const failure = refuse(sent.length)
        if (failure) throw failure
      })
    },
    shown: async () => {
      const found = await readReleases(base.db, base.projectId, 'api')
      return found.map(({ tag, text, problem }) => [tag, text, problem])
    },
  }
}

/** The run of the commits that wait opens a pull request. */
async function document(base: Following): Promise<void> {
  const { db } = base
  await base.step()
  const job = (await base.end()) ?? ''
  const proposed = { pull_number: 12, pull_state: 'open', outcome: 'pull_request' } as const
  await db.updateTable('jobs').set(proposed).where('id', '=', job).execute()
  await db.updateTable('runs').set({ outcome: 'pull_request' }).where('job_id', '=', job).execute()
  await base.step()
}

test('a new release says what is undocumented, once, until that changes', async (t) => {
  const { base, change, tag, say, sent, shown } = await world(t)
  const { product, projectId } = base
  change('client')
  const last = product.commit('main', { 'ci.yml': 'on: push\n' }, 'ci: run on push')
  await base.step()
  await say()
  assert.deepEqual([sent, await shown()], [[], []])
  await tag('v1.1', last)
  await say()
  await say()
  const url = `https://docent.example/projects/${projectId}/ledger?source=api&from=v1.0&to=v1.1`
  const common = { commit: last, context: 'docent/docs', url }
  assert.deepEqual(sent, [{ ...common, state: 'failure', text: '1 change is undocumented' }])
  await document(base)
  await say()
  await say()
  const done = 'Every change since v1.0 is documented or needs no documentation'
  assert.deepEqual(sent.slice(1), [{ ...common, state: 'success', text: done }])
  assert.deepEqual(await shown(), [['v1.1', done, null]])
})

test('a newer release takes the place of the one before it', async (t) => {
  const { base, change, tag, say, sent } = await world(t)
  const first = change('client')
  await base.step()
  await tag('v1.1', first)
  await say()
  const second = change('server')
  await base.step()
  await tag('v1.2', second)
  await say()
  assert.deepEqual(
    sent.map(({ commit, text, url }) => [commit, text, new URL(url ?? '').searchParams.get('from')]),
    [
      [first, '1 change is undocumented', 'v1.0'],
      [second, '1 change is undocumented', 'v1.1'],
    ],
  )
})

test('a release from before the automation, or of a source without statuses, is left', async (t) => {
  const { base, change, tag, say, sent, shown } = await world(t)
  const { db, product } = base
  await tag('v1.0.1', product.head('main') ?? '')
  await say()
  await db.updateTable('sources').set({ release_status: false }).execute()
  const first = change('client')
  await base.step()
  await tag('v1.1', first)
  await say()
  assert.deepEqual([sent, await shown()], [[], []])
  await db.updateTable('sources').set({ release_status: true }).execute()
  await tag('v1.1.0', first)
  await say()
  assert.equal(sent.length, 1)
})

test('changes from before the automation are not known', async (t) => {
  const base = await following(t, postgres.db)
  base.product.git(['tag', 'v1.0', 'main'])
  base.product.commit('main', { 'a.yml': 'a: b\n' }, 'ci: a')
  await base.db.updateTable('sources').set({ release_status: true }).execute()
  await base.create()
  await base.step()
  const commit = base.product.commit('main', { 'ci.yml': 'on: push\n' }, 'ci: run on push')
  await base.step()
  base.product.git(['tag', 'v1.1', commit])
  await base.lookAtTags()
  const sent: CommitStatus[] = []
  await base.clock.pass(minute)
  await base.sayReleases(async (status) => void sent.push(status))
  const [{ state, text } = { state: '', text: '' }] = sent
  assert.deepEqual([state, text], ['pending', 'Not known of 1 change, which no automation followed'])
})

test('a forge that refuses is asked again after a day, or with another credential', async (t) => {
  const refused = new Failure('forge_right_missing', 'The credential may not set statuses of commits. Grant it.')
  const { base, change, tag, say, sent, shown } = await world(t, (at) => (at < 4 ? refused : undefined))
  const { db, sourceId } = base
  const commit = change('client')
  await base.step()
  await tag('v1.1', commit)
  await say()
  assert.deepEqual(await shown(), [['v1.1', null, refused.message]])
  await say(day - 2 * minute)
  assert.equal(sent.length, 1)
  await say(2 * minute)
  assert.equal(sent.length, 2)
  const ring = parseKeys(generateKey())
  const secrets = createSecrets(() => ring)
  const enter = () =>
    putCredential({ db, secrets }, sourceId, {
      kind: 'token',
      forge: 'github',
      webUrl: 'https://github.com',
      apiUrl: 'https://api.github.com',
      secret: 'a token',
    })
  await enter()
  await say()
  await say()
  assert.equal(sent.length, 3)
  await enter()
  await say()
  assert.deepEqual([sent.length, await shown()], [4, [['v1.1', '1 change is undocumented', null]]])
})

test('a forge that does not respond is asked again soon, and following continues', async (t) => {
  const away = new Failure('forge_unavailable', 'It is away.')
  const { base, change, tag, say, sent, shown, automationId } = await world(t, (at) => (at < 2 ? away : undefined))
  const commit = change('client')
  await base.step()
  await tag('v1.1', commit)
  await say()
  await say()
  assert.deepEqual([sent.length, await shown()], [1, [['v1.1', null, null]]])
  change('server')
  await base.step()
  assert.equal((await base.commits(automationId)).length, 2)
  await say(5 * minute)
  assert.deepEqual([sent.length, await shown()], [2, [['v1.1', '1 change is undocumented', null]]])
})

test('a status ends after 90 days, and waits while no credential is there', async (t) => {
  const { base, change, tag, say, sent } = await world(t)
  const { clock } = base
  const commit = change('client')
  await base.step()
  await tag('v1.1', commit)
  await base.clock.pass(minute)
  await base.sayReleases(undefined)
  assert.deepEqual(sent, [])
  await say(89 * day)
  assert.equal(sent.length, 1)
  const second = change('server')
  await base.step()
  await tag('v1.2', second)
  await clock.pass(90 * day)
  await say()
  assert.equal(sent.length, 1)
})

test('nothing is said any more of a repository that nobody follows', async (t) => {
  const { base, change, tag, say, sent, shown, automationId } = await world(t)
  const { db, projectId } = base
  const commit = change('client')
  await base.step()
  await tag('v1.1', commit)
  await deleteAutomation(db, projectId, automationId)
  await base.look()
  await say()
  assert.deepEqual([sent, await shown()], [[], []])
})
