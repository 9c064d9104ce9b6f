// Automations that follow branches: which commits start runs, and what becomes of each.

import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { addJob } from '../../../test/support/database.ts'
import { following, type Following } from '../../../test/support/following.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createId } from '../../lib/id.ts'
import type { Postgres } from '../../postgres/types.ts'
import { readAutomation } from '../automations.ts'
import { readShownPositions } from './show.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const minute = 60_000
const states = (rows: readonly { readonly subject: string; readonly state: string }[]) =>
  rows.map(({ subject, state }) => `${subject}: ${state}`)

test('a commit that concerns the docs starts a run, and another one is skipped', async (t) => {
  const world = await following(t, postgres.db)
  const id = await world.create()
  await world.step()
  assert.deepEqual(await world.commits(id), [])
  const feature = 'export function createClient(retryLimit = 5, retryDelay = 10) {}\nexport function closeClient() {}\n'
  const first = world.product.head('main')
  const to = world.product.commit('main', { 'src/client.ts': feature }, 'feat: add `retryDelay` to createClient (#7)')
  await world.step()
  const [run, ...others] = await world.runs(id)
  assert.deepEqual([run?.trigger, others], ['code', []])
  assert.deepEqual(JSON.parse(run?.ranges ?? ''), [{ repository: world.product.directory, from: first, to }])
  const [commit] = await world.commits(id)
  assert.deepEqual([commit?.state, commit?.run_id], ['in_run', run?.id])
  assert.ok((commit?.score ?? 0) > 0)
  const messages = await world.db
    .selectFrom('messages')
    .selectAll()
    .where('job_id', '=', run?.job_id ?? '')
    .execute()
  assert.match(messages[0]?.prompt ?? '', /^"Document it"$/)
  assert.match(messages[0]?.data ?? '', /add `retryDelay` to createClient \(#7\) \(Person\)/)
  world.product.commit('main', { '.github/workflows/ci.yml': 'on: push\n' }, 'ci: run on push')
  await world.step()
  assert.equal(await world.end(), run?.job_id)
  await world.step()
  assert.deepEqual(states(await world.commits(id)), [
    'feat: add `retryDelay` to createClient (#7): skipped',
    'ci: run on push: skipped',
  ])
  const [one, two] = await world.commits(id)
  assert.deepEqual([one?.reason, two?.reason], ['All is well.', 'It does not concern the docs.'])
  assert.deepEqual(
    (await world.runs(id)).map(({ ended_as: ended }) => ended),
    [null, 'skipped'],
  )
})

test('a commit that concerned the docs once is not skipped after a failure', async (t) => {
  const world = await following(t, postgres.db)
  const id = await world.create()
  await world.step()
  world.product.commit('main', { '.github/workflows/ci.yml': 'on: push\n' }, 'ci: run on push')
  await world.step()
  assert.deepEqual(states(await world.commits(id)), ['ci: run on push: skipped'])
  // As if its score had been enough when its run began, and people have raised the threshold since.
  await world.db
    .updateTable('automation_commits')
    .set({ state: 'waiting', score: 0.5, reason: null, decided_at: null })
    .where('automation_id', '=', id)
    .execute()
  const take = { take_after: world.clock.now() }
  await world.db.updateTable('automation_positions').set(take).where('automation_id', '=', id).execute()
  await world.step()
  assert.deepEqual(states(await world.commits(id)), ['ci: run on push: in_run'])
})

test('a range that fails is tried again, halved, and its last commit set aside', async (t) => {
  const world = await following(t, postgres.db)
  const id = await world.create({ trigger: { type: 'docs', paths: [] } })
  await world.step()
  for (const name of ['a', 'b', 'c']) world.docs.commit('main', { [`${name}.md`]: name }, name)
  const given: string[][] = []
  /** `c` is the commit that no run can take. */
  for (let at = 0; at < 12; at += 1) {
    await world.clock.pass(10 * minute)
    await world.step()
    const inRun = (await world.commits(id)).filter((one) => one.state === 'in_run' && one.decided_at !== null)
    const run = (await world.runs(id)).at(-1)
    const names = inRun.filter((one) => one.run_id === run?.id).map(({ subject }) => subject)
    const isOpen = (await world.end(names.includes('c') ? 'model_refused' : undefined)) !== undefined
    if (isOpen) given.push(names)
  }
  assert.deepEqual(given, [['a', 'b', 'c'], ['a', 'b', 'c'], ['a', 'b'], ['c'], ['c']])
  const last = (await world.commits(id)).at(-1)
  assert.deepEqual([last?.subject, last?.state, last?.reason], ['c', 'set_aside', 'Two runs failed: The test said so.'])
  world.docs.commit('main', { 'd.md': 'd' }, 'd')
  await world.clock.pass(minute)
  await world.step()
  assert.equal((await world.commits(id)).at(-1)?.state, 'in_run')
  // A failure that no commit is to blame for sets nothing aside.
  for (let at = 0; at < 6; at += 1) {
    await world.end('model_not_configured')
    await world.step()
    await world.clock.pass(24 * 60 * minute)
    await world.step()
  }
  assert.equal((await world.commits(id)).at(-1)?.state, 'in_run')
  await world.end('cancelled')
  await world.step()
  assert.deepEqual((await world.commits(id)).at(-1)?.reason, 'A person cancelled the run.')
})

test('an automation never starts itself, nor does a change of a started one start it', async (t) => {
  const world = await following(t, postgres.db)
  const [one, two] = [await world.create({ trigger: docsTrigger }), await world.create({ trigger: docsTrigger })]
  await world.step()
  world.docs.commit('main', { 'a.md': 'a' }, 'By a person')
  await world.step()
  const jobOf = async (id: string) => (await world.runs(id)).at(-1)?.job_id ?? ''
  const publish = (job: string, text: string) =>
    world.docs.commit('main', { 'b.md': text }, `By ${text}\n\nDocent-Job: ${job}/1`)
  publish(await jobOf(one), 'one')
  await world.end()
  await world.end()
  await world.step()
  await world.step()
  assert.deepEqual(states(await world.commits(one)), ['By a person: skipped', 'By one: skipped'])
  assert.deepEqual(states(await world.commits(two)), ['By a person: skipped', 'By one: in_run'])
  assert.equal((await world.commits(one)).at(-1)?.reason, 'The automation published it itself.')
  publish(await jobOf(two), 'two')
  await world.end()
  await world.step()
  assert.equal(
    (await world.commits(one)).at(-1)?.reason,
    'An automation published it that another automation had started.',
  )
  assert.deepEqual((await world.runs(one)).length, 1)
})

const docsTrigger = { type: 'docs', paths: [] } as const

test('an automation begins where it is told, and says what it cannot find', async (t) => {
  const world = await following(t, postgres.db)
  const start = world.docs.commit('main', { 'a.md': 'a' }, 'a')
  world.docs.commit('main', { 'b.md': 'b' }, 'b')
  world.docs.git(['tag', 'v1', start])
  const id = await world.create({ trigger: docsTrigger, since: 'v1' })
  const lost = await world.create({ trigger: docsTrigger, since: 'v9' })
  await world.step()
  assert.deepEqual(states(await world.commits(id)), ['b: in_run'])
  const shown = await readShownPositions(world.db, [{ id: lost }, { id }])
  assert.match(shown.get(lost)?.note ?? '', /no commit `v9`/)
  assert.deepEqual([shown.get(id)?.branch, shown.get(id)?.note, shown.get(id)?.waiting], ['main', null, 0])
})

test('paths, a cron and a cap decide what is taken when', async (t) => {
  const world = await following(t, postgres.db)
  const trigger = { type: 'code', source: null, paths: ['guides/'], when: '0 12 * * *' } as const
  const id = await world.create({ trigger, caps: { runsPerDay: 1 } })
  await world.step()
  world.docs.commit('main', { 'a.md': 'a' }, 'elsewhere')
  world.docs.commit(
    'main',
    { 'guides/client.ts': 'createClient(retryLimit)\ncloseClient()\n' },
    'feat: add closeClient',
  )
  await world.step()
  assert.deepEqual(states(await world.commits(id)), ['elsewhere: skipped', 'feat: add closeClient: waiting'])
  assert.deepEqual(await world.runs(id), [])
  await world.clock.pass(3 * 60 * minute)
  await world.step()
  assert.equal((await world.commits(id)).at(-1)?.state, 'in_run')
  await world.end('model_refused')
  await world.step()
  await world.clock.pass(10 * minute)
  await world.step()
  const capped = (await world.runs(id)).at(-1)
  assert.deepEqual([capped?.ended_as, capped?.reason], ['capped', 'The automation may start 1 run a day.'])
  assert.equal((await world.commits(id)).at(-1)?.state, 'waiting')
  await world.step()
  assert.equal((await world.runs(id)).length, 2)
  await world.clock.pass(12 * 60 * minute)
  await world.step()
  assert.equal((await world.commits(id)).at(-1)?.state, 'in_run')
})

test('a trigger that starts more than 30 runs within an hour pauses its automation', async (t) => {
  const world = await following(t, postgres.db)
  const id = await world.create({ trigger: docsTrigger })
  await world.step()
  const runOnce = async (text: string) => {
    world.docs.commit('main', { 'a.md': text }, text)
    await world.step()
    await world.end()
  }
  await runOnce('first')
  // As if 28 more had followed.
  const [{ ordinal: _, ...withoutOrdinal } = assert.fail('there is a run')] = await world.runs(id)
  const more = Array.from({ length: 28 }, () => ({ ...withoutOrdinal, message_id: null, id: createId('aru') }))
  await world.db.insertInto('automation_runs').values(more).execute()
  await runOnce('thirtieth')
  assert.equal((await readAutomation(world.db, world.projectId, id)).enabled, true)
  await runOnce('one more')
  const { enabled, paused_because: because } = await readAutomation(world.db, world.projectId, id)
  assert.equal(enabled, false)
  assert.match(because ?? '', /^more than 30 runs within an hour/)
  assert.deepEqual((await world.commits(id)).at(-1)?.state, 'waiting')
})

test('a merge names its pull request before anybody has asked the forge about it', async (t) => {
  const world = await following(t, postgres.db)
  const id = await world.create({ trigger: docsTrigger })
  await world.step()
  world.docs.commit('main', { 'a.md': 'a' }, 'By a person')
  await world.step()
  const job = await world.end()
  const open = { pull_number: 12, pull_state: 'open', repository: world.docs.directory } as const
  await world.db
    .updateTable('jobs')
    .set(open)
    .where('id', '=', job ?? '')
    .execute()
  // The same number of a repository that the project had before.
  const other = { ...open, pull_number: 13, repository: 'https://example.com/before.git' }
  await world.db
    .updateTable('jobs')
    .set(other)
    .where('id', '=', await jobElsewhere(world))
    .execute()
  world.docs.commit('main', { 'b.md': 'b' }, 'Merge pull request #12 from acme/docent/1')
  world.docs.commit('main', { 'c.md': 'c' }, 'Merge pull request #13 from acme/person')
  await world.step()
  assert.deepEqual(states(await world.commits(id)).slice(1), [
    'Merge pull request #12 from acme/docent/1: skipped',
    'Merge pull request #13 from acme/person: in_run',
  ])
})

test('a source that is renamed is followed on, and one that is deleted is missed aloud', async (t) => {
  const world = await following(t, postgres.db)
  const { db, projectId, product } = world
  const id = await world.create({ sources: ['api'] })
  await world.step()
  await db.updateTable('sources').set({ name: 'engine' }).where('project_id', '=', projectId).execute()
  await world.step()
  const { trigger, sources } = await readAutomation(db, projectId, id)
  assert.deepEqual(
    [JSON.parse(trigger), sources],
    [{ type: 'code', source: 'engine', paths: [], when: 'merge' }, '["engine"]'],
  )
  await db.deleteFrom('sources').where('project_id', '=', projectId).execute()
  await world.step()
  const note = async () => (await readShownPositions(db, [{ id }])).get(id)?.note ?? ''
  assert.match(await note(), /has no source `engine` any more/)
  const at = new Date()
  const again = { id: 'src_00000000000000000000', project_id: projectId, name: 'engine', repository: product.directory }
  await db
    .insertInto('sources')
    .values({ ...again, paths: '[]', created_at: at, updated_at: at })
    .execute()
  await world.step()
  assert.match(await note(), /began again/)
  product.commit('main', { 'src/client.ts': 'export function closeClient(retryLimit) {}\n' }, 'feat: closeClient')
  await world.step()
  assert.equal((await world.commits(id)).length, 1)
})

test('a commit that a branch loses during its run, and gets back, has another run', async (t) => {
  const world = await following(t, postgres.db)
  const id = await world.create({ trigger: docsTrigger })
  await world.step()
  const before = world.docs.head('main') ?? ''
  const commit = world.docs.commit('main', { 'a.md': 'a' }, 'a')
  await world.step()
  world.docs.git(['update-ref', 'refs/heads/main', before])
  await world.look()
  await world.end('model_refused')
  await world.step()
  world.docs.git(['update-ref', 'refs/heads/main', commit])
  await world.step()
  const [first, second, ...others] = await world.runs(id)
  assert.deepEqual([first?.settled_at === null, second?.settled_at, others], [false, null, []])
  const [row] = await world.commits(id)
  assert.deepEqual([row?.state, row?.run_id], ['in_run', second?.id])
})

/** A job of the same automation, as far as its row says. */
async function jobElsewhere({ db, projectId }: Following): Promise<string> {
  const { origin } = await db.selectFrom('jobs').select('origin').executeTakeFirstOrThrow()
  const id = await addJob(db, projectId)
  await db.updateTable('jobs').set({ origin }).where('id', '=', id).execute()
  return id
}

test('commits that cannot be compared are tried again after two minutes', async (t) => {
  const world = await following(t, postgres.db)
  const id = await world.create()
  await world.step()
  const code = 'export function createClient(retryLimit = 5) {}\nexport function closeClient() {}\n'
  world.product.commit('main', { 'src/client.ts': code }, 'feat: add closeClient')
  await rename(world.docs.directory, `${world.docs.directory}.away`)
  const retryAfter = async () =>
    (await world.db.selectFrom('automation_positions').selectAll().executeTakeFirstOrThrow()).retry_after?.getTime()
  await world.step()
  const first = await retryAfter()
  assert.equal(first, world.clock.now().getTime() + 2 * minute)
  await world.clock.pass(minute)
  await world.step()
  assert.equal(await retryAfter(), first)
  await rename(`${world.docs.directory}.away`, world.docs.directory)
  await world.step()
  assert.deepEqual(states(await world.commits(id)), ['feat: add closeClient: waiting'])
  await world.clock.pass(minute)
  await world.step()
  assert.deepEqual(states(await world.commits(id)), ['feat: add closeClient: in_run'])
})
