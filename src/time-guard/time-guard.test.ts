// The guard over a real database and a machine whose clock, running and restarts the test decides; with the real sweeps
// of salts and of jobs.

import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { createSalts } from '../analytics/collect/salts.ts'
import { windowOf } from '../analytics/collect/window.ts'
import { createSaltSweep } from '../analytics/upkeep/sweep.ts'
import { sweep as sweepJobs } from '../jobs/upkeep/sweep.ts'
import type { Clock } from '../lib/clock.ts'
import { createLog, type Log } from '../lib/observability/log.ts'
import type { Postgres, ServerTime } from '../postgres/types.ts'
import { addProject, addRunningRun } from '../../test/support/database.ts'
import { openTestDatabase } from '../../test/support/engine.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { createTimeGuard, type TimeGuard } from './time-guard.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const silent = createLog('silent')

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
suite('the time guard', () => {
  beforeEach(() => postgres.db.deleteFrom('trusted_time').execute())
  after(() => postgres.close())

  /** One machine with one service: it sweeps every 30 minutes while it runs, and at every start. */
  function createMachine({ server, log = silent }: { server?: () => ServerTime; log?: Log } = {}) {
    const clock = createManualClock(new Date('2026-11-10T09:00:00Z'))
    const power = { monotonic: 0, upkeep: new Array<Date | undefined>() }
    const { db } = postgres
    const connection = { db, ...(server ? { readTime: async () => server() } : {}) }
    const resolve = async (host: string) => (host.endsWith('.example') ? ['93.184.215.14'] : ['127.0.0.1'])
    const boot = () => createTimeGuard({ postgres: connection, clock, log, monotonic: () => power.monotonic, resolve })
    const machine = { guard: boot(), restart: () => void (machine.guard = boot()) }
    const sweepSalts = createSaltSweep()
    const signal = new AbortController().signal
    const sweep = async () => {
      const upkeepTime = async () => {
        const time = await machine.guard.upkeepTime()
        power.upkeep.push(time)
        return time
      }
      await sweepSalts({ db, openStoreIfThere: async () => undefined, clock, upkeepTime, log, signal })
      await sweepJobs({ db, log, archiveAfterDays: 90, upkeepTime })
    }
    const run = async (ms: number, every = 30 * minute) => {
      for (let passed = 0; passed < ms; passed += every) {
        await clock.pass(every)
        power.monotonic += every
        await sweep()
      }
    }
    const off = async (ms: number) => {
      await clock.pass(ms)
      machine.restart()
      await sweep()
    }
    return {
      clock,
      sweep,
      run,
      off,
      guard: (): TimeGuard => machine.guard,
      /** Did every sweep since the last question act, or not one? */
      acted: () => {
        const acted = new Set(power.upkeep.splice(0).map((time) => time !== undefined))
        assert.equal(acted.size, 1, 'some sweeps acted and others did not')
        return acted.has(true)
      },
    }
  }

  /** A salt of the window `day`, which is due 48 hours after the end of that day. */
  async function addSalt(clock: Clock): Promise<{ there: () => Promise<boolean>; find: () => Promise<Buffer> }> {
    const { db } = postgres
    const projectId = await addProject(db)
    const window = windowOf('day', 'UTC', clock.now().getTime())
    const find = async () => {
      const salt = await createSalts({ db, clock }, () => undefined).find({ projectId, window, importId: undefined })
      return salt.key.export()
    }
    await find()
    const there = async () =>
      (await db.selectFrom('salts').select('window').where('project_id', '=', projectId).execute()).length === 1
    return { there, find }
  }

  /** A job that ended at `updatedAt`. */
  async function addEndedJob(updatedAt: Date): Promise<() => Promise<string>> {
    const { db } = postgres
    const { jobId, runId } = await addRunningRun(db, await addProject(db))
    await db
      .updateTable('runs')
      .set({ state: 'ended', owner: null, lease_until: null })
      .where('id', '=', runId)
      .execute()
    const ended = { status: 'completed', phase: null, updated_at: updatedAt } as const
    await db.updateTable('jobs').set(ended).where('id', '=', jobId).execute()
    return async () =>
      (await db.selectFrom('jobs').select('status').where('id', '=', jobId).executeTakeFirstOrThrow()).status
  }

  test('a wrong clock at one start archives no job and destroys no salt', async () => {
    const machine = createMachine()
    await machine.sweep()
    const salt = await addSalt(machine.clock)
    const status = await addEndedJob(machine.clock.now())
    const before = await salt.find()
    await machine.run(hour)
    assert.equal(machine.acted(), true)
    await machine.off(100 * day)
    await machine.run(hour)
    assert.equal(machine.acted(), false)
    assert.deepEqual([await status(), await salt.there()], ['completed', true])
    assert.notDeepEqual(await salt.find(), before, 'a salt that is due is no longer used')
    await machine.off(-100 * day)
    await machine.run(hour)
    assert.equal(machine.acted(), true)
    assert.deepEqual(await salt.find(), before, 'one visitor stays one')
  })

  test('off for three days, then on eight hours a day: salts die in the end', async () => {
    const machine = createMachine()
    await machine.sweep()
    const salt = await addSalt(machine.clock)
    await machine.run(hour)
    machine.acted()
    await machine.off(3 * day)
    for (const nth of [1, 2, 3]) {
      await machine.run(8 * hour - (nth === 3 ? 30 * minute : 0))
      assert.deepEqual([machine.acted(), await salt.there()], [false, true], `day ${nth}`)
      if (nth < 3) await machine.off(16 * hour)
    }
    await machine.run(30 * minute)
    assert.deepEqual([machine.acted(), await salt.there()], [true, false])
  })

  test('the clock moved under a running process is noticed by the next sweep', async () => {
    const machine = createMachine()
    await machine.run(hour)
    assert.equal(machine.acted(), true)
    await machine.clock.pass(100 * day)
    await machine.sweep()
    assert.deepEqual([machine.acted(), machine.guard().state().kind], [false, 'doubted'])
    await machine.clock.pass(-100 * day)
    await machine.sweep()
    assert.deepEqual([machine.acted(), machine.guard().state().kind], [true, 'trusted'])
  })

  test('a clock that was 40 days back at one start is trusted when it is right again', async () => {
    const machine = createMachine()
    await machine.run(hour)
    await machine.off(-40 * day)
    await machine.run(20 * hour)
    await machine.off(40 * day)
    await machine.run(hour)
    assert.deepEqual([machine.acted(), machine.guard().state().kind], [true, 'trusted'])
    await machine.off(100 * day)
    assert.equal(machine.acted(), false)
  })

  test('100 days ahead, and 50 days ahead a week later: guarded both times', async () => {
    const machine = createMachine()
    await machine.run(hour)
    for (const ahead of [100 * day, 50 * day]) {
      machine.acted()
      await machine.off(ahead)
      await machine.run(6 * hour)
      assert.equal(machine.acted(), false)
      await machine.off(-ahead)
      await machine.run(7 * day, 6 * hour)
    }
    assert.equal(machine.acted(), true)
  })

  test('without a witness, a doubted clock is accepted after 24 hours of running', async () => {
    const machine = createMachine()
    await machine.run(hour)
    machine.acted()
    await machine.off(100 * day)
    await machine.run(23.5 * hour)
    assert.equal(machine.acted(), false)
    await machine.run(30 * minute)
    assert.equal(machine.acted(), true)
  })

  test('a restart every hour loses none of the running', async () => {
    const machine = createMachine()
    await machine.run(hour)
    machine.acted()
    await machine.off(100 * day)
    for (let restarts = 0; restarts < 23; restarts += 1) {
      await machine.run(hour)
      await machine.off(0)
    }
    assert.equal(machine.acted(), false)
    await machine.run(hour - 30 * minute)
    assert.equal(machine.acted(), false)
    await machine.run(30 * minute)
    assert.equal(machine.acted(), true)
  })

  test('a day off raises doubt, eleven hours off do not; accepting ends the doubt', async () => {
    const machine = createMachine()
    await machine.run(hour)
    await machine.off(11 * hour)
    assert.equal(machine.acted(), true)
    await machine.off(day)
    assert.equal(machine.acted(), false)
    await machine.guard().accept()
    await machine.run(hour)
    assert.equal(machine.acted(), true)
  })

  test('only the Date of an https response from a public address ends the doubt', async () => {
    const machine = createMachine()
    await machine.run(hour)
    machine.acted()
    assert.equal(machine.guard().dateReport(), undefined)
    await machine.off(day)
    assert.equal(machine.guard().dateReport(), machine.guard().reportDate)
    const date = (ms = 0) => new Date(machine.clock.now().getTime() + ms).toUTCString()
    const report = async (url: string, when: string | null) => {
      machine.guard().reportDate({ url, date: when })
      await new Promise((resolve) => setImmediate(resolve))
      await machine.sweep()
    }
    await report('http://model.example/v1', date())
    await report('https://localhost/v1', date())
    await report('https://[::1]/v1', date())
    await report('https://model.example/v1', null)
    await report('https://model.example/v1', 'yesterday')
    await report('https://model.example/v1', date(-11 * minute))
    assert.equal(machine.acted(), false)
    await report('https://model.example/v1', date(9 * minute))
    assert.equal(machine.acted(), true)
  })

  test('a database on another machine is a witness; one on a private address is not', async () => {
    const server = { address: '10.0.0.5', aheadMs: 0 }
    const machine = createMachine({
      server: () => ({ now: new Date(machine.clock.now().getTime() + server.aheadMs), address: server.address }),
    })
    await machine.run(hour)
    machine.acted()
    for (const address of ['10.0.0.5', '127.0.0.1', '::1', '172.17.0.2', 'fd00::5']) {
      server.address = address
      await machine.off(day)
    }
    assert.equal(machine.acted(), false)
    server.address = '93.184.215.14'
    await machine.sweep()
    assert.equal(machine.acted(), true)
  })

  test('a server whose clock is five minutes off the database leaves upkeep alone', async () => {
    const lines: string[] = []
    const log = { ...silent, warn: (_: object, words: string) => void lines.push(words) } as unknown as Log
    const server = { aheadMs: 5 * minute }
    const machine = createMachine({
      log,
      server: () => ({ now: new Date(machine.clock.now().getTime() + server.aheadMs), address: '127.0.0.1' }),
    })
    await machine.sweep()
    server.aheadMs = -5 * minute
    await machine.sweep()
    assert.equal(machine.acted(), true)
    for (const aheadMs of [5 * minute + 1, -5 * minute - 1]) {
      server.aheadMs = aheadMs
      await machine.sweep()
      assert.deepEqual([machine.acted(), machine.guard().state().kind], [false, 'differs'])
      await assert.rejects(machine.guard().accept(), /minutes (behind|ahead of) the clock of the database/)
    }
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /^The clock of this server is 5 minutes behind the clock of the database\./)
  })

  test('the wrong clock of one server does not move the time of another', async () => {
    const right = createMachine()
    const wrong = createMachine()
    await wrong.clock.pass(100 * day)
    await right.sweep()
    for (let times = 0; times < 60; times += 1) {
      await right.run(30 * minute)
      await wrong.run(30 * minute)
    }
    assert.deepEqual([right.acted(), wrong.acted()], [true, false])
  })
})
