// A store on a server that is away during any write of sealing: the round fails, answers stay exact, and a later round seals.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { insertPageViews } from '../../src/analytics/store.ts'
import { createSealer } from '../../src/analytics/counts/uniques/keep-sealed.ts'
import { type ClickHouse, openClickHouse } from '../../src/clickhouse/open.ts'
import { Failure } from '../../src/lib/failure.ts'
import { usualSettings } from '../support/any-page-view.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { addProject } from '../support/database.ts'
import { openTestDatabase } from '../support/engine.ts'
import { assertExact } from '../support/exact-uniques.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { pageView } from '../support/page-views.ts'

const signal = new AbortController().signal
const minute = 60_000

const toFailureCode = (error: unknown) => (error instanceof Failure ? error.code : undefined)

/** A port before a server that can refuse connections. */
async function openGate(t: TestContext, address: string) {
  const target = new URL(address)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const other = connectTo(Number(target.port), target.hostname)
    for (const [one, next] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(one)
      one.pipe(next)
      one.on('error', () => next.destroy())
      one.on('close', () => {
        sockets.delete(one)
        next.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const refuse = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const accept = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  t.after(() => (server.listening ? refuse() : undefined))
  const own = new URL(address)
  own.port = String(port)
  return { address: own.href, refuse, accept }
}

test('a server that is away during any write of sealing leaves exact uniques', async (t) => {
  const gate = await openGate(t, await frontDatabase())
  const opened = await openClickHouse({ kind: 'server', url: gate.address })
  t.after(() => opened.close())
  const postgres = await openTestDatabase()
  t.after(() => postgres.close())
  const { db } = postgres
  const clock = createManualClock(new Date('2026-11-23T12:00:00Z'))
  const state = { writes: 0, awayAt: 0, isLost: false }
  /** Away from the n-th write on; or its request arrives, and only the response is lost. */
  const write = async (work: () => Promise<void>) => {
    state.writes += 1
    if (state.writes !== state.awayAt) return work()
    if (!state.isLost) await gate.refuse()
    await work()
    await gate.refuse()
    throw new Error('the response was lost')
  }
  const store: ClickHouse = {
    ...opened,
    insert: (...given) => write(() => opened.insert(...given)),
    rewrite: (...given) => write(() => opened.rewrite(...given)),
  }
  /** Connections that were open before may be the first to learn that they are closed. */
  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let tries = 1; tries <= 10; tries += 1) {
      try {
        return await work()
      } catch (error) {
        if (toFailureCode(error) !== 'unavailable') throw error
      }
    }
    return work()
  }
  let counted = 0
  for (const awayAt of [1, 2, 3]) {
    for (const isLost of [false, true]) {
      const projectId = await addProject(db)
      const views = [1n, 2n, 3n].flatMap((visitor) =>
        [2, 9, 16].map((date) =>
          pageView({
            projectId,
            visitor,
            saltWindow: 'month:2026-10',
            time: Date.UTC(2026, 9, date + Number(visitor)),
          }),
        ),
      )
      await again(() => insertPageViews(opened, views))
      const seal = createSealer()
      const round = async () => {
        const sealed = await seal({ db, store, clock, signal })
        await clock.pass(minute)
        return sealed
      }
      await again(round)
      Object.assign(state, { writes: 0, awayAt, isLost })
      await assert.rejects(round())
      await assert.rejects(round(), { code: 'unavailable' })
      state.awayAt = 0
      await gate.accept()
      const asking = { projectId, settings: usualSettings, now: clock.now() }
      const query = { dateFrom: '2026-10-05', dateTo: '2026-10-15' }
      await again(() => assertExact({ store, ...asking }, views, query))
      await again(round)
      counted += await again(() => assertExact({ store: { ...store }, ...asking }, views, query))
    }
  }
  assert.equal(counted, 6, 'each window was sealed in the end')
})
