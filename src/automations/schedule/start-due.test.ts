// Runs that schedules start: each slot once, also for two processes, after downtime, and around a doubted clock.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { addProject, claimNext, completeRun, toLeased } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createManualClock, type ManualClock } from '../../../test/support/manual-clock.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { AutomationRunRow } from '../../postgres/schema/automations.ts'
import type { Db, Postgres } from '../../postgres/types.ts'
import { operator } from '../../projects/keys.ts'
import { generateKey, parseKeys } from '../../secrets/keys.ts'
import { createSecrets } from '../../secrets/secrets.ts'
import type { NewAutomation } from '../automation.ts'
import { createAutomation, deleteAutomation, readAutomation, updateAutomation } from '../automations.ts'
import { keepStartingDue, lookingMs, type ScheduleOptions, startDue } from './start-due.ts'
import { spreadOf } from './schedule.ts'

const hour = 3_600_000
const day = 24 * hour
let postgres: Postgres
let db: Db
let projectId: string
let clock: ManualClock

before(async () => {
  postgres = await openTestDatabase()
  db = postgres.db
})
after(() => postgres.close())
beforeEach(async () => {
  await db.deleteFrom('projects').execute()
  projectId = await addProject(db)
  // Longer after each hour than any spread.
  clock = createManualClock(new Date('2026-11-20T09:05:00Z'))
})

const ring = parseKeys(generateKey())
const secrets = createSecrets(() => ring)
const context = () => ({ db, clock, secrets, modelId: 'docent/rules', publicUrl: 'http://x' })
const logged: string[] = []
const note = ((_: object, words: string) => void logged.push(words)) as unknown as Log['info']
const log = { error: note, info: note, warn: note }

function options(changes: Partial<ScheduleOptions> = {}): ScheduleOptions {
  const { signal } = new AbortController()
  return { ...context(), upkeepTime: async () => clock.now(), log, signal, ...changes }
}

async function create(given: Partial<NewAutomation> = {}, cron = '0 3 * * *') {
  const trigger = { type: 'schedule', cron, timeZone: null } as const
  const { row } = await createAutomation(context(), operator, projectId, {
    name: `a${Math.random()}`,
    trigger,
    instructions: 'Fix broken links',
    ...given,
  })
  return row.id
}

const runsOf = (id: string): Promise<AutomationRunRow[]> =>
  db.selectFrom('automation_runs').selectAll().where('automation_id', '=', id).orderBy('ordinal').execute()
const jobs = () => db.selectFrom('jobs').selectAll().orderBy('ordinal').execute()
const read = (id: string) => readAutomation(db, projectId, id)

async function endJobs() {
  for (let run = await claimNext(db); run; run = await claimNext(db)) await completeRun(toLeased(db, run))
}

test('a slot starts one job, after its spread, and the next slot is planned', async () => {
  const id = await create({
    scope: ['docs/'],
    budgets: { turns: 7 },
    update: 'draft',
    sources: [],
    model: 'docent/rules',
  })
  const due = new Date(Date.parse('2026-11-21T03:00:00Z') + spreadOf(id))
  assert.deepEqual((await read(id)).next_run_at, due)
  await clock.pass(due.getTime() - 1 - clock.now().getTime())
  assert.equal(await startDue(options()), false)
  assert.deepEqual(await runsOf(id), [])
  await clock.pass(1)
  await startDue(options())
  await startDue(options())
  const [run, ...others] = await runsOf(id)
  assert.deepEqual([others, run?.trigger, run?.slot], [[], 'schedule', new Date('2026-11-21T03:00:00Z')])
  const [job] = await jobs()
  assert.equal(job?.id, run?.job_id)
  assert.deepEqual(JSON.parse(job?.origin ?? ''), {
    kind: 'automation',
    name: (await read(id)).name,
    link: null,
    automationId: id,
    runId: run?.id,
  })
  assert.deepEqual(
    [job?.budget, job?.scope, job?.draft, job?.context, job?.chosen_model, job?.status],
    ['{"turns":7}', '["docs/"]', true, '[]', 'docent/rules', 'active'],
  )
  const message = await db
    .selectFrom('messages')
    .selectAll()
    .where('job_id', '=', job?.id ?? '')
    .executeTakeFirst()
  assert.equal(message?.prompt, '"Fix broken links"')
  assert.deepEqual((await read(id)).next_slot, new Date('2026-11-22T03:00:00Z'))
})

test('two processes that find the same slot start one job', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => create()))
  await clock.pass(day)
  await Promise.all([startDue(options()), startDue(options()), startDue(options())])
  for (const id of ids) assert.equal((await runsOf(id)).length, 1)
  assert.equal((await jobs()).length, 10)
  assert.deepEqual(logged.splice(0), [])
})

