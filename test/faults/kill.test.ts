// Kills at random moments with many jobs at work, a run that dies at the same place every time, and a polite stop. On a
// PostgreSQL server the forge is GitHub, which runs publish to over its API; else the pull requests are Docent's own.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Arranged, answerTo, arrange, assertDoneOnce } from './arrange.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { startProcess } from './crashing-service.ts'
import { arrangeOnGitHub } from './github.ts'
import { engine } from '../support/engine.ts'
import { isThorough } from '../support/rounds.ts'
import type { Client } from '../support/service.ts'

/** So many jobs survive so many kills. */
const [count, kills] = isThorough ? [8, 6] : [4, 3]
/** How often a run dies is counted in the same way on both engines. */
const skip = engine === 'cluster' && !isThorough

let arranged: Arranged
let service: Cluster

before(async () => {
  arranged = engine === 'cluster' ? await arrangeOnGitHub() : await arrange()
  service = await startCluster(arranged.environment)
})
after(async () => {
  await service.close()
  await arranged.close()
})

test('jobs survive kills at random moments', async () => {
  const jobs: { readonly id: string; readonly page: string }[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    const client = arranged.connectTo(service.addresses)
    // A run that dies five times before it stored a turn is given up: on a slow machine three kills may come before one.
    if (kill === 3) for (const { id } of jobs) await progress(client, id)
    for (let n = 0; n < 2 && jobs.length < count; n += 1) {
      const page = `random-${jobs.length}`
      jobs.push({ id: (await client.create(`page ${page}`)).id, page })
    }
    await delay(Math.random() * 600)
    await service.replace()
  }
  const client = arranged.connectTo(service.addresses)
  for (const { id, page } of jobs) {
    await client.ended(id)
    await assertDoneOnce(arranged, client, id, { page, extras: [], unstoredAnswers: kills })
  }
})

/** Resolves when a turn of the job is stored. */
async function progress(client: Client, jobId: string): Promise<void> {
  for (let tries = 0; tries < 2_400; tries += 1) {
    if ((await client.job(jobId)).usage.turns > 0) return
    await delay(50)
  }
  assert.fail(`${jobId} has no turn`)
}

test('a run that dies five times early is given up; a message starts a new one', { skip }, async () => {
  let client = arranged.connectTo(service.addresses)
  await service.arm(1)
  const job = await client.create('page hopeless')
  for (let death = 1; death <= 5; death += 1) {
    await service.stopped()
    await service.replace(death < 5 ? { stopAtPoint: 1 } : {})
  }
  client = arranged.connectTo(service.addresses)
  const failed = await client.ended(job.id)
  assert.equal(failed.status, 'failed')
  assert.equal(failed.error?.code, 'attempts_exhausted')
  await client.message(job.id, 'extra hope')
  await assertDoneOnce(arranged, client, job.id, { page: 'hopeless', extras: ['hope'], unstoredAnswers: 0 })
})

test('an attempt that stored a turn does not count, so a long run can die often', { skip }, async () => {
  let client = arranged.connectTo(service.addresses)
  const extras = Array.from({ length: 6 }, (_, n) => `patient-${n}`)
  await service.arm(1)
  const job = await client.create('page patient')
  await service.stopped()
  for (const extra of extras) await client.message(job.id, `extra ${extra}`)
  // claimed, prepared, turn opened, model responded, response stored, tools ran, results stored: one turn a life.
  for (let death = 1; death <= 6; death += 1) {
    await service.replace({ stopAtPoint: 7 })
    assert.equal((await service.stopped()).point, 'results stored')
  }
  await service.replace()
  client = arranged.connectTo(service.addresses)
  await assertDoneOnce(arranged, client, job.id, { page: 'patient', extras, unstoredAnswers: 0 })
})

test('SIGTERM hands a run back, and the next process continues it', async () => {
  const asked = Promise.withResolvers<void>()
  const never = Promise.withResolvers<void>()
  arranged.model.script = (messages) => {
    const isSlow = messages.some((message) => message.content === 'page slow')
    if (!isSlow) return answerTo(messages)
    asked.resolve()
    return { ...answerTo(messages), wait: never.promise }
  }
  const client = arranged.connectTo(service.addresses)
  await service.arm()
  const job = await client.create('page slow')
  await asked.promise
  assert.equal(await service.terminate(), 0)
  arranged.model.script = answerTo
  never.resolve()
  const again = arranged.connectTo(service.addresses)
  await again.ended(job.id)
  await assertDoneOnce(arranged, again, job.id, { page: 'slow', extras: [], unstoredAnswers: 1 })
})

test('a second process on the same data gets an error and changes nothing', async () => {
  await assert.rejects(startProcess(service.environment), /the service ended: 1/)
  assert.equal((await fetch(`${service.addresses[0]}/healthz`)).status, 200)
})
