// The process is killed at every numbered point of a run, and started again on the same data. Several runs wait at
// their points when it dies: a start costs more than a run.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type RunPoint, runPoints, unusualPoints } from '../../src/jobs/run/context.ts'
import { type Arranged, arrange } from './arrange.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { engine } from '../support/engine.ts'
import { isThorough } from '../support/rounds.ts'
import { assertUnharmed, followUp, killAll, slots, type Standing, standAt } from './stop-runs.ts'
import {
  assertAnswered,
  assertAsks,
  assertBack,
  assertPart,
  countEvents,
  createUnusualModel,
  publishAtBudget,
  spentOnCut,
} from './unusual.ts'

let arranged: Arranged
let service: Cluster
/** The points of one undisturbed run, in order; the test kills at each. */
let points: readonly RunPoint[]
const kills = 3
/** An ordinary run kills once: at other points on each engine. */
const first = isThorough || engine !== 'cluster' ? 1 : 2

before(async () => {
  arranged = await arrange({ DOCENT_WORKER_CONCURRENCY: String(slots) })
  service = await startCluster(arranged.environment)
  const client = arranged.connectTo(service.addresses)
  await service.arm()
  await client.ended((await client.create('page undisturbed')).id)
  // The job has ended before the process says so.
  while (service.points.at(-1) !== 'recorded') await delay(10)
  points = [...service.points]
})
after(async () => {
  await service.close()
  await arranged.close()
})

test('an undisturbed run passes every kind of point', async () => {
  assert.deepEqual(new Set(points), new Set(runPoints))
})

test('killed at any point, a job ends as usual, and a follow-up is handled', async (t) => {
  // Each kill meets points from the whole run.
  for (let kill = 0; kill < (isThorough ? kills : 1); kill += 1) {
    const plain: Standing[] = []
    const followed: Standing[] = []
    for (let n = kill + first; n <= points.length; n += kills) {
      plain.push(await standAt(arranged, service, n, `page plain-${n}`))
      followed.push(await standAt(arranged, service, n, `page followed-${n}`))
    }
    // The kill comes just after they were acknowledged.
    for (const one of followed) await followUp(arranged, service, one)
    await killAll(service, [...plain, ...followed], async (one) => {
      const [kind, n] = one.page.split('-')
      await t.test(`point ${n}: ${one.point} (${kind})`, async () => {
        assert.equal(one.point, points[Number(n) - 1])
        await assertUnharmed(arranged, service, one)
      })
    })
  }
})

test('killed around a question, a cut answer or a full budget, a job loses nothing', async (t) => {
  const model = createUnusualModel()
  arranged.model.script = model.script
  await publishAtBudget(arranged, service)
  let client = arranged.connectTo(service.addresses)
  const passed = { ask: await pass('ask asks-00'), part: await pass('part undisturbed') }
  const all = new Set([...passed.ask.points, ...passed.part.points])
  assert.deepEqual(
    unusualPoints.filter((point) => !all.has(point)),
    [],
  )
  const cut = await spentOnCut(client, passed.ask.id)
  const away = await client.create('page away')
  while (!('run_retried' in (await countEvents(client, away.id)))) await delay(50)

  // At the other points any run stops above.
  const standing: Standing[] = []
  for (const point of ['attempt failed', 'attempt stored', 'results stored', 'recorded'] as const) {
    const n = passed.ask.points.lastIndexOf(point) + 1
    standing.push(await standAt(arranged, service, n, `ask asks-${String(n).padStart(2, '0')}`))
  }
  for (const point of ['budget used up', 'finish stored'] as const) {
    const n = passed.part.points.lastIndexOf(point) + 1
    standing.push(await standAt(arranged, service, n, `part part-${n}`))
  }
  // Claimed, prepared with the edits from before the question, turn opened.
  await service.arm(3)
  const answered = { id: passed.ask.id, page: 'asks-00', extras: [] }
  await followUp(arranged, service, answered)
  standing.push({ ...answered, ...(await service.stopped()) })

  await killAll(service, standing, async ({ id, page, point }) => {
    client = arranged.connectTo(service.addresses)
    await t.test(`${point} (${page})`, async () => {
      if (page.startsWith('part')) return assertPart(arranged, client, id, page)
      if (page !== answered.page) await assertAsks(arranged, client, id, point === 'attempt failed' ? undefined : cut)
      if (point === 'recorded') await client.message(id, `extra ${page}-more`)
      if (point === 'recorded' || page === answered.page) await assertAnswered(arranged, client, id, page)
    })
  })
  model.returns()
  await assertBack(arranged, client, away.id)
})

/** Does a job without a kill; returns the points that it passed. */
async function pass(prompt: string): Promise<{ readonly id: string; readonly points: readonly RunPoint[] }> {
  await service.arm()
  const client = arranged.connectTo(service.addresses)
  const { id } = await client.ended((await client.create(prompt)).id)
  while (service.points.at(-1) !== 'recorded') await delay(10)
  return { id, points: [...service.points] }
}
