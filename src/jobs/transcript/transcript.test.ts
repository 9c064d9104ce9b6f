import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addJob, addProject, claimNext, completeJob, letTimePass } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { toResponse } from '../../../test/support/scripted-loop.ts'
import type { StoredResult } from '../../agent/transcript.ts'
import { newRunNotice } from '../../agent/notices/notices.ts'
import { systemClock } from '../../lib/clock.ts'
import { createProcessRedactor } from '../../lib/outbound/redactor.ts'
import { createLog } from '../../lib/observability/log.ts'
import type { Db, Postgres } from '../../postgres/types.ts'
import { sendMessage } from '../message.ts'
import { sweep } from '../upkeep/sweep.ts'
import { pageBytes, pageTranscript } from './read.ts'

let postgres: Postgres
let db: Db
let projectId: string
const redactor = createProcessRedactor()

before(async () => {
  postgres = await openTestDatabase()
  db = postgres.db
  projectId = await addProject(db)
})
after(() => postgres.close())

async function runOf(jobId: string, number = 1): Promise<string> {
  const run = await db
    .selectFrom('runs')
    .select('id')
    .where('job_id', '=', jobId)
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  return run.id
}

/** A turn with one call. `text`: of its result. */
async function addTurn(runId: string, number: number, text: string, input: object = { path: 'a.md' }): Promise<void> {
  const response = toResponse([{ name: 'read_file', input }], number)
  const result: StoredResult = { callId: `c${number}_0`, tool: 'read_file', text, isError: false, facts: { next: 4 } }
  const message = number === 1 ? [newRunNotice(0), { role: 'user', content: 'do it' }] : []
  const row = { run_id: runId, number, input: JSON.stringify(message), created_at: new Date(0) }
  await db
    .insertInto('turns')
    .values({ ...row, answer: JSON.stringify(response), results: JSON.stringify([result]) })
    .execute()
}

const read = (jobId: string, limit = 200, cursor?: string) =>
  pageTranscript({ db, redactor }, { projectId, jobId, limit, cursor })

test('a page has at most its limit of turns and a megabyte, but always one turn', async () => {
  const jobId = await addJob(db, projectId)
  const runId = await runOf(jobId)
  const sizes = [1_000, 1_000, pageBytes + 1, 400_000, 400_000, 400_000]
  for (const [index, size] of sizes.entries()) await addTurn(runId, index + 1, 'x'.repeat(size))
  const pages: number[][] = []
  for (let cursor: string | undefined, more = true; more;) {
    const page = await read(jobId, 3, cursor)
    pages.push(page.turns.map(({ number }) => number))
    cursor = page.nextCursor ?? undefined
    more = page.nextCursor !== null
    assert.deepEqual(
      page.runs.map(({ number }) => number),
      [1],
    )
  }
  assert.deepEqual(pages, [[1, 2], [3], [4, 5], [6]])
  const only = async (turn: number) =>
    (await pageTranscript({ db, redactor }, { projectId, jobId, limit: 3, runId, turn })).turns.map(
      ({ number }) => number,
    )
  assert.deepEqual([await only(4), await only(7)], [[4], []])
  await assert.rejects(
    pageTranscript({ db, redactor }, { projectId, jobId, limit: 3, turn: 4 }),
    /`turn` needs `runId`/,
  )
  await assert.rejects(read(jobId, 3, 'e3'), { code: 'invalid_input' })
  await assert.rejects(read('job_00000000000000000000'), { code: 'not_found' })
})

test('a turn is whole, with its notices, its edits as digests, and without secrets', async () => {
  const jobId = await addJob(db, projectId)
  const runId = await runOf(jobId)
  const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40)
  await addTurn(runId, 1, 'plain')
  await addTurn(runId, 2, 'plain', { path: 'a.md', [`x ${token}`]: token })
  const content = new TextEncoder().encode('new\n')
  const edits = [
    { run_id: runId, turn: 0, path: 'carried.md', content: null, mode: '100644' as const },
    { run_id: runId, turn: 2, path: 'a.md', content, mode: '100755' as const },
  ]
  await db.insertInto('edits').values(edits).execute()
  const { runs, turns } = await read(jobId)
  assert.deepEqual(runs[0]?.carried, [{ path: 'carried.md', mode: '100644', sha256: null }])
  assert.deepEqual(
    turns.map(({ isRedacted }) => isRedacted),
    [false, true],
  )
  assert.ok(!JSON.stringify(turns).includes(token))
  assert.deepEqual(turns[0]?.input.at(-1), { notice: null, text: 'do it' })
  assert.equal(turns[0].input[0]?.notice, 'new_run')
  assert.deepEqual(turns[0].response?.calls, [{ id: 'c1_0', name: 'read_file', input: { path: 'a.md' } }])
  assert.deepEqual(turns[0].results, [
    { callId: 'c1_0', tool: 'read_file', text: 'plain', isError: false, facts: { next: 4 } },
  ])
  // By `printf 'new\n' | sha256sum`.
  const sha256 = '7aa7a5359173d05b63cfd682e3c38487f3cb4f7f1d60659fe59fab1505977d4c'
  assert.deepEqual(turns[1]?.edits, [{ path: 'a.md', mode: '100755', sha256 }])
})

const sweepAt = (now: Date | undefined) =>
  sweep({ db, log: createLog('silent'), archiveAfterDays: 9_999, upkeepTime: () => Promise.resolve(now) })

test('transcripts older than the project keeps are erased, and only those', async () => {
  await db.deleteFrom('jobs').execute()
  const jobId = await addJob(db, projectId)
  const runId = await runOf(jobId)
  await addTurn(runId, 1, 'plain')
  const data = async () => (await db.selectFrom('messages').select('data').executeTakeFirst())?.data
  await db.updateTable('messages').set({ data: '{}' }).execute()
  const keep = (keepDays: number | null) =>
    db
      .updateTable('projects')
      .set({ transcripts: JSON.stringify({ keepDays }) })
      .execute()
  const leftAt = async (now: Date | undefined) => {
    await sweepAt(now)
    return (await read(jobId)).turns.length
  }
  await keep(30)
  await letTimePass(db, 31 * 86_400)
  assert.equal(await leftAt(new Date()), 1, 'the job is active')
  await completeJob(db, jobId)
  await letTimePass(db, 30 * 86_400 - 60)
  assert.equal(await leftAt(new Date()), 1, 'a minute is left')
  await letTimePass(db, 120)
  assert.equal(await leftAt(undefined), 1, 'the clock is doubted')
  await keep(null)
  assert.equal(await leftAt(new Date()), 1, 'the project keeps all')
  await keep(30)
  const now = new Date()
  assert.equal(await data(), '{}')
  assert.equal(await leftAt(now), 0)
  assert.equal(await data(), null)
  assert.equal((await read(jobId)).erasedAt, now.toISOString())
  const jobs = { db, clock: systemClock, modelId: 'test/model', publicUrl: 'http://x' }
  const { value } = await sendMessage(jobs, { projectId, jobId, prompt: 'go on' }, undefined)
  assert.equal(value.job.status, 'active')
  assert.equal((await claimNext(db))?.number, 2)
  await addTurn(await runOf(jobId, 2), 1, 'later')
  assert.equal(await leftAt(new Date()), 1, 'the follow-up is active')
})
