// The process is killed at every numbered point of a run, and started again on the same data.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { RunPoint } from '../../src/jobs/run/context.ts'
import { type Arranged, arrange, assertDoneOnce } from './arrange.ts'
import { type Cluster, startCluster } from './cluster.ts'

let arranged: Arranged
let service: Cluster
/** The points of one undisturbed run, in order; the tests kill at each. */
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

/** Kills at the n-th point of a new job, with `extra` acknowledged just before, and checks what becomes of the job. */
async function killAt(n: number, name: string, extra: string | undefined): Promise<void> {
  const client = arranged.connectTo(service.addresses)
  await service.arm(n)
  const job = await client.create(`page ${name}`)
  const point = await service.stopped()
  if (extra) await client.message(job.id, `extra ${extra}`)
  const started = Date.now()
  await service.replace()
  const again = arranged.connectTo(service.addresses)
  const unstoredAnswers = unstored.includes(point) ? 1 : 0
  await again.ended(job.id)
  restarts.push(Date.now() - started)
  await assertDoneOnce(arranged, again, job.id, { page: name, extras: extra ? [extra] : [], unstoredAnswers })
}

test('an undisturbed run passes every kind of point', async () => {
  const { runPoints } = await import('../../src/jobs/run/context.ts')
  assert.deepEqual(new Set(points), new Set(runPoints))
})

test('killed at any point of a run, the job ends as if nothing had happened', async (t) => {
  for (const [index, point] of points.entries()) {
    await t.test(`point ${index + 1}: ${point}`, () => killAt(index + 1, `plain-${index + 1}`, undefined))
  }
})

test('killed at any point just after a follow-up was acknowledged, the follow-up is answered too', async (t) => {
  for (const [index, point] of points.entries()) {
    await t.test(`point ${index + 1}: ${point}`, () => killAt(index + 1, `follow-${index + 1}`, `extra-${index + 1}`))
  }
})
