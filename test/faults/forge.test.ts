// The service with GitHub as the forge: killed at the points of a run that matter to forges, and with responses of GitHub lost after
// their effect. Each job ends with one branch, one commit for a run, and one pull request.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { publishPoints, type RunPoint, runPoints } from '../../src/jobs/run/context.ts'
import { type TestForge, startForge } from '../support/forge/forge.ts'
import { type Arranged, arrange, assertDoneOnce, type Expected } from './arrange.ts'
import { type Cluster, startCluster } from './cluster.ts'
import type { Client } from '../support/service.ts'

let arranged: Arranged
let service: Cluster
let forge: TestForge
const cleanups: (() => Promise<void> | void)[] = []
/** The number of the last point of each kind in one undisturbed run; the test kills there. */
let lastOf: ReadonlyMap<RunPoint, number>

before(async () => {
  forge = await startForge(
    { after: (work) => cleanups.push(work as () => Promise<void>) },
    { kind: 'github', files: { 'index.md': '# Home\n' } },
  )
  const app = forge.createApp()
  const settings = {
    DOCENT_PRIVATE_REPOSITORY_HOSTS: forge.host,
    DOCENT_SECRET_KEY: Buffer.alloc(32, 'k').toString('base64'),
  }
  arranged = await arrange(settings, {
    address: forge.repository,
    directory: forge.remote.directory,
    connect: async (operator, projectId) => {
      const given = { webUrl: forge.web, appId: app.id, privateKey: app.privateKey }
      await operator.send('PUT', '/v1/forge-apps', given)
      const path = `/v1/projects/${projectId}/credential`
      await operator.send('PUT', path, { forge: 'github', installationId: app.installationId })
    },
  })
  service = await startCluster(arranged.environment)
  const client = arranged.connectTo(service.addresses)
  await service.arm(undefined)
  const { id } = await client.create('page undisturbed')
  await assertOnce(client, id, { page: 'undisturbed', extras: [], unstoredAnswers: 0 })
  lastOf = new Map(service.points.map((point, index) => [point, index + 1]))
})
after(async () => {
  await service.close()
  await arranged.close()
  for (const cleanup of cleanups.toReversed()) await cleanup()
})

/** Of the model and its tools, which know nothing of forges: `crash.test.ts` kills there. */
const elsewhere: readonly RunPoint[] = ['turn opened', 'model answered', 'answer stored', 'tools ran', 'results stored']

async function assertOnce(client: Client, jobId: string, given: Omit<Expected, 'pulls'>): Promise<void> {
  await client.ended(jobId)
  const pulls = forge.pulls.filter(({ branch }) => branch.includes(jobId)).map(() => ({ jobId }))
  await assertDoneOnce(arranged, client, jobId, { ...given, pulls })
  const { pullRequest, source } = await client.job(jobId)
  const pull = forge.pulls.find(({ branch }) => branch === source.ref)
  assert.deepEqual([pullRequest?.number, pull?.state], [pull?.number, 'open'])
  assert.equal(pull?.head, forge.remote.head(pull?.branch ?? ''))
  assert.equal(forge.remote.git(['for-each-ref', 'refs/docent']), '', 'no temporary ref is left')
}

test('an undisturbed run on GitHub passes every kind of point', () => {
  assert.deepEqual(new Set(lastOf.keys()), new Set([...runPoints, ...publishPoints]))
})

test('killed at any point around GitHub, a job ends with one of each', async (t) => {
  for (const [point, n] of [...lastOf].filter(([point]) => !elsewhere.includes(point))) {
    await t.test(`point ${n}: ${point}`, async () => {
      const client = arranged.connectTo(service.addresses)
      await service.arm(n)
      const job = await client.create(`page plain-${n}`)
      assert.equal(await service.stopped(), point)
      await service.replace()
      const again = arranged.connectTo(service.addresses)
      await assertOnce(again, job.id, { page: `plain-${n}`, extras: [], unstoredAnswers: 0 })
    })
  }
})

/** What a run with a follow-up asks of GitHub to write. */
const writes = [
  'git receive-pack',
  'POST /repos/:owner/:repo/git/commits',
  'POST /repos/:owner/:repo/git/refs',
  'PATCH /repos/:owner/:repo/git/refs/*ref',
  'POST /repos/:owner/:repo/pulls',
  'PATCH /repos/:owner/:repo/pulls/:pull_number',
] as const

test('whatever response is lost after its effect, a job ends with one of each', async (t) => {
  const client = arranged.connectTo(service.addresses)
  await service.arm(undefined)
  for (const [index, route] of writes.entries()) {
    await t.test(route, async () => {
      const page = `lost-${index}`
      forge.failOnce(route, { kind: 'lose answer' })
      const job = await client.create(`page ${page}`)
      await client.ended(job.id)
      await client.message(job.id, `extra ${page}-more`)
      await client.ended(job.id)
      assert.equal(forge.fault, undefined, 'the response was lost')
      await assertOnce(client, job.id, { page, extras: [`${page}-more`], unstoredAnswers: 0 })
    })
  }
})
