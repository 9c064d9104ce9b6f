// Cancelling a job: from waiting, from every point of a run, from the middle of an answer and of a push. Within a
// second, with nothing half made, and so that the next message continues from there.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import type { EventResponse } from '../../src/jobs/events/events.ts'
import { type RunPoint, runPoints } from '../../src/jobs/run/context.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import { engine } from '../support/engine.ts'
import { branches, show } from '../support/repository.ts'
import { finish, nothing, type ScriptedService, startScriptedService, write } from '../support/scripted.ts'
import type { Client } from '../support/service.ts'
import { sampled } from '../support/rounds.ts'

/** Where the next run stops, and what tells that it did. */
type Stop = {
  readonly point: RunPoint
  readonly reached: PromiseWithResolvers<void>
  readonly goOn: PromiseWithResolvers<void>
}

/** Two workers on a server, one on the embedded engine, of two runs each. */
const atOnce = engine === 'cluster' ? 4 : 2

let service: ScriptedService
let client: Client
const holder: { stop?: Stop } = {}

before(async () => {
  const reached = async (point: RunPoint) => {
    const { stop } = holder
    if (stop?.point !== point) return
    delete holder.stop
    stop.reached.resolve()
    await stop.goOn.promise
  }
  service = await startScriptedService({ reached }, { DOCENT_WORKER_CONCURRENCY: '2' })
  ;({ client } = service)
})
after(() => service.close())

const pathOf = (jobId: string) => `/v2/agent/${client.projectId}/job/${jobId}`
const cancel = <T = JobResponse>(jobId: string, expected = 200) =>
  client.call<T>('POST', `${pathOf(jobId)}/cancel`, undefined, expected)
const eventsOf = async (jobId: string) => {
  const response = await client.fetch(`${pathOf(jobId)}/events?limit=1000`, { headers: { Accept: 'application/json' } })
  return ((await response.json()) as { readonly events: readonly EventResponse[] }).events
}
const pullsOf = async (jobId: string) => (await client.pulls()).filter((pull) => pull.jobId === jobId)

function stopAt(point: RunPoint): Stop {
  const stop = { point, reached: Promise.withResolvers<void>(), goOn: Promise.withResolvers<void>() }
  holder.stop = stop
  return stop
}

function assertCancelled(job: JobResponse): void {
  assert.deepEqual([job.status, job.phase, job.error?.code], ['failed', null, 'cancelled'])
}

test('a job that waits is cancelled, and its run never begins', async () => {
  const gate = Promise.withResolvers<void>()
  service.model.script = () => ({ ...nothing, wait: gate.promise })
  const asked = service.model.requests.length
  const busy = await Promise.all(Array.from({ length: atOnce }, () => client.create('one of many')))
  while (service.model.requests.length < asked + atOnce) await delay(10)
  const { id } = await client.create('three')
  assertCancelled(await cancel(id))
  gate.resolve()
  for (const job of busy) assert.equal((await client.ended(job.id)).status, 'completed')
  assert.equal(service.model.requests.length, asked + atOnce)
  assert.deepEqual(
    (await eventsOf(id)).map((event) => event.type),
    ['message', 'run_ended', 'job_ended'],
  )
  assert.equal((await client.messages(id))[0]?.runId, null)
  service.play(write('three.md', 'three\n'), finish)
  await client.message(id, 'and go on')
  const job = await client.ended(id)
  assert.equal(job.status, 'completed')
  assert.ok((await client.messages(id)).every((message) => message.runId !== null))
})

test('in the middle of a response, the request to the model is closed', async () => {
  const gate = Promise.withResolvers<void>()
  service.model.script = () => ({ ...nothing, text: 'I begin', hold: gate.promise })
  const { id } = await client.create('talk')
  const asked = service.model.requests.length
  while (service.model.requests.length === asked) await delay(5)
  const before = service.model.aborted()
  assertCancelled(await cancel(id))
  // The test ends by its time limit when the model is still asked.
  while (service.model.aborted() === before) await delay(5)
  gate.resolve()
  assertCancelled(await client.job(id))
})

test('a job that is not active cannot be cancelled, nor one of another project', async () => {
  service.play(nothing)
  const { id } = await client.ended((await client.create('look')).id)
  for (const _twice of [1, 2]) {
    assert.equal((await cancel<{ code: string }>(id, 409)).code, 'job_not_active')
  }
  const stop = stopAt('claimed')
  const other = await client.create('look')
  await stop.reached.promise
  await cancel(other.id)
  await cancel(other.id, 409)
  stop.goOn.resolve()
  await client.call('POST', `${pathOf(other.id)}/archive`)
  await cancel(other.id, 409)
  await client.call('POST', `/v2/agent/${client.projectId}/job/job_aaaaaaaaaaaaaaaaaaaa/cancel`, undefined, 404)
})

