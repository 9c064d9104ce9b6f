// The first job in a large repository ends before all pages were read: its checks are about what the change can affect. The
// rest is filled in afterwards, also by another process.

import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import type { ReviewResponse } from '../../src/http/resources/jobs/review-schemas.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import { makePages, pagePath } from '../support/pages.ts'
import { edit, finish, type ScriptedService, startScriptedService } from '../support/scripted.ts'

/** More than a check reads in a moment. */
const pageCount = 900
const oldFault = '\n[Old](./gone.md) and [another](./lost.md)\n'
const stillChecked = /0 new problems, 1 fixed, the rest of the site is still being checked/

/** The answers while the run was about to end: the rest is checked only after it. */
type Shown = {
  readonly job: JobResponse
  readonly etag: string | null
  readonly review: ReviewResponse
  readonly facts: string
}
let shown: Shown | undefined
let service: ScriptedService
before(async () => {
  const pages = makePages(pageCount)
  const reached = async (point: string) => {
    if (point === 'proposed') shown = await show((await service.client.pulls()).at(-1)?.jobId ?? '')
  }
  const files = { ...pages, 'pages/old.md': oldFault, 'pages/edited.md': '# Edited\n\n[Gone](./away.md)\n' }
  service = await startScriptedService({ reached }, {}, files)
})
after(() => service.close())

async function show(id: string): Promise<Shown> {
  const { client } = service
  const path = `/v2/agent/${client.projectId}/job/${id}`
  const etag = (await client.fetch(path)).headers.get('etag')
  const job = await client.job(id)
  const { link = '' } = (await client.pulls()).find(({ jobId }) => jobId === id) ?? {}
  const facts = await (await client.fetch(new URL(link, 'http://localhost').pathname)).text()
  return { job, etag, review: await client.call('GET', `${path}/checks`), facts }
}

async function untilFinished(id: string): Promise<Shown> {
  for (let tries = 0; tries < 600; tries += 1) {
    const now = await show(id)
    // The job and its ETag were read before its checks.
    if (now.review.remaining !== null && !now.facts.includes('still being checked')) return await show(id)
    await delay(100)
  }
  return assert.fail('the rest of the site was not checked within a minute')
}

test('a first run ends before all was checked, and a restart loses nothing', async () => {
  service.play(edit('pages/edited.md', '[Gone](./away.md)', '[Here](./edited.md)'), finish)
  const { id } = await service.client.create('Repair the link')
  const ended = await service.client.ended(id)
  assert.equal(ended.outcome, 'pull_request')
  assert.deepEqual(shown?.job.checks, { introduced: 0, fixed: 1, remaining: null, judgedAll: true })
  assert.equal(shown.review.coverage.site, null)
  assert.equal(shown.review.coverage.judged, 1)
  assert.match(shown.facts, stillChecked)
  service = { ...service, client: await service.running.restart() }
  const finished = await untilFinished(id)
  assert.deepEqual(finished.job.checks, { introduced: 0, fixed: 1, remaining: 2, judgedAll: true })
  assert.ok((finished.review.coverage.site?.judged ?? 0) > pageCount)
  assert.deepEqual(
    finished.review.findings.map(({ state, path }) => `${state} ${path}`),
    ['fixed pages/edited.md', 'remaining pages/old.md', 'remaining pages/old.md'],
  )
  assert.notEqual(finished.etag, shown.etag)
  assert.match(finished.facts, /0 new problems, 1 fixed, 2 remaining[^]*Problems that were there before[^]*gone\.md/)
})

test('the next run knows the rest at once', async () => {
  service.play(edit(pagePath(3), 'about the command line', 'about the terminal'), finish)
  const { id } = await service.client.create('Change a page')
  const job = await service.client.ended(id)
  assert.deepEqual([job.error, job.outcome, job.checks?.remaining], [null, 'pull_request', 3])
})
