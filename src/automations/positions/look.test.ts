import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { following } from '../../../test/support/following.ts'
import { createRemote, testGit } from '../../../test/support/git-remote.ts'
import type { Git, SourceRepository } from '../../git/types.ts'
import { createLog } from '../../lib/observability/log.ts'
import type { Postgres } from '../../postgres/types.ts'
import { freeFollowed } from './keep-following.ts'
import { hastenLook, lookAtBranches } from './look.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

test('a push that a webhook names during a look is seen by the next one', async (t) => {
  const world = await following(t, postgres.db)
  const { db, product } = world
  await world.create()
  await world.look()
  const git = await testGit(t)
  const meanwhile: (() => Promise<void>)[] = []
  const source: Git['source'] = (...given) => {
    const opened = git.source(...given)
    const probe: SourceRepository['probe'] = async (...asked) => {
      const found = await opened.probe(...asked)
      await meanwhile.shift()?.()
      return found
    }
    return { ...opened, probe }
  }
  const now = () => new Date()
  const { signal } = new AbortController()
  const confirmHead = () => Promise.resolve(undefined)
  const options = { db, git: { ...git, source }, log: createLog('silent'), now, signal, confirmHead }
  const read = () => db.selectFrom('followed_repositories').selectAll().executeTakeFirstOrThrow()
  const { repository_id: id } = await read()
  const isDue = async () => (await read()).look_after <= new Date()
  assert.equal(await isDue(), false)
  await hastenLook(db, [id])
  meanwhile.push(async () => {
    product.commit('main', { 'src/client.ts': 'export function createClient() {}\n' }, 'Second')
    await hastenLook(db, [id])
    // Forges send deliveries twice.
    await hastenLook(db, [id])
  })
  await lookAtBranches(options)
  assert.equal(meanwhile.length, 0)
  assert.equal(await isDue(), true)
  await lookAtBranches(options)
  assert.deepEqual([(await read()).head, await isDue()], [product.git(['rev-parse', 'main']), false])
})

test('an empty repository is followed in silence, and a missing branch is an error', async (t) => {
  const world = await following(t, postgres.db)
  const { db, product } = world
  await world.create()
  const read = () => db.selectFrom('followed_repositories').selectAll().executeTakeFirstOrThrow()
  const [empty, other] = [createRemote(t), createRemote(t)]
  other.commit('trunk', { 'a.ts': 'export {}\n' })
  const lookIn = async (repository: string) => {
    await db.updateTable('sources').set({ repository }).execute()
    await db
      .updateTable('followed_repositories')
      .set({ look_after: new Date(0) })
      .execute()
    await world.look()
    const { head, error } = await read()
    return { head, code: error === null ? null : (JSON.parse(error) as { readonly code: string }).code }
  }
  assert.deepEqual(await lookIn(empty.directory), { head: null, code: null })
  const head = empty.commit('main', { 'a.ts': 'export {}\n' })
  assert.deepEqual(await lookIn(empty.directory), { head, code: null })
  assert.deepEqual(await lookIn(other.directory), { head, code: 'base_not_found' })
  await hastenLook(db, [(await read()).repository_id])
  assert.ok((await read()).look_after <= new Date(), 'a push may end it')
  assert.deepEqual(await lookIn(product.directory), { head: product.head('main'), code: null })
})

test('the branch of a process that died during a look is due at once', async (t) => {
  const world = await following(t, postgres.db)
  const { db } = world
  await world.create()
  await world.look()
  const claimed = { claimed_until: new Date(Date.now() + 300_000), look_after: new Date(Date.now() + 300_000) }
  await db.updateTable('followed_repositories').set(claimed).execute()
  await freeFollowed(db)
  const row = await db.selectFrom('followed_repositories').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([row.claimed_until, row.look_after <= new Date()], [null, true])
})