for (const point of sampled(runPoints.filter((one) => one !== 'recorded'))) {
  test(`cancelled at "${point}", a run does nothing more; the next one continues`, async () => {
    const name = point.replaceAll(' ', '-')
    service.play(write(`${name}.md`, 'first\n'), finish)
    const stop = stopAt(point)
    const { id } = await client.create(`write ${name}`)
    await stop.reached.promise
    await client.message(id, 'and more')
    const job = await cancel(id)
    assertCancelled(job)
    const [events, pulls, heads] = [await eventsOf(id), await pullsOf(id), await branches(service.repository)]
    assert.equal(pulls.length, point === 'proposed' ? 1 : 0)
    stop.goOn.resolve()
    await delay(100)
    assert.deepEqual(await client.job(id), job)
    assert.deepEqual(await eventsOf(id), events)
    assert.deepEqual(await pullsOf(id), pulls)
    assert.deepEqual(await branches(service.repository), heads)
    const waiting = (await client.messages(id)).filter((message) => message.runId === null)
    assert.ok(waiting.some((message) => message.prompt === 'and more'))
    service.play(write(`${name}-2.md`, 'second\n'), finish)
    await client.message(id, 'go on')
    await assertWentOn(id, name, runPoints.indexOf(point) >= runPoints.indexOf('results stored'))
  })
}

/** `isKept`: the first run stored what it edited. */
async function assertWentOn(id: string, name: string, isKept: boolean): Promise<void> {
  const job = await client.ended(id)
  assert.equal(job.status, 'completed', JSON.stringify(job.error))
  const ref = job.source.ref ?? ''
  assert.equal(await show(service.repository, ref, `${name}-2.md`), 'second')
  const first = await show(service.repository, ref, `${name}.md`).catch(() => undefined)
  assert.equal(first, isKept ? 'first' : undefined)
  assert.equal((await pullsOf(id)).filter((pull) => pull.state === 'open').length, 1)
  assert.ok((await client.messages(id)).every((message) => message.runId !== null))
  assert.equal((await eventsOf(id)).filter((event) => event.type === 'job_ended').length, 2)
}

test('a push cancelled midway leaves the branch old or complete', async () => {
  const hook = join(service.repository, 'hooks', 'pre-receive')
  const marker = join(service.repository, 'pushing')
  await mkdir(join(service.repository, 'hooks'), { recursive: true })
  await writeFile(hook, `#!/bin/sh\ntouch ${marker}\nsleep 1\n`, { mode: 0o755 })
  try {
    service.play(write('slow.md', 'slow\n'), finish)
    const { id } = await client.create('push slowly')
    while (!existsSync(marker)) await delay(10)
    assertCancelled(await cancel(id))
    await delay(1_500)
    assert.equal((await pullsOf(id)).length, 0)
    await rm(hook)
    service.play(write('slow-2.md', 'second\n'), finish)
    await client.message(id, 'go on')
    await assertWentOnSlowly(id)
  } finally {
    await rm(hook, { force: true })
  }
})

async function assertWentOnSlowly(id: string): Promise<void> {
  const job = await client.ended(id)
  assert.equal(job.status, 'completed', JSON.stringify(job.error))
  assert.equal(await show(service.repository, job.source.ref ?? '', 'slow.md'), 'slow')
  assert.equal(await show(service.repository, job.source.ref ?? '', 'slow-2.md'), 'second')
}

test('the first of cancel and end of the run decides the state of the job', async () => {
  service.play(write('race.md', 'x\n'), finish)
  const began = performance.now()
  await client.ended((await client.create('race')).id)
  const whole = performance.now() - began
  const ends: string[] = []
  for (let time = 0; time < 10; time += 1) {
    service.play(write(`race-${time}.md`, 'x\n'), finish)
    const { id } = await client.create('race')
    // Spread over a run, and a little beyond it.
    await delay((time / 8) * whole)
    const response = await client.fetch(`${pathOf(id)}/cancel`, { method: 'POST' })
    const job = await client.ended(id)
    ends.push(job.status)
    assert.equal(response.status, job.status === 'failed' ? 200 : 409)
    await delay(20)
    assert.deepEqual(await client.job(id), job)
    const events = await eventsOf(id)
    assert.equal(events.filter((event) => event.type === 'job_ended').length, 1)
    assert.equal(events.at(-1)?.type, 'job_ended')
    if (job.status === 'failed') assertCancelled(job)
  }
  assert.equal(ends[0], 'failed')
})
