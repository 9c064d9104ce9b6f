import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { entryIdOf, lookedAt, redactor } from '../../../test/support/looked-at.ts'
import { forgeKinds } from '../../forge/host.ts'
import type { Postgres } from '../../postgres/types.ts'
import { hastenPolls, hour, minute, pollErrorOf } from '../pulls/polls.ts'
import { bitbucketQuota, budget } from '../upkeep/poll-pulls.ts'
import { type ActivityResponse, pageActivity } from './read.ts'
import { sampled } from '../../../test/support/rounds.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const toShort = ({ kind, author, text, path, line, state }: ActivityResponse) =>
  [kind, author.login, author.mayWrite, text, path, line, state] as const

const byText = (one: readonly unknown[], other: readonly unknown[]) => (one.join() < other.join() ? -1 : 1)

for (const kind of sampled(forgeKinds, 1)) {
  suite(kind, () => {
    test('comments, reviews and statuses are read with who may write', async (t) => {
      const { remarks, open, look, read, forge } = await lookedAt(t, postgres.db, kind)
      const { jobId, number, headCommit } = await open('docent/1')
      remarks.comment(number, { text: 'Hello' })
      remarks.comment(number, { login: 'stranger-1', text: '<!-- hidden --> Do it\u0000 now' })
      await look()
      const line = { path: 'docs/index.md', line: 3, text: 'Here' }
      remarks.review(number, { login: 'ada', text: 'Change it', state: 'CHANGES_REQUESTED' }, [line])
      const failed = { bitbucket: 'FAILED', azure: 'failed' } as const
      const state = kind === 'bitbucket' || kind === 'azure' ? failed[kind] : 'failure'
      remarks.verdict('status', headCommit, { state })
      await look()
      await look()
      const found = await read(jobId)
      const [bot, mayBot] = kind === 'gitlab' || kind === 'gitea' ? ['docent-token', false] : [null, null]
      const hasWords = kind === 'github' || kind === 'gitea'
      // Nobody knows of people who have pushed nothing lately.
      const mayStranger = kind === 'azure' ? null : false
      assert.deepEqual(found.map(toShort).toSorted(byText), [
        ['comment', 'ada', true, 'Hello', null, null, null],
        ['comment', 'stranger-1', mayStranger, '<!-- hidden --> Do it\ufffd now', null, null, null],
        ['review', 'ada', true, hasWords ? 'Change it' : '', null, null, 'changes_requested'],
        ['review_comment', 'ada', true, 'Here', 'docs/index.md', 3, null],
        ['status', bot, mayBot, 'build: It ran', null, null, state.toLowerCase()],
      ])
      for (const { link } of found) assert.equal(new URL(link ?? '').origin, forge.web)
      assert.equal(new Set(found.map((one) => `${one.kind} ${one.forgeId}`)).size, 5)
    })

    test('an edit replaces the text, and a deletion empties it', async (t) => {
      const { forge, remarks, open, look, read } = await lookedAt(t, postgres.db, kind)
      const { jobId, number } = await open('docent/1')
      const [edited, deleted] = [remarks.comment(number), remarks.comment(number, { text: 'A secret' })]
      remarks.review(number, {}, [{ text: 'On a line' }])
      const line = remarks.of(number, 'line')[0]?.id ?? 0
      await look()
      const ids = (await read(jobId)).map(({ id }) => id)
      remarks.edit(edited, 'Better')
      remarks.edit(line, 'On this line')
      remarks.remove(deleted)
      // As many as before: the number of comments alone would not show the deletion.
      remarks.comment(number, { text: 'Another' })
      await look()
      await look()
      const found = await read(jobId)
      const textOf = (id: number) => found.find(({ forgeId }) => forgeId === entryIdOf(forge, number, id))
      assert.deepEqual([textOf(edited)?.text, textOf(line)?.text], ['Better', 'On this line'])
      assert.deepEqual([textOf(deleted)?.text, textOf(deleted)?.isDeleted], ['', true])
      assert.equal(found.filter(({ text }) => text === 'Another').length, 1)
      assert.deepEqual(
        found.map(({ id }) => id).filter((id) => ids.includes(id)),
        ids,
        'an entry keeps its id and its place',
      )
    })

    test('a change that the forge shows late is read, up to two minutes', async (t) => {
      const { remarks, open, look, read, forge } = await lookedAt(t, postgres.db, kind)
      const { jobId, number } = await open('docent/1')
      const early = remarks.comment(number)
      forge.advance(3 * 60_000)
      const last = remarks.comment(number)
      await look()
      await look()
      remarks.edit(early, 'Edited before the last one was written')
      const at = remarks.all.find(({ id }) => id === last)?.createdAt ?? ''
      const before = new Date(Date.parse(at) - 119_000).toISOString().replace(/\.\d+/, '')
      Object.assign(remarks.all[0] ?? {}, { updatedAt: before })
      await look()
      assert.equal((await read(jobId))[0]?.text, 'Edited before the last one was written')
    })

    test('a new base, a push of a person and a merge are entries', async (t) => {
      const { db, projectId, subject, forge, open, look, read, job } = await lookedAt(t, postgres.db, kind)
      const { jobId, number } = await open('docent/1')
      await look()
      await subject.createBranch('next')
      forge.pull(number).base = 'next'
      const pushed = forge.push('docent/1', { 'b.md': 'b' })
      forge.advance(1_000)
      forge.pull(number).updatedAt = new Date(Date.now() + 61_000).toISOString().replace(/\.\d+/, '')
      await look()
      forge.remarks.comment(number, { text: 'Merging' })
      forge.merge(number)
      await look()
      const found = (await read(jobId)).map(({ kind: of, text, state }) => [of, text, state] as const)
      assert.deepEqual(found.toSorted(byText), [
        ['base', 'next', null],
        ['comment', 'Merging', null],
        ['head', pushed, null],
        ['state', '', 'merged'],
      ])
      assert.deepEqual([(await job(jobId)).pull_state, (await job(jobId)).pull_check_after], ['merged', null])
      const page = await pageActivity({ db, redactor, publicUrl: '' }, { projectId, jobId, limit: 1 })
      assert.equal(page.lookedAt, (await job(jobId)).pull_checked_at?.toISOString())
    })

    test('many comments cost one question about each person in an hour', async (t) => {
      const { remarks, open, look, read } = await lookedAt(t, postgres.db, kind)
      const { jobId, number } = await open('docent/1')
      for (let round = 0; round < 3; round += 1) {
        for (let count = 0; count < 120; count += 1) remarks.comment(number, { login: `stranger-${count % 3}` })
        await look()
      }
      assert.equal((await read(jobId)).length, 360)
      assert.equal(remarks.asked.length, 3)
      await look(hour)
      // The token of the App expired meanwhile.
      await look(3 * minute)
      assert.equal(remarks.asked.length, 6, 'all have written since they were asked about')
    })

    test('processes that look at the same time store each entry once', async (t) => {
      const { remarks, open, pass, poll, read, job, db } = await lookedAt(t, postgres.db, kind)
      const [one, other] = [await open('docent/1'), await open('docent/2')]
      for (const { number } of [one, other, one, other]) remarks.comment(number, { login: 'ada' })
      await pass(minute)
      await Promise.all([poll(), poll(), poll()])
      for (const { jobId } of [one, other]) assert.equal((await read(jobId)).length, 2)
      assert.equal(remarks.asked.length, 1)
      // One of them died with its claim.
      remarks.comment(one.number)
      await sql`update jobs set pull_claimed_until = now() + interval '5 minutes' where id = ${one.jobId}`.execute(db)
      const before = (await job(one.jobId)).pull_checked_at
      await pass(minute)
      await poll()
      assert.deepEqual((await job(one.jobId)).pull_checked_at, before)
      await pass(5 * minute)
      await poll()
      assert.equal((await read(one.jobId)).length, 3)
    })

    test('a look that fails in the middle is made again, and nothing is doubled', async (t) => {
      const { remarks, forge, open, look, read, job } = await lookedAt(t, postgres.db, kind)
      const { jobId, number } = await open('docent/1')
      remarks.comment(number)
      for (let count = 0; count < 14; count += 1) {
        remarks.comment(number, { text: `${count}` })
        let request = 0
        // Each time one request later.
        forge.fault = ({ route }) => {
          if (!route.startsWith('GET ')) return undefined
          request += 1
          return request === count + 1 ? { kind: 'reset' } : undefined
        }
        await look(3 * minute)
      }
      forge.fault = undefined
      await look(3 * minute)
      const found = await read(jobId)
      assert.equal(found.length, 15)
      assert.equal(new Set(found.map(({ forgeId }) => forgeId)).size, 15)
      assert.equal(pollErrorOf(await job(jobId)), null)
    })
  })
}

