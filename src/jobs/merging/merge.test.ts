import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { mergingWorld, silentReview } from '../../../test/support/merging-world.ts'
import type { ForgeFault } from '../../../test/support/forge/server.ts'
import { createId } from '../../lib/id.ts'
import type { Postgres } from '../../postgres/types.ts'
import { checksAppearMs } from './obstacles.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const github = (t: Parameters<typeof mergingWorld>[0]) => mergingWorld(t, postgres.db, 'github')
const mergeRoute = 'PUT /repos/:owner/:repo/pulls/:pull_number/merge'

suite('on GitHub', () => {
  test('a commit whose checks are green is merged, and no other one', async (t) => {
    const { forge, remarks, open, look, merging, record, asked, job } = await github(t)
    const { jobId, number, head } = await open()
    remarks.verdict('status', head)
    remarks.verdict('check', head, { name: 'links', state: 'in_progress' })
    assert.equal(await look(jobId), 'check_pending')
    assert.match((await merging(jobId))?.obstacles[0]?.message ?? '', /^Not finished: links\.$/)
    remarks.verdicts.pop()
    remarks.verdict('check', head, { name: 'links', state: 'neutral' })
    assert.equal(await look(jobId), 'asked')
    assert.deepEqual(asked(), [{ sha: head, merge_method: 'squash' }])
    assert.equal(forge.pull(number).state, 'merged')
    assert.equal((await record(jobId))[0]?.state, 'asked')
    assert.equal(await look(jobId), 'merged')
    assert.deepEqual([(await job(jobId)).pull_state, (await merging(jobId))?.obstacles], ['merged', []])
    assert.equal(asked().length, 1)
  })

  test('without the automation, or with another mode, people merge', async (t) => {
    const { db, remarks, open, look, asked } = await github(t)
    const { jobId, head, automationId } = await open({ automation: { enabled: false } })
    remarks.verdict('status', head)
    assert.equal(await look(jobId), 'automation_stopped')
    const set = { enabled: true, update_mode: 'pull_request' } as const
    await db.updateTable('automations').set(set).where('id', '=', automationId).execute()
    assert.equal(await look(jobId), 'nobody')
    assert.deepEqual(asked(), [])
  })

  test('a push of a person makes it wait, also one between the look and the merge', async (t) => {
    const { forge, remarks, open, look, asked } = await github(t)
    const early = await open()
    remarks.verdict('status', early.head)
    remarks.verdict('status', forge.push(early.branch, { 'b.md': 'b' }))
    assert.equal(await look(early.jobId), 'commit_not_checked')
    assert.deepEqual(asked(), [])
    const late = await open()
    remarks.verdict('status', late.head)
    forge.fault = ({ route }) => {
      if (route === mergeRoute) forge.push(late.branch, { 'c.md': 'c' })
      return undefined
    }
    await look(late.jobId)
    assert.deepEqual([asked().length, forge.pull(late.number).state], [1, 'open'])
    forge.fault = undefined
    assert.equal(await look(late.jobId), 'merge_refused')
    assert.equal(await look(late.jobId, 600), 'commit_not_checked')
    assert.equal(asked().length, 1)
  })

  test('a commit of a person below the one that was checked makes it wait', async (t) => {
    const { db, forge, remarks, open, look, asked } = await github(t)
    const { jobId, branch } = await open()
    const theirs = forge.push(branch, { 'b.md': 'b' })
    const head = forge.push(branch, { 'c.md': 'c' })
    remarks.verdict('status', head)
    await db.updateTable('runs').set({ commit_id: head }).where('job_id', '=', jobId).execute()
    await db.updateTable('jobs').set({ head_commit: head }).where('id', '=', jobId).execute()
    assert.equal(await look(jobId), 'commit_of_others', theirs)
    assert.deepEqual(asked(), [])
  })

  test('a base that has moved on is no obstacle, and a conflict is one', async (t) => {
    const { db, subject, forge, remarks, open, look, asked } = await github(t)
    const { jobId, branch, head: first, number } = await open()
    forge.push('main', { 'other.md': 'other' })
    // As an append to an open pull request begins.
    const into = forge.remote.git(['merge-tree', '--write-tree', first, 'main'])
    const merge = forge.remote.git(['commit-tree', into, '-p', first, '-p', 'main', '-m', 'Merge'])
    forge.remote.git(['update-ref', `refs/heads/${branch}`, merge])
    const head = await subject.commit(branch, { 'more.md': 'more' })
    remarks.verdict('status', head)
    await db.updateTable('jobs').set({ head_commit: head }).where('id', '=', jobId).execute()
    const run = await db.selectFrom('runs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow()
    const second = { ...run, id: createId('run'), number: run.number + 1, commit_id: head }
    await db.insertInto('runs').values(second).execute()
    const other = await open()
    remarks.verdict('status', other.head)
    forge.push('main', { 'docent-m2.md': 'theirs' })
    assert.equal(await look(jobId), 'asked')
    assert.equal(forge.pull(number).state, 'merged')
    assert.equal(await look(other.jobId), 'forge_not_ready')
    assert.equal(asked().length, 1)
  })

  const states: readonly (readonly [
    name: string,
    waits: string,
    change: (world: Awaited<ReturnType<typeof github>>, pull: { number: number; head: string }) => void,
  ])[] = [
    ['a red check', 'check_failed', ({ remarks }, { head }) => remarks.verdict('check', head, { state: 'timed_out' })],
    [
      'a red status',
      'check_failed',
      ({ remarks }, { head }) => remarks.verdict('status', head, { name: 'x', state: 'error' }),
    ],
    ['a draft', 'draft', ({ forge }, { number }) => (forge.pull(number).draft = true)],
    [
      'a requested change',
      'changes_requested',
      ({ remarks }, { number }) => remarks.review(number, { state: 'CHANGES_REQUESTED' }),
    ],
    ['an open thread', 'open_threads', ({ remarks }, { number }) => remarks.review(number, {}, [{}])],
    [
      'another base',
      'base_changed',
      ({ forge }, { number }) => (forge.push('next', { 'n.md': 'n' }), forge.retarget(number, 'next')),
    ],
  ]
  for (const [name, waits, change] of states) {
    test(`${name} makes it wait`, async (t) => {
      const world = await github(t)
      const { jobId, ...pull } = await world.open()
      world.remarks.verdict('status', pull.head)
      change(world, pull)
      assert.equal(await world.look(jobId), waits)
      assert.deepEqual(world.asked(), [])
    })
  }

  test('a change that was approved since, and a resolved thread, are no obstacles', async (t) => {
    const { remarks, open, look } = await github(t)
    const { jobId, number, head } = await open()
    remarks.verdict('status', head)
    remarks.review(number, { state: 'CHANGES_REQUESTED' }, [{}])
    assert.equal(await look(jobId), 'changes_requested,open_threads')
    remarks.review(number, { state: 'APPROVED' })
    remarks.resolve(remarks.of(number, 'line')[0]?.id ?? 0)
    assert.equal(await look(jobId), 'asked')
  })

  test('without a check it waits ten minutes, and then for `mergeWithoutChecks`', async (t) => {
    const { open, look, clock, merging } = await github(t)
    const { jobId: cautious } = await open()
    const { jobId: trusting } = await open({ automation: { merge_without_checks: true } })
    assert.equal(await look(trusting), 'check_pending')
    // Since the first look that found the commit.
    await clock.pass(checksAppearMs - 2 * 60_000 - 1)
    assert.equal(await look(trusting), 'check_pending')
    await clock.pass(1)
    assert.equal(await look(trusting), 'asked')
    assert.equal(await look(cautious), 'no_checks')
    assert.match((await merging(cautious))?.obstacles[0]?.message ?? '', /mergeWithoutChecks/)
  })

  test('checks on a second page count', async (t) => {
    const { remarks, open, look } = await github(t)
    const { jobId, head } = await open()
    remarks.verdict('check', head, { name: 'first', state: 'failure' })
    for (let count = 0; count < 100; count += 1) remarks.verdict('check', head, { name: `c${count}` })
    assert.equal(await look(jobId), 'check_failed', 'the newest come first')
  })

  test('more threads than are read are not known', async (t) => {
    const { remarks, open, look, merging } = await github(t)
    const { jobId, head, number } = await open()
    remarks.verdict('status', head)
    for (let count = 0; count <= 100; count += 1) remarks.review(number, {}, [{}])
    for (const { id } of remarks.of(number, 'line')) remarks.resolve(id)
    assert.equal(await look(jobId), 'not_known')
    assert.match((await merging(jobId))?.obstacles[0]?.message ?? '', /more than 100 threads/)
  })

  test('lists that the credential may not read are not known', async (t) => {
    const { forge, remarks, open, look, asked, merging } = await github(t)
    const { jobId, head } = await open()
    remarks.verdict('status', head)
    forge.fault = ({ route }) =>
      route.endsWith('/check-runs')
        ? { kind: 'answer', status: 403, body: '{"message":"Resource not accessible by personal access token"}' }
        : undefined
    assert.equal(await look(jobId), 'not_known')
    assert.match((await merging(jobId))?.obstacles[0]?.message ?? '', /may not read the checks of the commit/)
    assert.deepEqual(asked(), [])
  })

  test('a reason of the service itself costs the forge no request', async (t) => {
    const { forge, open, look } = await github(t)
    const checks = { ...silentReview.checks, introduced: 1 }
    const { jobId } = await open({ review: { ...silentReview, checks } })
    await look(jobId)
    const before = forge.requests.length
    assert.equal(await look(jobId), 'problems')
    const routes = forge.requests.slice(before).map(({ route }) => route)
    assert.ok(!routes.includes('POST /graphql'), routes.join())
    assert.equal(await look((await open({ review: null })).jobId), 'not_checked')
  })

  const lost: readonly (readonly [name: string, fault: ForgeFault])[] = [
    ['405', { kind: 'answer after', status: 405, body: '{"message":"Pull Request is not mergeable"}' }],
    ['409', { kind: 'answer after', status: 409, body: '{"message":"Head branch was modified."}' }],
    ['500', { kind: 'answer after', status: 500, body: '' }],
    ['nothing', { kind: 'lose answer' }],
  ]
  for (const [name, fault] of lost) {
    test(`a forge that answers ${name} after it has merged is not asked again`, async (t) => {
      const { forge, remarks, open, look, asked, job } = await github(t)
      const { jobId, head, number } = await open()
      remarks.verdict('status', head)
      forge.failOnce(mergeRoute, fault)
      await look(jobId)
      assert.equal(forge.pull(number).state, 'merged')
      assert.equal(await look(jobId), 'merged')
      assert.deepEqual([asked().length, (await job(jobId)).pull_state], [1, 'merged'])
    })
  }

  test('a forge that says no is asked again later, and later each time', async (t) => {
    const { forge, remarks, open, look, asked, merging } = await github(t)
    const { jobId, head } = await open()
    remarks.verdict('status', head)
    forge.switches.allowsAutoMerge = false
    await look(jobId)
    assert.equal(await look(jobId), 'merge_refused')
    assert.match((await merging(jobId))?.obstacles[0]?.message ?? '', /At least 1 approving review is required/)
    assert.equal(await look(jobId, 480), 'merge_refused')
    assert.equal(asked().length, 1)
    await look(jobId, 60)
    assert.equal(asked().length, 2)
    assert.equal(await look(jobId, 3_500), 'merge_refused')
    forge.switches.allowsAutoMerge = true
    await look(jobId, 100)
    assert.equal(asked().length, 3)
    assert.equal(await look(jobId), 'merged')
  })

  test('a merge whose request never arrived is not asked for again, and says so', async (t) => {
    const { forge, remarks, open, look, asked, merging } = await github(t)
    const { jobId, head } = await open()
    remarks.verdict('status', head)
    forge.failOnce(mergeRoute, { kind: 'reset' })
    await look(jobId)
    const before = asked().length
    assert.equal(await look(jobId, 86_400), 'asked_already')
    assert.match((await merging(jobId))?.obstacles[0]?.message ?? '', /is not asked again/)
    assert.equal(asked().length, before)
    const pushed = forge.push('docent/m1', { 'b.md': 'b' })
    await look(jobId)
    assert.equal(asked().length, before, pushed)
  })

  test('a process that dies between the record and the request does not ask later', async (t) => {
    const { forge, host, remarks, open, look, poll, pass, record, asked } = await github(t)
    const { jobId, head, number } = await open()
    remarks.verdict('status', head)
    await pass(60)
    const reached = Promise.withResolvers<void>()
    // It never returns to the poller.
    const merge = () => {
      reached.resolve()
      return new Promise<never>(() => {})
    }
    const polled = poll({ ...host, merging: { ...host.merging, merge } })
    await Promise.race([reached.promise, polled])
    assert.equal((await record(jobId))[0]?.state, 'asked')
    assert.equal(await look(jobId), 'asked_already')
    assert.deepEqual([asked().length, forge.pull(number).state], [0, 'open'])
  })

  test('processes that look at the same time ask once', async (t) => {
    const { db, remarks, open, poll, pass, asked } = await github(t)
    const { jobId, head } = await open()
    remarks.verdict('status', head)
    await pass(60)
    await Promise.all([poll(), poll(), poll()])
    assert.equal(asked().length, 1)
    // One that has judged before another one asked.
    await db.updateTable('jobs').set({ merging: null }).where('id', '=', jobId).execute()
    await Promise.all([pass(60).then(() => poll()), pass(60).then(() => poll())])
    assert.equal(asked().length, 1)
  })
})
