// Two servers and two workers under load, while PostgreSQL is restarted, connections are cut, and workers are killed
// and frozen at random. CHAOS_SEED repeats a sequence.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Arranged, arrange } from '../faults/arrange.ts'
import { type Cluster, startCluster } from '../faults/cluster.ts'
import { History } from '../faults/history.ts'
import { serverSettings } from '../support/engine.ts'
import { rounds } from '../support/rounds.ts'
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts'

const seconds = rounds(6)
const seed = Number(process.env['CHAOS_SEED'] || Date.now() % 100_000)

let postgres: PostgresServer
let arranged: Arranged
let cluster: Cluster

before(async () => {
  postgres = await startPostgresServer()
  const settings = serverSettings(await postgres.createDatabase())
  // A lease that nobody ends for a dead worker ends by itself.
  arranged = await arrange({ ...settings, DOCENT_LEASE_SECONDS: '10' })
  cluster = await startCluster(arranged.environment)
})
after(async () => {
  await cluster.close()
  await arranged.close()
  await postgres.close()
})

const done: Record<string, number> = {}

/** The faults; each promise resolves when its fault is over. */
const faults: Readonly<Record<string, (random: () => number) => Promise<void>>> = {
  'PostgreSQL restarts': (random) => postgres.restart('SIGINT', random() * 1_500),
  'PostgreSQL crashes': (random) => postgres.restart('SIGQUIT', random() * 500),
  'connections are cut': () =>
    postgres.admin(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'docent' and random() < 0.5`),
  'a worker is killed': () => cluster.replace(),
  'a worker is frozen for longer than its lease': async () => {
    const worker = cluster.worker()
    worker.freeze()
    await cluster.endLeases(worker)
    await delay(1_000)
    worker.thaw()
  },
}

async function disturb(until: number, random: () => number): Promise<void> {
  const names = Object.keys(faults)
  while (Date.now() < until) {
    const name = names[Math.floor(random() * names.length)] ?? ''
    await faults[name]?.(random)
    done[name] = (done[name] ?? 0) + 1
    await delay(300 + random() * 1_500)
  }
}

async function load(history: History, client: number, until: number): Promise<void> {
  const api = arranged.connectTo(cluster.addresses)
  for (let n = 0; Date.now() < until; n += 1) {
    const job = await history.create(api, `p${client}-${n}`)
    for (let extra = 0; extra < n % 3; extra += 1) {
      await delay(n % 2 === 0 ? 0 : 400)
      await history.message(api, job, `e${client}-${n}-${extra}`)
    }
    await delay(200)
  }
}

test(`all acknowledged work of ${seconds} s of faults (seed ${seed}) ended once`, async () => {
  const history = new History()
  const until = Date.now() + seconds * 1_000
  await Promise.all([disturb(until, createRandom(seed)), ...[0, 1, 2].map((client) => load(history, client, until))])
  await history.check(arranged, arranged.connectTo(cluster.addresses))
  const messages = history.jobs.reduce((sum, job) => sum + job.extras.length, 0)
  console.log(`${history.jobs.length} jobs, ${messages} follow-ups, ${history.refusals} sent again;`, done)
  assert.ok(history.jobs.length >= 3, 'every client created a job')
})

/** Park and Miller's generator: the same numbers for the same seed. */
function createRandom(start: number): () => number {
  let state = (start % 2_147_483_646) + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
