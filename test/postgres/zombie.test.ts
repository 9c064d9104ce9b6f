// A worker is frozen at the points of its runs for longer than its lease, another one ends the runs, and the first
// continues as if nothing had happened. It writes no row, and what it pushes is what is there.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db, Postgres } from '../../src/postgres/types.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { type RunPoint, runPoints } from '../../src/jobs/run/context.ts'
import { type Arranged, arrange, assertDoneOnce } from '../faults/arrange.ts'
import { type Cluster, startCluster } from '../faults/cluster.ts'
import type { CrashingService } from '../faults/crashing-service.ts'
import { slots, type Standing, standAt } from '../faults/stop-runs.ts'
import { serverSettings, sharedServer } from '../support/engine.ts'
import { git } from '../support/repository.ts'
import { sampled } from '../support/rounds.ts'

let arranged: Arranged
let cluster: Cluster
let database: Postgres

before(async () => {
  const url = await (await sharedServer()).createDatabase()
  arranged = await arrange({ ...serverSettings(url), DOCENT_WORKER_CONCURRENCY: String(slots) })
  cluster = await startCluster(arranged.environment)
  database = await openPostgres({ kind: 'server', url, connections: 2, log: createLog('silent') })
})
after(async () => {
  await database.close()
  await cluster.close()
  await arranged.close()
})

/** The first point of this kind in a run: the run of a page reaches the first twelve in this order. */
function numberOf(point: RunPoint): number {
  const order: readonly RunPoint[] = cluster.points
  return order.indexOf(point) + 1
}

test('a run reaches every kind of point', async () => {
  await cluster.arm()
  const client = arranged.connectTo(cluster.addresses)
  await client.ended((await client.create('page orientation')).id)
  // A client may read the end of the run before its process says that it was recorded.
  while (cluster.points.at(-1) !== 'recorded') await delay(10)
  assert.deepEqual(new Set(cluster.points), new Set(runPoints))
})

test('a worker that was frozen past its lease writes nothing', async (t) => {
  const numbers = new Map(runPoints.map((point) => [point, numberOf(point)]))
  const standing: Standing[] = []
  for (const [point, n] of sampled([...numbers])) {
    const one = await standAt(arranged, cluster, n, `page ${point.replaceAll(' ', '-')}`)
    assert.equal(one.point, point)
    standing.push(one)
  }
  await cluster.arm()
  for (const [zombie, ones] of Map.groupBy(standing, ({ process }) => process)) {
    const before = await freeze(zombie, ones)
    for (const { id, page, point } of ones) {
      await t.test(`frozen at: ${point}`, async () => {
        const client = arranged.connectTo(cluster.addresses)
        assert.deepEqual(await everythingOf(database.db, id, arranged.repository), before.get(id))
        await assertDoneOnce(arranged, client, id, { page, extras: [], unstoredAnswers: 2 })
      })
    }
  }
})

/** Until another worker has ended its runs, and then until it has nothing left to do. Gives what there was between. */
async function freeze(zombie: CrashingService, ones: readonly Standing[]): Promise<ReadonlyMap<string, unknown>> {
  zombie.freeze()
  await cluster.endLeases(zombie)
  const before = new Map<string, unknown>()
  for (const { id } of ones) await arranged.connectTo(cluster.addresses).ended(id)
  for (const { id } of ones) before.set(id, await everythingOf(database.db, id, arranged.repository))
  zombie.thaw()
  zombie.resume()
  assert.equal(await cluster.terminate({ victim: zombie }), 0)
  return before
}

/** Every row that belongs to the job, and the heads of the repository. */
async function everythingOf(db: Db, jobId: string, repository: string): Promise<unknown> {
  const runs = db.selectFrom('runs').select('id').where('job_id', '=', jobId)
  return {
    jobs: await db.selectFrom('jobs').selectAll().where('id', '=', jobId).execute(),
    messages: await db.selectFrom('messages').selectAll().where('job_id', '=', jobId).orderBy('ordinal').execute(),
    runs: await db.selectFrom('runs').selectAll().where('job_id', '=', jobId).orderBy('number').execute(),
    turns: await db.selectFrom('turns').selectAll().where('run_id', 'in', runs).orderBy('number').execute(),
    edits: await db.selectFrom('edits').selectAll().where('run_id', 'in', runs).orderBy('path').execute(),
    events: await db.selectFrom('events').selectAll().where('job_id', '=', jobId).orderBy('sequence').execute(),
    pulls: await db.selectFrom('pulls').selectAll().where('job_id', '=', jobId).execute(),
    heads: await git(repository, 'for-each-ref', 'refs/heads'),
  }
}
