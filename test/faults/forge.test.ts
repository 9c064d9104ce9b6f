// The service with GitHub as the forge: killed at the points of a run that matter to forges, and with responses of
// GitHub lost after their effect. Each job ends with one branch, one commit for a run, and one pull request.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { publishPoints, type RunPoint, runPoints } from '../../src/jobs/run/context.ts'
import { engine } from '../support/engine.ts'
import { sampled } from '../support/rounds.ts'
import { assertDoneOnce, type Expected } from './arrange.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type ArrangedOnGitHub, arrangeOnGitHub } from './github.ts'
import { assertUnharmed, killAll, slots, type Standing, standAt } from './stop-runs.ts'

let arranged: ArrangedOnGitHub
let service: Cluster
/** The number of the last point of each kind in one undisturbed run; the test kills there. */
let lastOf: ReadonlyMap<RunPoint, number>

before(async () => {
  arranged = await arrangeOnGitHub({ DOCENT_WORKER_CONCURRENCY: String(slots) })
  service = await startCluster(arranged.environment)
  await service.arm()
  const { id } = await arranged.connectTo(service.addresses).create('page undisturbed')
  await assertOnce(id, { page: 'undisturbed', extras: [], unstoredAnswers: 0 })
  lastOf = new Map(service.points.map((point, index) => [point, index + 1]))
})
after(async () => {
  await service.close()
  await arranged.close()
})

/** The points of the model and its tools, which know nothing of forges: `crash.test.ts` kills there. */
const elsewhere: readonly RunPoint[] = [
  'turn opened',
  'model responded',
  'response stored',
  'tools ran',
  'results stored',
]

function assertOnce(jobId: string, expected: Expected): Promise<void> {
  return assertDoneOnce(arranged, arranged.connectTo(service.addresses), jobId, expected)
}

function assertNoTemporaryRef(): void {
  assert.equal(arranged.forge.remote.git(['for-each-ref', 'refs/docent']), '', 'no temporary ref is left')
}

test('an undisturbed run on GitHub passes every kind of point', () => {
  assert.deepEqual(new Set(lastOf.keys()), new Set([...runPoints, ...publishPoints]))
  assertNoTemporaryRef()
})

test('killed at any point around GitHub, a job ends with one of each', async (t) => {
  const standing: Standing[] = []
  for (const [point, n] of sampled([...lastOf].filter(([point]) => !elsewhere.includes(point)))) {
    const one = await standAt(arranged, service, n, `page plain-${n}`)
    assert.equal(one.point, point)
    standing.push(one)
  }
  await killAll(service, standing, async (one) => {
    await t.test(one.point, () => assertUnharmed(arranged, service, one))
  })
  assertNoTemporaryRef()
})

/** The writes on GitHub of a run with a follow-up. */
const writes = sampled([
  'git receive-pack',
  'POST /repos/:owner/:repo/git/commits',
  'POST /repos/:owner/:repo/git/refs',
  'PATCH /repos/:owner/:repo/git/refs/*ref',
  'POST /repos/:owner/:repo/pulls',
  'PATCH /repos/:owner/:repo/pulls/:pull_number',
] as const)

// The run that lost a response repeats it in the same process: the same on both engines.
if (engine !== 'cluster')
  test('a job ends with one commit and pull request, whichever response is lost', async (t) => {
    const { forge } = arranged
    const client = arranged.connectTo(service.addresses)
    await service.arm()
    for (const [index, route] of writes.entries()) {
      await t.test(route, async () => {
        const page = `lost-${index}`
        forge.failOnce(route, { kind: 'lose answer' })
        const job = await client.create(`page ${page}`)
        await client.ended(job.id)
        await client.message(job.id, `extra ${page}-more`)
        await client.ended(job.id)
        assert.equal(forge.fault, undefined, 'the response was lost')
        await assertOnce(job.id, { page, extras: [`${page}-more`], unstoredAnswers: 0 })
        assertNoTemporaryRef()
      })
    }
  })
