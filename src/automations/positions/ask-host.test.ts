// Branches of a source on a loopback forge: its API says whether they have moved, and git reads what is new.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { startForge } from '../../../test/support/forge/forge.ts'
import { tokenHost } from '../../../test/support/forge/subjects.ts'
import { following, type Following } from '../../../test/support/following.ts'
import type { Cleanup } from '../../../test/support/git-remote.ts'
import { Failure } from '../../lib/failure.ts'
import type { Postgres } from '../../postgres/types.ts'
import type { ConfirmHead } from './ask-host.ts'
import { hastenLook } from './look.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const files = { 'src/client.ts': 'export function createClient(retryLimit = 3) {}\n' }

type Asked = { readonly commit: string; readonly answer: boolean | 'nothing' | 'failure' }

/** `instead`: the answer of a host that is wrong. */
async function open(t: Cleanup, instead?: () => ReturnType<ConfirmHead>) {
  const forge = await startForge(t, { kind: 'github', files })
  const { heads } = tokenHost(forge, forge.createToken().value)
  const asked: Asked[] = []
  const confirmHead: ConfirmHead = async (_, { tags, ...known }, signal) => {
    const add = (answer: Asked['answer']) => void asked.push({ commit: known.commit, answer })
    try {
      const found = await (instead?.() ?? heads?.confirm(known, tags, signal))
      add(found?.isStill ?? 'nothing')
      return found
    } catch (error) {
      add('failure')
      throw error
    }
  }
  const world = await following(t, postgres.db, { confirmHead, product: forge.remote })
  const id = await world.create()
  await world.look()
  assert.deepEqual(asked, [], 'git reads a branch first')
  return { forge, world, id, asked }
}

const subjects = async (world: Following, id: string) => (await world.commits(id)).map(({ subject }) => subject)
const rowOf = (world: Following) => world.db.selectFrom('followed_repositories').selectAll().executeTakeFirstOrThrow()

test('a host that confirms the head is asked in place of git, with the ETags of before', async (t) => {
  const { forge, world, id, asked } = await open(t)
  const head = forge.remote.head('main') ?? ''
  const { git_looked_at: first } = await rowOf(world)
  await world.look()
  await world.look()
  const confirmed = { commit: head, answer: true }
  assert.deepEqual(asked, [confirmed, confirmed])
  assert.deepEqual(
    forge.requests.map(({ status }) => status),
    [200, 200, 304, 304],
  )
  assert.deepEqual((await rowOf(world)).git_looked_at, first)
  forge.push('main', { 'a.ts': 'a\n' }, 'One')
  await world.look()
  assert.deepEqual(await subjects(world, id), ['One'])
  assert.deepEqual(asked.at(-1), { commit: head, answer: false })
  assert.notDeepEqual((await rowOf(world)).git_looked_at, first)
  await world.look()
  assert.deepEqual(asked.at(-1), { commit: forge.remote.head('main'), answer: true })
})

test('a force push and a renamed default branch are noticed by the next look', async (t) => {
  const { forge, world, id } = await open(t)
  const begin = forge.remote.head('main') ?? ''
  forge.push('main', { 'a.ts': 'a\n' }, 'One')
  await world.look()
  await world.look()
  forge.remote.git(['update-ref', 'refs/heads/main', begin])
  forge.push('main', { 'b.ts': 'b\n' }, 'Two')
  await world.look()
  const left = (await world.commits(id)).map(({ subject, left_at: at }) => [subject, at !== null])
  assert.deepEqual(left, [
    ['One', true],
    ['Two', false],
  ])
  forge.renameBranch('main', 'trunk')
  await world.look()
  const position = await world.db.selectFrom('automation_positions').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([position.branch, position.head_commit], ['trunk', forge.remote.head('trunk')])
  forge.push('trunk', { 'c.ts': 'c\n' }, 'Three')
  await world.look()
  assert.deepEqual(await subjects(world, id), ['Three'])
})

test('a host that gives no answer is left alone for a while, and git reads instead', async (t) => {
  const refusal = new Failure('forge_right_missing', 'No.')
  const { forge, world, id, asked } = await open(t, () => Promise.reject(refusal))
  for (const name of ['One', 'Two']) {
    forge.push('main', { 'a.ts': name }, name)
    await world.look()
  }
  assert.deepEqual(await subjects(world, id), ['One', 'Two'])
  assert.deepEqual(
    asked.map(({ answer }) => answer),
    ['failure'],
  )
  assert.equal((await rowOf(world)).error, null)
  await world.db
    .updateTable('followed_repositories')
    .set({ ask_host_after: new Date(0) })
    .execute()
  await world.look()
  assert.equal(asked.length, 2)
})

test('a project without such a host is read by git', async (t) => {
  const { forge, world, id } = await open(t, () => Promise.resolve(undefined))
  forge.push('main', { 'a.ts': 'a\n' }, 'One')
  await world.look()
  assert.deepEqual(await subjects(world, id), ['One'])
})

test('a host that confirms a wrong head is found out by a webhook, or in an hour', async (t) => {
  const { forge, world, id, asked } = await open(t, () => Promise.resolve({ isStill: true, tags: {} }))
  forge.push('main', { 'a.ts': 'a\n' }, 'One')
  await world.look()
  assert.deepEqual([await subjects(world, id), asked.length], [[], 1])
  await hastenLook(world.db, [(await rowOf(world)).repository_id])
  await world.look()
  assert.deepEqual([await subjects(world, id), asked.length], [['One'], 1])
  forge.push('main', { 'b.ts': 'b\n' }, 'Two')
  await world.look()
  assert.deepEqual([await subjects(world, id), asked.length], [['One'], 2])
  const anHourAgo = new Date(Date.now() - 3_600_000)
  await world.db.updateTable('followed_repositories').set({ git_looked_at: anHourAgo }).execute()
  await world.look()
  assert.deepEqual([await subjects(world, id), asked.length], [['One', 'Two'], 2])
})

test('automations that are at different commits are served by git', async (t) => {
  const { forge, world, asked } = await open(t, () => Promise.resolve({ isStill: true, tags: {} }))
  forge.push('main', { 'a.ts': 'a\n' }, 'One')
  const late = await world.create()
  await world.look()
  const row = await world.db
    .selectFrom('automation_positions')
    .selectAll()
    .where('automation_id', '=', late)
    .executeTakeFirst()
  assert.deepEqual([row?.head_commit, asked.length], [forge.remote.head('main'), 0])
})
