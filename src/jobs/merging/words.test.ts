// Words of people and of outsiders for which a merge waits.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { mergingWorld } from '../../../test/support/merging-world.ts'
import { createId } from '../../lib/id.ts'
import type { Postgres } from '../../postgres/types.ts'
import type { ReadingName } from '../options/readings.ts'
import { addPagesRead } from '../pages-read.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const github = (t: Parameters<typeof mergingWorld>[0]) => mergingWorld(t, postgres.db, 'github')

suite('on GitHub', () => {
  test('a comment that calls Docent makes it wait until it is decided about', async (t) => {
    const { db, forge, remarks, open, look, asked } = await github(t)
    const { jobId, number, head } = await open()
    remarks.verdict('status', head)
    remarks.comment(number, { text: '/docent This is wrong.' })
    assert.equal(await look(jobId), 'comment_waits')
    assert.equal(await look(jobId, 43_200), 'comment_waits')
    assert.deepEqual([asked(), forge.pull(number).state], [[], 'open'])
    // A stranger wrote it.
    await db.updateTable('mentions').set({ state: 'ignored' }).where('job_id', '=', jobId).execute()
    assert.equal(await look(jobId), 'asked')
  })

  const lists = ['GET /repos/:owner/:repo/issues/comments', 'GET /repos/:owner/:repo/pulls/:pull_number/reviews']
  for (const list of lists) {
    test(`nothing is merged in a look that could not read ${list}`, async (t) => {
      const { forge, remarks, open, look, asked, job } = await github(t)
      const { jobId, number, head } = await open()
      remarks.verdict('status', head)
      remarks.comment(number, { text: '/docent This is wrong.' })
      forge.fault = ({ route }) => (route === list ? { kind: 'answer', status: 500, body: '' } : undefined)
      await look(jobId)
      assert.equal((await job(jobId)).pull_check_error?.includes('forge_unavailable'), true)
      assert.deepEqual([asked(), forge.pull(number).state], [[], 'open'])
      forge.fault = undefined
      assert.equal(await look(jobId, 180), 'comment_waits')
    })
  }

  test('data of an event, and a page that the agent read, are words of outsiders', async (t) => {
    const { db, open, look } = await github(t)
    const { jobId } = await open()
    const ofJob = db.updateTable('messages').where('job_id', '=', jobId)
    await ofJob.set({ data: '{"payload":1,"leftOut":0}' }).execute()
    assert.equal(await look(jobId), 'outsiders_read')
    // The commits that a run was given, also one that a person started, were made by people who may push.
    const message = await db.selectFrom('messages').select('id').where('job_id', '=', jobId).executeTakeFirstOrThrow()
    const ofRun = db.updateTable('automation_runs').where('job_id', '=', jobId)
    await ofRun.set({ message_id: message.id }).execute()
    assert.equal(await look(jobId), 'outsiders_read')
    await ofRun.set({ ranges: '[{"repository":"api","from":null,"to":"b"}]' }).execute()
    assert.equal(await look(jobId), 'check_pending')
    const pages = addPagesRead(null, 1, [{ address: 'https://a.example/', status: 200, bytes: 1 }])
    await db.updateTable('jobs').set({ pages_read: pages }).where('id', '=', jobId).execute()
    assert.equal(await look(jobId), 'outsiders_read')
  })

  test('a source to which outsiders commit makes it wait, also if that is set later', async (t) => {
    const { db, remarks, open, look, asked, merging, job } = await github(t)
    const { jobId, head } = await open()
    remarks.verdict('status', head)
    const { project_id: projectId } = await job(jobId)
    const at = new Date()
    const source = { id: createId('src'), project_id: projectId, name: 'mirror', repository: 'https://a.example/b.git' }
    await db
      .insertInto('sources')
      .values({ ...source, outsiders_commit: true, created_at: at, updated_at: at })
      .execute()
    const read = async (commit: string | null) => {
      const sources = JSON.stringify([{ ...source, branch: null, paths: [], commit }])
      await db.updateTable('runs').set({ sources }).where('job_id', '=', jobId).execute()
    }
    await read('a'.repeat(40))
    assert.equal(await look(jobId), 'outsiders_read')
    assert.match(
      (await merging(jobId))?.obstacles[0]?.message ?? '',
      /^The agent has read the source @mirror, which out/,
    )
    assert.deepEqual(asked(), [])
    // It could not be read.
    await read(null)
    assert.equal(await look(jobId), 'asked')
  })

  test('logs of failed checks are words of outsiders', async (t) => {
    const { db, remarks, open, look, merging } = await github(t)
    const { jobId, head } = await open()
    remarks.verdict('status', head)
    const data = '{"payload":{"failedChecks":[]},"leftOut":0,"about":"checks"}'
    await db.updateTable('messages').set({ data }).where('job_id', '=', jobId).execute()
    assert.equal(await look(jobId), 'outsiders_read')
    assert.match((await merging(jobId))?.obstacles[0]?.message ?? '', /has read logs of failed checks, which outsiders/)
  })

  test('data that were erased with the transcript stay words of outsiders', async (t) => {
    const { db, remarks, open, look, asked, merging } = await github(t)
    const { jobId, head } = await open()
    remarks.verdict('status', head)
    const ofRun = db.updateTable('automation_runs').where('job_id', '=', jobId)
    const message = await db.selectFrom('messages').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow()
    const erase = (at: number) =>
      db
        .updateTable('jobs')
        .set({ transcript_erased_at: new Date(at) })
        .where('id', '=', jobId)
        .execute()
    const sentAt = message.created_at.getTime()
    await erase(sentAt + 1)
    assert.equal(await look(jobId), 'outsiders_read', 'nobody knows whether the message had data')
    assert.match((await merging(jobId))?.obstacles[0]?.message ?? '', /a message whose data were erased/)
    await ofRun.set({ message_id: message.id, data: '[{"payload":1,"leftOut":0}]' }).execute()
    assert.equal(await look(jobId), 'outsiders_read')
    assert.deepEqual(asked(), [])
    await ofRun.set({ data: null }).execute()
    assert.equal(await look(jobId), 'asked')
  })

  test('page views that a run read before the automation merges are words of outsiders', async (t) => {
    const { db, remarks, open, look, asked, merging } = await github(t)
    const { jobId, head } = await open({ automation: { update_mode: 'pull_request' } })
    remarks.verdict('status', head)
    const reads = (names: readonly ReadingName[]) =>
      db
        .updateTable('messages')
        .set({ reads: JSON.stringify(names) })
        .where('job_id', '=', jobId)
        .execute()
    await reads(['outdated_translations', 'broken_pages'])
    assert.equal(await look(jobId), 'nobody')
    await db.updateTable('automations').set({ update_mode: 'merge' }).execute()
    assert.equal(await look(jobId), 'outsiders_read')
    assert.match((await merging(jobId))?.obstacles[0]?.message ?? '', /has read addresses of page views/)
    assert.deepEqual(asked(), [])
    await reads(['outdated_translations'])
    assert.equal(await look(jobId), 'asked')
  })
})
