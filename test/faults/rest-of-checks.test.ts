// The rest of a site, which is checked after a first run has ended: killed at random moments, and around the edit of the pull
// request on GitHub. In the end, the review says what a check of everything says, and the pull request was edited once.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { checkTree } from '../../src/checks/check-tree.ts'
import { coverageOf } from '../../src/checks/coverage.ts'
import { createFactsReader } from '../../src/checks/facts/reader.ts'
import type { ReviewResponse } from '../../src/http/resources/jobs/review-schemas.ts'
import { memoryTree } from '../support/docs-sites.ts'
import { engine } from '../support/engine.ts'
import { makePages } from '../support/pages.ts'
import { rounds } from '../support/rounds.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type ArrangedOnGitHub, arrangeOnGitHub } from './github.ts'

/** More than a run reads in a moment. */
const files = { ...makePages(600), 'pages/old.md': '# Old\n\n[1](./gone.md) and [2](./lost.md)\n' }
const pull = '/repos/:owner/:repo/pulls/:pull_number'

let arranged: ArrangedOnGitHub
let service: Cluster

before(async () => {
  arranged = await arrangeOnGitHub()
  arranged.forge.remote.commit('main', files)
  service = await startCluster(arranged.environment)
})
after(async () => {
  await service.close()
  await arranged.close()
})

const client = () => arranged.connectTo(service.addresses)

// On a PostgreSQL server, what a dead process began is due again after a quarter of an hour.
if (engine !== 'cluster')
  test('killed at any moment, the rest of a site is checked and told once', async () => {
    const edits = watchEdits()
    const { id } = await client().create('page rest')
    await client().ended(id)
    assert.match(arranged.forge.pulls[0]?.body ?? '', /still being checked/)
    for (let kill = 0; kill < rounds(1); kill += 1) {
      await delay(Math.random() * 1_500)
      await service.replace()
    }
    await settled(() => edits.count > 0)
    await service.replace()
    await settled(() => edits.count > 1)
    await service.replace()
    await settled(() => edits.looks > 1)
    await delay(300)
    assert.equal(edits.count, 2, 'the first had no effect, the second no response')
    await assertWhole(id)
  })

/** The first edit of the rest never comes to its effect, and the response to the second is lost. `looks`: after both. */
function watchEdits() {
  const seen = { count: 0, looks: 0 }
  arranged.forge.fault = ({ route, body }) => {
    // A process looks twice at a pull request before it edits it.
    if (route === `GET ${pull}` && seen.count > 1) seen.looks += 1
    if (route !== `PATCH ${pull}` || !JSON.stringify(body).includes('2 remaining')) return undefined
    seen.count += 1
    return seen.count === 1 ? { kind: 'delay', until: new Promise(() => undefined) } : { kind: 'lose answer' }
  }
  return seen
}

/** Polls, and fails after half a minute. */
async function settled(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    assert.ok(tries < 600, 'the rest of the site was not checked')
    await delay(50)
  }
}

async function assertWhole(id: string): Promise<void> {
  const facts = createFactsReader(1)
  const { signal } = new AbortController()
  const all = { ...files, 'index.md': '# Home\n', 'rest.md': 'page rest\n' }
  const whole = await checkTree(memoryTree(all), { facts, signal })
  await facts.close()
  assert.equal(whole.findings.length, 2)
  const job = await client().job(id)
  assert.equal(job.checks?.remaining, 2)
  const path = `/v2/agent/${client().projectId}/job/${id}/checks`
  const { findings, coverage } = await client().call<ReviewResponse>('GET', path)
  assert.deepEqual(coverage.site, coverageOf(whole))
  const placesOf = (some: ReviewResponse['findings'] | typeof whole.findings) =>
    some.map(({ kind, path: file, line, message }) => ({ kind, file, line, message }))
  assert.deepEqual(placesOf(findings), placesOf(whole.findings))
  const body = arranged.forge.pulls[0]?.body ?? ''
  assert.match(body, /2 remaining/)
  assert.doesNotMatch(body, /still being checked/)
}
