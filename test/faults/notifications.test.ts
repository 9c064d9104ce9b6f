// Kills the service at random moments while jobs end and a receiver breaks off three of ten requests: each notification arrives,
// under one id. A request may come again.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parseConfig } from '../../src/config/config.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import { rounds } from '../support/rounds.ts'
import { serveHttp, type HttpServer } from '../support/scripted-http.ts'
import { type Arranged, arrange } from './arrange.ts'
import { startProcess } from './crashing-service.ts'

const jobs = rounds(6)
const kills = rounds(3)
let arranged: Arranged
let receiver: HttpServer
let isKind = false
const cleanups: (() => void)[] = []

before(async () => {
  receiver = await serveHttp({ after: (work) => void cleanups.push(work as () => void) }, () =>
    isKind || Math.random() < 0.7 ? {} : { broken: 'reset' },
  )
  arranged = await arrange({ DOCENT_PRIVATE_REPOSITORY_HOSTS: receiver.host })
})
after(async () => {
  await arranged.close()
  for (const cleanup of cleanups) cleanup()
})

type Sent = { readonly type: string; readonly data: { readonly job: JobResponse } }

test('a service that is killed while jobs end sends each notification, under one id', async () => {
  let process = await startProcess(arranged.environment)
  const operator = openSocketApi(parseConfig(arranged.environment))
  let client = arranged.connectTo([process.address])
  await operator.send('POST', `/v1/projects/${client.projectId}/webhooks`, { url: receiver.url })
  const ids: string[] = []
  for (let at = 0; at < jobs; at += 1) ids.push((await client.create(`${at % 3 === 0 ? 'ask' : 'page'} page${at}`)).id)
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(100 + Math.random() * 600)
    await process.kill()
    process = await startProcess(arranged.environment)
  }
  client = arranged.connectTo([process.address])
  const ended = new Map<string, JobResponse>()
  for (const id of ids) ended.set(id, await client.ended(id))
  isKind = true
  const wanted = ids.flatMap((id) =>
    ended.get(id)?.outcome === 'needs_input'
      ? [`job.needs_input ${id}`]
      : [`job.completed ${id}`, `pull_request.opened ${id}`],
  )
  const received = () => {
    const all = receiver.requests.map(({ headers, body }) => ({
      id: headers['webhook-id'] as string,
      ...(body as Sent),
    }))
    return new Map(all.map(({ id, type, data }) => [id, `${type} ${data.job.id}`]))
  }
  // Those that failed are due again within minutes: the attempts that a person asks for are the same.
  const path = `/v1/projects/${client.projectId}/webhooks`
  const [hook] = (JSON.parse((await operator.send('GET', path)).body) as { webhooks: { id: string }[] }).webhooks
  const list = async () => {
    const { body } = await operator.send('GET', `${path}/${hook?.id}/deliveries?limit=100`)
    return (JSON.parse(body) as { deliveries: { id: string; status: string; attempts: number }[] }).deliveries
  }
  for (const { id, status } of await list()) {
    if (status !== 'delivered') await operator.send('POST', `${path}/${hook?.id}/deliveries/${id}/redeliver`)
  }
  for (const until = Date.now() + 60_000; Date.now() < until; await delay(50)) {
    if ((await list()).every(({ status }) => status === 'delivered')) break
  }
  await process.kill()
  assert.deepEqual([...received().values()].toSorted(), wanted.toSorted())
  assert.equal(wanted.length, jobs + jobs - jobs / 3)
})
