// Clients that note what the service acknowledged, and the checker that holds the end against it: every acknowledged
// create and message ended exactly once.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { JobResponse } from '../../src/jobs/response.ts'
import type { PullResponse } from '../../src/forge/own/response.ts'
import type { Client } from '../support/service.ts'
import { type Arranged, assertDoneOnce } from './arrange.ts'

export type Acknowledged = { readonly jobId: string; readonly page: string; readonly extras: string[] }

export class History {
  readonly jobs: Acknowledged[] = []
  /** Answers that were no answer: 503, cut connections. Each was sent again under its key. */
  refusals = 0

  /** A job for a page of this name. */
  async create(client: Client, page: string): Promise<Acknowledged> {
    const job = await this.#send(client, `/v2/agent/${client.projectId}/job`, `page ${page}`)
    const noted = { jobId: job.id, page, extras: [] }
    this.jobs.push(noted)
    return noted
  }

  async message(client: Client, job: Acknowledged, extra: string): Promise<void> {
    await this.#send(client, `/v2/agent/${client.projectId}/job/${job.jobId}/message`, `extra ${extra}`)
    job.extras.push(extra)
  }

  /** Throws when anything that was acknowledged is missing, there twice, or not what it should be. */
  async check(arranged: Arranged, client: Client): Promise<void> {
    const listed = new Set<string>()
    for (let cursor = ''; ;) {
      const path = `/v2/agent/${client.projectId}/jobs?limit=100${cursor}`
      const page = await client.call<{ jobs: JobResponse[]; nextCursor: string | null }>('GET', path)
      for (const job of page.jobs) listed.add(job.id)
      if (page.nextCursor === null) break
      cursor = `&cursor=${page.nextCursor}`
    }
    assert.deepEqual(listed, new Set(this.jobs.map((job) => job.jobId)), 'the jobs are those that were acknowledged')
    for (const { jobId } of this.jobs) await client.ended(jobId)
    const pulls = await readPulls(client)
    for (const { jobId, page, extras } of this.jobs) {
      const prompts = (await client.messages(jobId)).map((message) => message.prompt)
      assert.deepEqual(prompts.toSorted(), [`page ${page}`, ...extras.map((extra) => `extra ${extra}`)].toSorted())
      await assertDoneOnce(arranged, client, jobId, { page, extras, unstoredAnswers: Infinity, pulls })
    }
  }

  /** Until it is acknowledged, always under the same key. */
  async #send(client: Client, path: string, prompt: string): Promise<JobResponse> {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }
    for (let tries = 0; tries < 1_200; tries += 1) {
      const response = await client
        .fetch(path, { method: 'POST', body: JSON.stringify({ prompt }), headers })
        .catch((error: unknown) => ignoreCut(error))
      if (response?.ok) return (await response.json()) as JobResponse
      const body = await response?.text()
      if (response && ![503, 409, 429].includes(response.status)) throw new Error(`${response.status}: ${body}`)
      this.refusals += 1
      await delay(100)
    }
    throw new Error('the service did not come back')
  }
}

/** One by one: a list has at most 1,000. */
async function readPulls(client: Client): Promise<readonly PullResponse[]> {
  const pulls: PullResponse[] = []
  for (let number = 1; ; number += 1) {
    const response = await client.fetch(`/v1/projects/${client.projectId}/pulls/${number}`)
    if (response.status === 404) return pulls
    pulls.push((await response.json()) as PullResponse)
  }
}

/** A connection that was cut says nothing; a failed assertion about an answer does. */
function ignoreCut(error: unknown): undefined {
  if (error instanceof TypeError && error.message === 'fetch failed') return undefined
  throw error
}
