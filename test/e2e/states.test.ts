// The states of a job against a reference model of ten lines: any sequence of calls over HTTP answers what it says.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { JobResponse } from '../../src/jobs/response.ts'
import { type ModelServer, type Scripted, startModelServer } from '../support/model-server.ts'
import { type Client, startService, type TestService } from '../support/service.ts'
import { rounds } from '../support/rounds.ts'

/** The reference: what a job is, and what each call answers and does to it. */
type Reference = { status: JobResponse['status']; waiting: number; sent: number }

function onMessage(job: Reference): number {
  if (job.status === 'archived') return 409
  if (job.status === 'active' && job.waiting >= 10) return 429
  Object.assign(job, { waiting: job.status === 'active' ? job.waiting + 1 : 0, status: 'active', sent: job.sent + 1 })
  return 200
}
function onArchive(job: Reference): number {
  if (job.status === 'active') return 409
  job.status = 'archived'
  return 200
}
function onCancel(job: Reference): number {
  if (job.status !== 'active') return 409
  job.status = 'failed'
  return 200
}
function onEnd(job: Reference, how: 'completed' | 'failed'): void {
  if (how === 'completed' && job.waiting > 0) job.waiting = 0
  else job.status = how
}

let model: ModelServer
let running: TestService
let client: Client

before(async () => {
  model = await startModelServer(() => ({ text: 'unscripted' }))
  const settings = { DOCENT_MODEL: 'compatible/m', DOCENT_COMPATIBLE_BASE_URL: model.baseUrl }
  running = await startService({ 'index.md': '# Home\n' }, settings)
  client = running.client
})
after(async () => {
  await running.close()
  await model.close()
})

/** The real job. Whenever it is active and at rest, its run waits for an answer of the model. */
class HeldJob {
  readonly id: string
  private asked = Promise.withResolvers<void>()
  private answer = Promise.withResolvers<Scripted>()

  private constructor(id: string) {
    this.id = id
  }

  static async create(): Promise<HeldJob> {
    const made = Promise.withResolvers<HeldJob>()
    model.script = async () => {
      const job = await made.promise
      job.asked.resolve()
      return job.answer.promise
    }
    const job = new HeldJob((await client.create('begin')).id)
    made.resolve(job)
    return job
  }

  get path(): string {
    return `/v2/agent/${client.projectId}/job/${this.id}`
  }

  /** The run has taken all waiting messages and asks the model. */
  held(): Promise<void> {
    return this.asked.promise
  }

  end(how: 'completed' | 'failed'): void {
    const { answer } = this
    this.asked = Promise.withResolvers()
    this.answer = Promise.withResolvers()
    answer.resolve(how === 'completed' ? { calls: [{ name: 'finish', input: { noChange: 'well' } }] } : { status: 400 })
  }
}

type Command = fc.AsyncCommand<Reference, HeldJob>

const send: Command = {
  check: () => true,
  toString: () => 'message',
  run: async (job, real) => {
    const wasActive = job.status === 'active'
    const body = JSON.stringify({ prompt: 'more' })
    const init = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }
    assert.equal((await client.fetch(`${real.path}/message`, init)).status, onMessage(job))
    if (!wasActive && job.status === 'active') await real.held()
  },
}
const archive: Command = {
  check: () => true,
  toString: () => 'archive',
  run: async (job, real) => {
    assert.equal((await client.fetch(`${real.path}/archive`, { method: 'POST' })).status, onArchive(job))
  },
}
const cancel: Command = {
  check: () => true,
  toString: () => 'cancel',
  run: async (job, real) => {
    const expected = onCancel(job)
    assert.equal((await client.fetch(`${real.path}/cancel`, { method: 'POST' })).status, expected)
    // The request to the model is closed; its script must not answer the one of the next run.
    if (expected === 200) real.end('failed')
  },
}
const end = (how: 'completed' | 'failed'): Command => ({
  check: (job) => job.status === 'active',
  toString: () => how,
  run: async (job, real) => {
    onEnd(job, how)
    real.end(how)
    if (job.status === 'active') await real.held()
    else await client.ended(real.id)
  },
})
const look: Command = {
  check: () => true,
  toString: () => 'look',
  run: async (job, real) => {
    const seen = await client.job(real.id)
    assert.equal(seen.status, job.status)
    assert.equal(seen.phase === null, job.status !== 'active')
    assert.equal(seen.error !== null, seen.status === 'failed' || (seen.status === 'archived' && seen.error !== null))
    const messages = await client.messages(real.id)
    assert.equal(messages.length, job.sent)
    assert.equal(messages.filter((message) => message.runId === null).length, job.waiting)
  },
}

test('any sequence of actions on a job matches the reference model', async () => {
  const commands = fc.commands([send, archive, cancel, end('completed'), end('failed'), look].map(fc.constant), {
    maxCommands: 25,
  })
  const one = async (sequence: Iterable<Command>) => {
    const real = await HeldJob.create()
    await real.held()
    const job: Reference = { status: 'active', waiting: 0, sent: 1 }
    await fc.asyncModelRun(() => ({ model: job, real }), sequence)
    await fc.asyncModelRun(() => ({ model: job, real }), [look])
    if (job.status === 'active') real.end('failed')
    await client.ended(real.id)
  }
  await fc.assert(fc.asyncProperty(commands, one), { numRuns: rounds(12), endOnFailure: true })
})
