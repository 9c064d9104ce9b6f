import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addProject, claimNext, completeRun, toLeased } from '../../../../test/support/database.ts'
import { openTestDatabase } from '../../../../test/support/engine.ts'
import { systemClock } from '../../../lib/clock.ts'
import { Failure } from '../../../lib/failure.ts'
import type { Postgres } from '../../../postgres/types.ts'
import { assignContributions, type Contribution, loadWaiting } from '../../appends/contribution.ts'
import { createJob } from '../../create.ts'
import { sendMessage } from '../../message.ts'
import { type LeasedRun, writeAsRun } from '../../queue/lease.ts'
import { settle } from '../../queue/settle.ts'
import type { SentMessage } from '../../store.ts'
import { settleJob } from '../ends/settle-job.ts'
import { readForRun } from '../readings/readings.ts'
import { takeMessages } from '../turns.ts'
import { eventNotices } from './event-data.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const context = () => ({ db: postgres.db, clock: systemClock, modelId: 'test/model', publicUrl: '' })

/** A job whose first message has this, and its runs one after another. */
async function start(contribution?: Contribution) {
  const { db } = postgres
  const projectId = await addProject(db)
  const given = (commit: string): SentMessage => ({
    prompt: 'Follow the product.',
    data: { payload: { commit }, leftOut: 0 },
    reads: ['read_pages'],
    contribution,
  })
  const { value } = await createJob(context(), { projectId, ...given('first') }, undefined)
  const jobId = value.job.id
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
  const project = await db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirstOrThrow()
  const say = (message: SentMessage) => sendMessage(context(), { projectId, jobId, ...message }, undefined)
  /** The messages of the first turn of the next run. */
  const begin = async () => {
    const run = (await claimNext(db)) ?? assert.fail('a run waits')
    const leased = toLeased(db, run)
    await assignContributions(db as never, run.id, await loadWaiting(db, jobId))
    const pageViews = { readPages: async () => [{ path: '/read', visitors: 9 }], brokenPages: async () => [] }
    const deps = { db, clock: systemClock, pageViews, redactor: { hide: (text: string) => text } }
    const asked = { ...leased, job, project, deps } as never
    const { notices } = await readForRun(asked, {} as never)
    const all = [...(await eventNotices(asked)), ...notices].map((notice) => JSON.stringify(notice.content))
    await writeAsRun(leased, (trx, current) => takeMessages(trx, current))
    const shown = ['first', 'second', '/read'].filter((word) => all.some((one) => one.includes(word)))
    return { leased, shown }
  }
  return { say, begin, given }
}

const fail = (leased: LeasedRun) => settle(leased, new Failure('model_refused', 'The model is away.'), settleJob)
const ask = { finish: { kind: 'question', question: 'Which one?' }, change: null } as const
const contribution: Contribution = { runId: 'aru_1', by: 'commits', ranges: [], because: null }

for (const [kind, of] of [
  ['a shared pull request', contribution],
  ['a pull request of its own', undefined],
] as const) {
  test(`a run that people continue keeps what it was given, for ${kind}`, async () => {
    const { say, begin } = await start(of)
    const first = await begin()
    assert.deepEqual(first.shown, ['first', '/read'])
    await fail(first.leased)
    await say({ prompt: 'Try again.' })
    const second = await begin()
    assert.deepEqual(second.shown, ['first', '/read'])
    await completeRun(second.leased, ask)
    await say({ prompt: 'The first one.' })
    const third = await begin()
    assert.deepEqual(third.shown, ['first', '/read'])
    await completeRun(third.leased)
    // That work is done.
    await say({ prompt: 'Say less.' })
    assert.deepEqual((await begin()).shown, of ? [] : ['first'])
  })
}

test('the next contribution has only what it brings', async () => {
  const { say, begin, given } = await start(contribution)
  await fail((await begin()).leased)
  await say(given('second'))
  const second = await begin()
  assert.deepEqual(second.shown, ['second', '/read'])
  await fail(second.leased)
  await say({ prompt: 'Try again.' })
  assert.deepEqual((await begin()).shown, ['second', '/read'])
})
