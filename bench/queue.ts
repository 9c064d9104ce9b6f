// Measures jobs that do nothing, through the queue: created, claimed by workers, ended. Compares them with the rate at
// which the same engine inserts a row and claims it with `for update skip locked`. Both run in turn; the result is the
// ratio.

import { sql } from 'kysely'
import { createJob } from '../src/jobs/create.ts'
import { record } from '../src/jobs/run/ends/record.ts'
import { runsChannel } from '../src/jobs/queue/runs.ts'
import type { LeasedRun } from '../src/jobs/queue/lease.ts'
import { lockJobOfRun, settleJob } from '../src/jobs/run/ends/settle-job.ts'
import { createMetrics } from '../src/lib/observability/metrics.ts'
import { startWorker, type WorkerOptions } from '../src/jobs/queue/worker.ts'
import { systemClock } from '../src/lib/clock.ts'
import { createLog } from '../src/lib/observability/log.ts'
import type { Postgres } from '../src/postgres/types.ts'
import { addProject } from '../test/support/database.ts'
import { type Engine, median, openEmbeddedEngine, openServerEngine, timed } from './engines.ts'

const count = 1_000
const width = 8
const rounds = 5

for (const open of [openEmbeddedEngine, openServerEngine]) {
  const engine = await open()
  try {
    await measure(engine)
  } finally {
    await engine.close()
  }
}

async function measure({ name, workers }: Engine): Promise<void> {
  const [first] = workers
  if (!first) return
  const projectId = await addProject(first.db)
  await sql`create table floor (id bigint generated always as identity primary key, state text not null,
    owner text, body text not null)`.execute(first.db)
  await sql`create index floor_waiting on floor (id) where state = 'waiting'`.execute(first.db)
  const rows: { readonly ours: number; readonly floor: number }[] = []
  for (let round = 0; round <= rounds; round += 1) {
    rows.push({
      floor: count / (await insertAndClaim(workers)),
      ours: count / (await throughQueue(workers, projectId)),
    })
  }
  const warm = rows.slice(1)
  const ours = median(warm.map((row) => row.ours))
  const floor = median(warm.map((row) => row.floor))
  const ratio = median(warm.map((row) => row.ours / row.floor))
  console.log(
    `${name.padEnd(24)} no-op jobs ${ours.toFixed(0)}/s, insert and claim ${floor.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`,
  )
}

/** Inserts and claims one row per job. */
async function insertAndClaim(workers: readonly Postgres[]): Promise<number> {
  const db = (n: number) => pick(workers, n).db
  const inserted = await timed(count, width, (n) =>
    sql`insert into floor (state, body) values ('waiting', ${`job ${n}`})`.execute(db(n)),
  )
  const claimed = await timed(count, width, (n) =>
    sql`update floor set state = 'running', owner = 'w' where id = (
      select id from floor where state = 'waiting' order by id limit 1 for update skip locked) returning *`.execute(
      db(n),
    ),
  )
  return inserted + claimed
}

/** Measures from the first create to the last end. */
async function throughQueue(workers: readonly Postgres[], projectId: string): Promise<number> {
  const all = Promise.withResolvers<void>()
  let ended = 0
  const running = await Promise.all(
    workers.map(async (postgres) => {
      const worker = startWorker(toOptions(postgres, execute))
      return { worker, unlisten: await postgres.listen(runsChannel, () => worker.wake()) }
    }),
  )
  async function execute(leased: LeasedRun): Promise<void> {
    await record(leased, { finish: { kind: 'no_change', reason: 'All is well.' }, change: null })
    ended += 1
    if (ended === count) all.resolve()
  }
  const start = performance.now()
  await timed(count, width, (n) => {
    const { db } = pick(workers, n)
    const context = { db, clock: systemClock, modelId: 'bench/none', publicUrl: 'http://x' }
    return createJob(context, { projectId, prompt: `job ${n}` }, undefined)
  })
  await all.promise
  const seconds = (performance.now() - start) / 1_000
  for (const { worker, unlisten } of running) {
    await unlisten()
    await worker.stop()
  }
  return seconds
}

function pick(workers: readonly Postgres[], n: number): Postgres {
  const one = workers[n % workers.length]
  if (one) return one
  throw new Error('an engine has a worker')
}

/** The worker's options, with a run that does nothing. */
function toOptions({ db }: Postgres, execute: WorkerOptions['execute']): WorkerOptions {
  const own = { db, clock: systemClock, log: createLog('error'), metrics: createMetrics() }
  return {
    ...own,
    concurrency: width,
    leaseSeconds: 15,
    graceMs: 0,
    lockFirst: lockJobOfRun,
    execute,
    settled: settleJob,
  }
}
