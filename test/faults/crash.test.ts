// The process is killed at every numbered point of a run, and started again on the same data. Several runs wait at
// their points when it dies: a start costs more than a run.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RunPoint, runPoints } from '../../src/jobs/run/context.ts'
import { type Arranged, arrange } from './arrange.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { assertUnharmed, followUp, killAll, slots, type Standing, standAt } from './stop-runs.ts'

let arranged: Arranged
let service: Cluster
/** The points of one undisturbed run, in order; the test kills at each. */
let points: readonly RunPoint[]
const kills = 3

before(async () => {
  arranged = await arrange({ DOCENT_WORKER_CONCURRENCY: String(slots) })
  service = await startCluster(arranged.environment)
  const client = arranged.connectTo(service.addresses)
  await service.arm()
  await client.ended((await client.create('page undisturbed')).id)
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
  for (let kill = 0; kill < kills; kill += 1) {
    const plain: Standing[] = []
    const followed: Standing[] = []
    for (let n = kill + 1; n <= points.length; n += kills) {
      plain.push(await standAt(arranged, service, n, `plain-${n}`))
      followed.push(await standAt(arranged, service, n, `followed-${n}`))
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