test('a month of downtime is one run, and the next slot is in the future', async () => {
  const hourly = await create({}, '0 * * * *')
  const daily = await create()
  await clock.pass(31 * day)
  await startDue(options())
  assert.deepEqual(
    (await runsOf(hourly)).map(({ slot }) => slot?.toISOString()),
    ['2026-11-20T10:00:00.000Z'],
  )
  assert.equal((await runsOf(daily)).length, 1)
  assert.deepEqual((await read(hourly)).next_slot, new Date('2026-12-21T10:00:00Z'))
  assert.deepEqual((await read(daily)).next_slot, new Date('2026-12-22T03:00:00Z'))
})

test('a change of daylight saving moves the slots, and skips and repeats no day', async () => {
  clock = createManualClock(new Date('2026-03-27T12:00:00Z'))
  await db.updateTable('projects').set({ time_zone: 'Europe/Berlin' }).execute()
  const id = await create({}, '30 2 * * *')
  for (let at = 0; at < 4 * 24 * 4; at += 1) {
    await clock.pass(15 * 60_000)
    await startDue(options())
    await endJobs()
  }
  assert.deepEqual(
    (await runsOf(id)).map(({ slot }) => slot?.toISOString()),
    ['2026-03-28T01:30:00.000Z', '2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z', '2026-03-31T00:30:00.000Z'],
  )
})

test('nothing scheduled starts while the clock is doubted, and it is said once', async () => {
  const id = await create()
  await clock.pass(40 * day)
  const upkeepTime = { value: undefined as Date | undefined }
  const stopping = new AbortController()
  const kept = keepStartingDue(options({ upkeepTime: async () => upkeepTime.value, signal: stopping.signal }))
  for (let at = 0; at < 3; at += 1) {
    await clock.untilAsleep(1)
    await clock.pass(lookingMs)
  }
  await clock.untilAsleep(1)
  assert.deepEqual(await runsOf(id), [])
  assert.deepEqual(logged.splice(0), ['scheduled automations wait until the clock is trusted'])
  upkeepTime.value = clock.now()
  await clock.pass(lookingMs)
  await clock.untilAsleep(1)
  assert.equal((await runsOf(id)).length, 1)
  assert.deepEqual(logged.splice(0), ['scheduled automations start again'])
  stopping.abort()
  await kept
})

test('a slot that a wrong clock has started is not started again', async () => {
  const id = await create()
  await clock.pass(day)
  await startDue(options())
  await endJobs()
  clock = createManualClock(new Date('2026-11-20T09:00:00Z'))
  await updateAutomation(context(), operator, { projectId, id }, { enabled: false })
  await updateAutomation(context(), operator, { projectId, id }, { enabled: true })
  assert.deepEqual((await read(id)).next_slot, new Date('2026-11-21T03:00:00Z'))
  await clock.pass(day)
  await startDue(options())
  assert.equal((await runsOf(id)).length, 1)
  assert.deepEqual((await read(id)).next_slot, new Date('2026-11-22T03:00:00Z'))
  assert.deepEqual(logged.splice(0), [])
})

test('a cap of the automation or of the project stops runs until the day is over', async () => {
  await db.updateTable('projects').set({ time_zone: 'America/New_York', automation_caps: '{"runsPerDay":3}' }).execute()
  const id = await create({ caps: { runsPerDay: 2 } }, '0 * * * *')
  const other = await create({}, '30 * * * *')
  const counted = async (automationId: string) =>
    (await runsOf(automationId)).map(({ ended_as: end, reason }) => (end === null ? 'job' : reason))
  // From 05:05 to 08:05 in New York.
  for (let at = 0; at < 4; at += 1) {
    await clock.pass(hour)
    await startDue(options())
    await endJobs()
  }
  const [own, all] = [
    'The automation may start 2 runs a day.',
    'The automations of the project together may start 3 runs a day.',
  ]
  const shown = [await counted(id), await counted(other)].flat()
  assert.equal(shown.filter((one) => one === 'job').length, 3)
  assert.ok(shown.every((one) => one === 'job' || one === own || one === all))
  assert.ok(shown.includes(all))
  // A deleted automation gives the project nothing back.
  await deleteAutomation(db, projectId, other)
  await clock.pass(hour)
  await startDue(options())
  assert.ok([own, all].includes((await runsOf(id)).at(-1)?.reason ?? ''))
  // 05:00 UTC is midnight in New York.
  await clock.pass(14 * hour)
  await startDue(options())
  assert.equal((await runsOf(id)).at(-1)?.ended_as, 'capped')
  await clock.pass(hour)
  await startDue(options())
  assert.equal((await runsOf(id)).at(-1)?.ended_as, null)
})

