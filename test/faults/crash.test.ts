// The process is killed at every numbered point of a run, and started again on the same data.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RunPoint, runPoints } from '../../src/jobs/run/context.ts'
import { type Arranged, arrange, assertDoneOnce } from './arrange.ts'
import { type Cluster, startCluster } from './cluster.ts'

let arranged: Arranged
let service: Cluster
/** The points of one undisturbed run, in order; the test kills at each. */
let points: readonly RunPoint[]
const restarts: number[] = []

before(async () => {
  arranged = await arrange()
  service = await startCluster(arranged.environment)
  const client = arranged.connectTo(service.addresses)
  await service.arm(undefined)
  await client.ended((await client.create('page undisturbed')).id)
  points = [...service.points]
})
after(async () => {
  await service.close()
  await arranged.close()
  console.log(`from the death of the process to the end of the job: at most ${Math.max(...restarts)} ms`)
})

/** Between these points an answer was given and is not stored: it may be asked for again. */
const unstored: readonly RunPoint[] = ['turn opened', 'model answered']

/** A new job that has come to its n-th point and waits there, and the name of the point. */
async function startUntil(n: number, name: string) {
  const client = arranged.connectTo(service.addresses)
  await service.arm(n)
  const job = await client.create(`page ${name}`)
  const point = await service.stopped()
  return { id: job.id, unstoredAnswers: unstored.includes(point) ? 1 : 0 }
}

/** Kills two jobs at their n-th point, the second just after a follow-up was acknowledged, and checks what becomes of them. */
async function killAt(n: number): Promise<void> {
  const plain = await startUntil(n, `plain-${n}`)
  const followed = await startUntil(n, `follow-${n}`)
  await arranged.connectTo(service.addresses).message(followed.id, `extra extra-${n}`)
  const started = Date.now()
  await service.replace()
  const again = arranged.connectTo(service.addresses)
  await again.ended(plain.id)
  restarts.push(Date.now() - started)
  const { id, unstoredAnswers } = plain
  await assertDoneOnce(arranged, again, id, { page: `plain-${n}`, extras: [], unstoredAnswers })
  const extras = [`extra-${n}`]
  await assertDoneOnce(arranged, again, followed.id, { ...followed, page: `follow-${n}`, extras })
}

test('an undisturbed run passes every kind of point', async () => {
  assert.deepEqual(new Set(points), new Set(runPoints))
})

test('killed at any point, a job ends as usual, and a follow-up is handled', async (t) => {
  for (const [index, point] of points.entries()) {
    await t.test(`point ${index + 1}: ${point}`, () => killAt(index + 1))
  }
})
