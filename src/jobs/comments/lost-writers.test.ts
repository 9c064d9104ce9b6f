import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { called } from '../../../test/support/called.ts'
import { claimNext, toLeased } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { Postgres } from '../../postgres/types.ts'
import { sendMessage } from '../message.ts'
import { writeAsRun } from '../queue/lease.ts'
import { refuseLostWriters } from './lost-writers.ts'
import { takeMessages } from '../run/turns.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const open = 'docent/1'

suite('a right that is lost before the run', () => {
  const begin = async (world: Awaited<ReturnType<typeof called>>) => {
    const run = await claimNext(postgres.db)
    assert.ok(run)
    const leased = toLeased(postgres.db, run)
    const job = await world.job(run.job_id)
    const deps = { db: postgres.db, hostOf: () => Promise.resolve(world.host) }
    const refused = await refuseLostWriters({ ...leased, job, deps }).catch((error: unknown) => error)
    const taken = await writeAsRun(leased, (trx, run) => takeMessages(trx, run))
    return { refused, prompts: taken.filter(({ providerOptions }) => !providerOptions).map(({ content }) => content) }
  }

  test('the run does nothing, and the comment says why', async (t) => {
    const world = await called(t, postgres.db, 'github')
    const { number } = await world.open(open)
    world.remarks.comment(number, { text: '/docent Delete everything.' })
    await world.look()
    world.remarks.writers.clear()
    const { refused, prompts } = await begin(world)
    assert.ok(refused instanceof Failure)
    assert.deepEqual([refused.code, prompts], ['writer_required', []])
    await world.handle()
    assert.deepEqual(world.answers(number), ['Not done. ada may not push to the repository any more.'])
  })

  test('other messages are carried out', async (t) => {
    const world = await called(t, postgres.db, 'github')
    const { jobId, number } = await world.open(open)
    world.remarks.comment(number, { text: '/docent Delete everything.' })
    await world.look()
    const context = { db: postgres.db, clock: systemClock, modelId: 'test/model', publicUrl: '' }
    await sendMessage(context, { projectId: world.projectId, jobId, prompt: 'Say less.' }, undefined)
    world.remarks.writers.clear()
    assert.deepEqual(await begin(world), { refused: undefined, prompts: ['Say less.'] })
    await world.handle()
    assert.match(world.answers(number).join(), /^Not done/)
    // Later runs see the messages of earlier ones.
    const left = { prompt: '(Left out: its author may not push any more.)', data: null }
    assert.deepEqual(await world.messages(jobId), [left, { prompt: 'Say less.', data: null }])
    const [mention] = await world.mentions()
    assert.deepEqual([mention?.state, mention?.text], ['refused', '/docent Delete everything.'])
  })

  test('a right that is still there changes nothing', async (t) => {
    const world = await called(t, postgres.db, 'github')
    const { number } = await world.open(open)
    world.remarks.comment(number, { text: '/docent Say less.' })
    await world.look()
    assert.deepEqual(await begin(world), { refused: undefined, prompts: ['Say less.'] })
  })
})
