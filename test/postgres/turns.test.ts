// Processes that share a database take turns on the pull request of a branch, also over calls to its forge.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createTurns } from '../../src/forge/turns.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { openServer } from '../../src/postgres/server.ts'
import type { Postgres } from '../../src/postgres/types.ts'
import { sharedServer } from '../support/engine.ts'

const { signal } = new AbortController()
const opened: Postgres[] = []
let url: string

before(async () => {
  url = await (await sharedServer()).createDatabase()
})
after(async () => {
  for (const postgres of opened) await postgres.close()
})

/** A process with connections of its own. */
function start(lockWaitMs?: number) {
  const wait = lockWaitMs === undefined ? {} : { lockWaitMs }
  const postgres = openServer({ url, connections: 2, log: createLog('silent'), ...wait })
  opened.push(postgres)
  return { db: postgres.db, turns: createTurns(postgres.hold) }
}

/** Takes the turn, and keeps it until `leave` is called. */
async function holdTurn({ turns }: ReturnType<typeof start>, name: string) {
  const begun = Promise.withResolvers<void>()
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const work = async () => {
    begun.resolve()
    await left
  }
  const done = turns.take(name, work, signal)
  await begun.promise
  return { leave, done }
}

/** The other databases of the server belong to other tests. */
const here = sql`locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`

async function untilWaiting({ db }: ReturnType<typeof start>, waiter: Promise<unknown>): Promise<void> {
  const state = { isOver: false }
  const early = waiter.then(() => assert.fail('it did not wait'))
  const looking = async () => {
    while (!state.isOver) {
      const { rows } = await sql`select 1 from pg_locks where ${here} and not granted`.execute(db)
      if (rows.length > 0) return
    }
  }
  try {
    await Promise.race([looking(), early])
  } finally {
    state.isOver = true
    early.catch(() => undefined)
  }
}

test('a process waits while another one works on the same branch, and on no other', async () => {
  const [one, other] = [start(), start()]
  const held = await holdTurn(one, 'forge docs docent/1')
  const order: string[] = []
  const second = other.turns.take('forge docs docent/1', async () => void order.push('second'), signal)
  await other.turns.take('forge docs docent/2', async () => void order.push('elsewhere'), signal)
  await untilWaiting(one, second)
  order.push('first')
  held.leave()
  await Promise.all([held.done, second])
  assert.deepEqual(order, ['elsewhere', 'first', 'second'])
})

test('a process that loses its connection loses the turn', async () => {
  const [one, other] = [start(), start()]
  const held = await holdTurn(one, 'lost')
  const cut = sql`select pg_terminate_backend(pid) from pg_locks where ${here} and granted`
  const second = other.turns.take('lost', () => Promise.resolve('second'), signal)
  await untilWaiting(one, second)
  await cut.execute(one.db)
  assert.equal(await second, 'second')
  held.leave()
  await held.done
})

test('a process that waits too long continues, and a stopped one does not', async () => {
  const [one, hasty, patient] = [start(), start(20), start()]
  const held = await holdTurn(one, 'frozen')
  assert.equal(await hasty.turns.take('frozen', () => Promise.resolve('on'), signal), 'on')
  const stop = new AbortController()
  const stopped = patient.turns.take('frozen', () => assert.fail('it has no turn'), stop.signal)
  await untilWaiting(one, stopped)
  stop.abort(new Error('the service stops'))
  await assert.rejects(stopped, /the service stops/)
  held.leave()
  await held.done
})
