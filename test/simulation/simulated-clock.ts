// Time that passes only when the simulation lets it: for the clock of the code, for `Date`, and for `now()` of the database. A sleep
// ends at once, and the time that it would have taken has passed then.

import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Clock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import type { Postgres } from '../../src/postgres/types.ts'
import { sharedServer } from '../support/engine.ts'

export type SimulatedClock = Clock & { readonly pass: (ms: number) => Promise<void> }

export type Simulated = {
  readonly postgres: Postgres
  readonly clock: SimulatedClock
  /** The address of the database, for a service on it. */
  readonly url: string
  /** The real `Date` is back. */
  readonly close: () => Promise<void>
}

/** `pg_catalog` comes last, so that statements find this `now()` first. */
const path = '-c search_path=simulated,public,pg_catalog'

export async function openSimulated(start: Date, passed: (ms: number) => void = () => undefined): Promise<Simulated> {
  const server = await sharedServer()
  const plain = await server.createDatabase()
  const url = `${plain}?options=${encodeURIComponent(path)}`
  const place = { kind: 'server', connections: 5, log: createLog('silent') } as const
  const before = await openPostgres({ ...place, url: plain })
  for (const statement of [
    'create schema simulated',
    'create table simulated.clock (at timestamptz not null)',
    `insert into simulated.clock values ('${start.toISOString()}')`,
    `create function simulated.now() returns timestamptz language sql stable as 'select at from simulated.clock'`,
  ])
    await sql.raw(statement).execute(before.db)
  await before.close()
  const postgres = await openPostgres({ ...place, url })
  const state = { now: start.getTime() }
  const giveBack = replaceDate(() => state.now)
  const pass = async (ms: number) => {
    state.now += ms
    passed(ms)
    await sql`update simulated.clock set at = ${new Date(state.now)}`.execute(postgres.db)
  }
  const clock: SimulatedClock = {
    now: () => new Date(state.now),
    sleep: async (ms, signal) => {
      await setImmediate()
      if (!signal?.aborted) await pass(ms)
    },
    pass,
  }
  const close = async () => {
    giveBack()
    await postgres.close()
    await server.dropDatabase(plain)
  }
  return { postgres, clock, url, close }
}

function replaceDate(now: () => number): () => void {
  const real = globalThis.Date
  globalThis.Date = new Proxy(real, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    apply: () => new real(now()).toString(),
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  })
  return () => {
    globalThis.Date = real
  }
}