suite('a list that cannot be read', () => {
  test('the state of all pull requests is read, and the list again later', async (t) => {
    const { remarks, forge, open, look, read, job } = await lookedAt(t, postgres.db, 'github')
    const [one, other] = [await open('docent/1'), await open('docent/2')]
    await look()
    remarks.comment(one.number)
    forge.merge(other.number)
    // Such as one that is too large: anybody may comment on a public repository.
    forge.fault = ({ route }) => (route.endsWith('/comments') ? { kind: 'truncate' } : undefined)
    await look()
    assert.equal((await job(other.jobId)).pull_state, 'merged')
    assert.equal(pollErrorOf(await job(one.jobId))?.code, 'forge_unavailable')
    forge.fault = undefined
    await look()
    assert.deepEqual([(await read(one.jobId)).length, pollErrorOf(await job(one.jobId))], [1, null])
  })
})

suite('budget', () => {
  test('a quiet pull request costs nothing on GitHub', async (t) => {
    const { remarks, forge, host, open, look } = await lookedAt(t, postgres.db, 'github')
    const { number } = await open('docent/1')
    remarks.comment(number)
    remarks.review(number, {}, [{}])
    for (let count = 0; count < 3; count += 1) await look()
    const before = host.countRequests()
    const asked = forge.requests.length
    await look()
    assert.ok(forge.requests.length - asked >= 6, 'all lists were asked for')
    assert.equal(host.countRequests(), before)
    assert.deepEqual([...new Set(forge.requests.slice(asked).map(({ status }) => status))], [304])
  })

  test('an account that has used up its requests waits for the next hour', async (t) => {
    const { db, host, forge, remarks, open, look, read, job } = await lookedAt(t, postgres.db, 'github')
    const { jobId, number } = await open('docent/1')
    remarks.comment(number)
    const used = budget.quota
    await sql`insert into rate_limits (key, points, expire)
      values (${`${budget.name}:${host.account}`}, ${used}, ${Date.now() + 600_000})`.execute(db)
    const asked = forge.requests.length
    await look()
    assert.deepEqual([forge.requests.length, (await read(jobId)).length], [asked, 0])
    assert.equal(pollErrorOf(await job(jobId))?.code, 'forge_rate_limited')
    await sql`update rate_limits set expire = ${Date.now() - 1} where key = ${`${budget.name}:${host.account}`}`.execute(
      db,
    )
    await look(601)
    assert.equal((await read(jobId)).length, 1)
    const row = await sql<{ points: number }>`select points from rate_limits
      where key = ${`${budget.name}:${host.account}`}`.execute(db)
    assert.equal(row.rows[0]?.points, host.countRequests() - 1, 'all but the one that opened the pull request')
  })

  test('looks are stretched to the requests of an hour, and a delivery does not wait', async (t) => {
    const { db, host, projectId, remarks, open, look, read, job } = await lookedAt(t, postgres.db, 'gitlab', {
      readsPerHour: 60,
    })
    const { jobId, number } = await open('docent/1')
    const before = host.countRequests()
    await look()
    const cost = host.countRequests() - before
    const untilDue = async () => ((await job(jobId)).pull_check_after?.getTime() ?? 0) - Date.now()
    assert.ok(cost >= 3 && cost < 20, String(cost))
    // One request a minute.
    const wait = await untilDue()
    assert.ok(wait > (cost - 1) * 60_000 && wait <= cost * 60_000, `${cost} requests, and the next look in ${wait} ms`)
    remarks.comment(number)
    await look()
    assert.equal((await read(jobId)).length, 0)
    await hastenPolls(db, [projectId])
    await look(0)
    assert.equal((await read(jobId)).length, 1)
  })

  test('Bitbucket allows fewer requests, and a look there costs four', async (t) => {
    const { db, host, remarks, open, look, read, job } = await lookedAt(t, postgres.db, 'bitbucket')
    const { jobId, number } = await open('docent/1')
    await look()
    const before = host.countRequests()
    await look()
    assert.equal(host.countRequests() - before, 4)
    await sql`update rate_limits set points = ${bitbucketQuota}, expire = ${Date.now() + 600_000}
      where key = ${`${budget.name}:${host.account}`}`.execute(db)
    remarks.comment(number)
    await look()
    assert.deepEqual([await read(jobId), pollErrorOf(await job(jobId))?.code], [[], 'forge_rate_limited'])
  })

  test('the newest 5,000 entries of a pull request are kept', async (t) => {
    const { remarks, forge, open, look, read } = await lookedAt(t, postgres.db, 'github')
    const { jobId, number } = await open('docent/1')
    await look()
    for (let count = 0; count < 5_100; count += 1) {
      forge.advance(1_000)
      remarks.comment(number, { login: 'stranger-7', text: `${count}` })
    }
    for (let count = 0; count < 22; count += 1) await look()
    const found = await read(jobId)
    assert.deepEqual([found.length, found[0]?.text, found.at(-1)?.text], [5_000, '100', '5099'])
    assert.equal(remarks.asked.length, 1)
  })
})
