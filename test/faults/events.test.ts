// A stream and the service that it comes from: stopped in the middle, killed in the middle, and another in its place.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { EventResponse } from '../../src/jobs/events/events.ts'
import { parseConfig } from '../../src/config/config.ts'
import { serve, type Service } from '../../src/service/service.ts'
import { arrange, type Arranged } from './arrange.ts'
import { startProcess, Stops } from './crashing-service.ts'
import { follow, type Stream } from '../support/event-stream.ts'
import { type Client } from '../support/service.ts'

let arranged: Arranged

before(async () => {
  // On a PostgreSQL server the next process waits for their end.
  arranged = await arrange({ DOCENT_LEASE_SECONDS: '5', DOCENT_WORKER_CONCURRENCY: '10' })
})
after(async () => {
  await arranged.close()
})

const open = (client: Client, jobId: string, after?: number) =>
  follow((init) => client.fetch(`/v2/agent/${client.projectId}/job/${jobId}/events`, init), after)
const lastOf = ({ events }: Stream) => events.at(-1)?.id ?? 0

async function assertWhole(client: Client, jobId: string, streams: readonly Stream[]): Promise<void> {
  const shown = streams.flatMap((stream) => stream.events)
  const path = `/v2/agent/${client.projectId}/job/${jobId}/events?limit=1000`
  const response = await client.fetch(path, { headers: { Accept: 'application/json' } })
  const { events } = (await response.json()) as { readonly events: readonly EventResponse[] }
  const known = (list: readonly EventResponse[]) => list.map(({ id, type, runId }) => [id, type, runId])
  assert.deepEqual(known(shown), known(events))
  assert.deepEqual(
    shown.map((event) => event.id),
    shown.map((_, index) => index + 1),
  )
  assert.equal(shown.at(-1)?.type, 'job_ended')
  assert.equal(shown.filter((event) => event.type === 'run_started').length, 1, 'a run starts once')
}

test('a stopping service ends its streams, and the next one continues them', async () => {
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const { script } = arranged.model
  arranged.model.script = async (messages, count) => {
    asked.resolve()
    await gate.promise
    return await script(messages, count)
  }
  let service: Service = await serve(parseConfig(arranged.environment))
  const client = arranged.connectTo([service.address])
  const { id } = await client.create('page stopped')
  await asked.promise
  const stream = await open(client, id)
  await stream.until(({ events }) => events.some((event) => event.type === 'phase' && event.phase === 'editing'))
  const stopping = service.stop()
  const first = await Promise.race([stream.ended.then(() => 'the stream'), stopping.then(() => 'the service')])
  assert.equal(first, 'the stream', 'the stream holds up the stop')
  gate.resolve()
  await stopping
  arranged.model.script = script
  service = await serve(parseConfig(arranged.environment))
  try {
    const again = arranged.connectTo([service.address])
    const rest = await open(again, id, lastOf(stream))
    await rest.ended
    if ((await again.job(id)).status === 'active') throw new Error('the stream ended before the job')
    await assertWhole(again, id, [stream, rest])
  } finally {
    await service.stop()
  }
})

test('a kill at any point of a run leaves a stream without gaps or repetitions', async () => {
  const stops = new Stops()
  let service = await startProcess(arranged.environment, stops)
  try {
    const client = arranged.connectTo([service.address])
    const followed: { readonly id: string; readonly stream: Stream }[] = []
    for (const point of [1, 2, 3, 5, 7, 12, 14, 16]) {
      await service.arm(point)
      const { id } = await client.create(`page killed-${point}`)
      const stream = await open(client, id)
      await stops.next()
      await stream.until(({ events }) => events.length > 0)
      followed.push({ id, stream })
    }
    await service.kill()
    service = await startProcess(arranged.environment)
    const again = arranged.connectTo([service.address])
    for (const { id, stream } of followed) {
      await stream.ended
      const rest = await open(again, id, lastOf(stream))
      await rest.ended
      await assertWhole(again, id, [stream, rest])
    }
  } finally {
    await service.kill()
  }
})