test('a cap in money counts the cost of the day, and an unknown cost reaches it', async () => {
  const id = await create({ caps: { costUsdPerDay: 1.5 } }, '0 * * * *')
  const spend = async (cost: number | null) => {
    await clock.pass(hour)
    await startDue(options())
    await endJobs()
    const { job_id: jobId, reason } = (await runsOf(id)).at(-1) ?? {}
    if (jobId) await db.updateTable('runs').set({ cost_usd: cost }).where('job_id', '=', jobId).execute()
    return reason
  }
  assert.equal(await spend(1.4999), null)
  assert.equal(await spend(0.0001), null)
  assert.equal(await spend(0), 'The automation may cost 1.5 US dollars a day.')
  await db.updateTable('runs').set({ cost_usd: 0 }).execute()
  assert.equal(await spend(null), null)
  assert.equal(
    await spend(0),
    'The automation may cost 1.5 US dollars a day, and the cost of 1 run of today is not known.',
  )
})

test('a run whose model or source is gone fails with the reason, once for each slot', async () => {
  const id = await create()
  await db.updateTable('automations').set({ model: 'gone/model', sources: '["api"]' }).execute()
  await clock.pass(day)
  await startDue(options())
  const [run] = await runsOf(id)
  assert.equal(run?.ended_as, 'failed')
  assert.match(run?.reason ?? '', /`model` must be a model that the project allows: docent\/rules/)
  await db.updateTable('automations').set({ model: null }).execute()
  await clock.pass(day)
  await startDue(options())
  assert.match((await runsOf(id)).at(-1)?.reason ?? '', /must be a source of the project, which has no source/)
  assert.deepEqual([await jobs(), logged.splice(0)], [[], []])
})

test('another zone of the project moves the slots of schedules without their own zone', async () => {
  const id = await create()
  const own = await create({ trigger: { type: 'schedule', cron: '0 3 * * *', timeZone: 'Asia/Tokyo' } })
  await db.updateTable('projects').set({ time_zone: 'America/New_York' }).execute()
  await startDue(options())
  assert.deepEqual((await read(id)).next_slot, new Date('2026-11-21T08:00:00Z'))
  assert.deepEqual((await read(own)).next_slot, new Date('2026-11-20T18:00:00Z'))
  assert.deepEqual(await runsOf(id), [])
})

test('nothing starts that is paused, ended, or started by people', async () => {
  const paused = await create()
  const ended = await create({ endsAt: new Date('2026-11-21T03:00:00Z') })
  const last = await create({ endsAt: new Date('2026-11-21T03:00:01Z') })
  const person = await create({ trigger: { type: 'person' } })
  await updateAutomation(context(), operator, { projectId, id: paused }, { enabled: false })
  for (const id of [paused, ended, person]) assert.equal((await read(id)).next_run_at, null)
  await clock.pass(3 * day)
  await startDue(options())
  for (const id of [paused, ended, person]) assert.deepEqual(await runsOf(id), [])
  assert.equal((await runsOf(last)).length, 1)
  await updateAutomation(context(), operator, { projectId, id: paused }, { enabled: true })
  assert.deepEqual((await read(paused)).next_slot, new Date('2026-11-24T03:00:00Z'))
})

/** Until the returned function is called, the statement of this table fails for the automation. */
async function breakWrites(event: string, column: string, id: string): Promise<() => Promise<void>> {
  const table = event === 'insert' ? 'automation_runs' : 'automations'
  await sql
    .raw(`create function refuse() returns trigger as 'begin raise exception ''broken''; end' language plpgsql`)
    .execute(db)
  await sql
    .raw(
      `create trigger refuse before ${event} on ${table} for each row when (new.${column} = '${id}') execute function refuse()`,
    )
    .execute(db)
  return async () => void (await sql.raw('drop function refuse cascade').execute(db))
}

for (const [event, column] of [
  ['insert', 'automation_id'],
  ['update', 'id'],
] as const) {
  test(`a failure at the ${event} after the job leaves the slot due, without a job`, async () => {
    const [broken, whole] = [await create(), await create()]
    await clock.pass(day)
    const mend = await breakWrites(event, column, broken)
    await startDue(options())
    assert.deepEqual(logged.splice(0), ['an automation could not be started'])
    assert.deepEqual([(await runsOf(broken)).length, (await runsOf(whole)).length, (await jobs()).length], [0, 1, 1])
    await mend()
    await startDue(options())
    assert.deepEqual([(await runsOf(broken)).length, (await jobs()).length], [1, 2])
  })
}
