// SIGKILL during a flood of batches: what was acknowledged is there after it, and after the client has sent again what
// was not, everything is there once.

import assert from 'node:assert/strict'
import { appendFile, cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { rounds } from '../support/rounds.ts'
import type { Client } from '../support/service.ts'
import { type Arranged, arrange } from './arrange.ts'
import { startProcess } from './crashing-service.ts'

const kills = rounds(3)
const senders = 6
const batchSize = 20

let arranged: Arranged
before(async () => {
  arranged = await arrange({ CLICKHOUSE_URL: '' })
})
after(() => arranged.close())

type Batch = { readonly path: string; readonly body: string }

let made = 0
/** The page views of one path, over three months: an insert of them is several parts, and may be cut between two. */
function makeBatch(): Batch {
  made += 1
  const path = `/batch-${made}`
  const views = Array.from({ length: batchSize }, (_, n) => ({
    id: `${made}-${n}`,
    timestamp: Date.now() - (n % 3) * 31 * 86_400_000,
    path,
    userAgent: 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    address: `192.0.2.${n}`,
  }))
  return { path, body: JSON.stringify(views) }
}

async function send(client: Client, { body }: Batch): Promise<boolean> {
  const path = `/v1/analytics/${client.projectId}/page-views`
  const headers = { 'Content-Type': 'application/json' }
  const answer = await client.fetch(path, { method: 'POST', headers, body }).catch(() => undefined)
  assert.ok([undefined, 202, 503].includes(answer?.status), `answered with ${answer?.status}`)
  if (answer?.status !== 202) return false
  assert.equal(((await answer.json()) as { accepted: number }).accepted, batchSize)
  return true
}

/** Views by path. */
async function read(client: Client): Promise<ReadonlyMap<string, number>> {
  const views = new Map<string, number>()
  for (let offset = 0; ; offset += 250) {
    const path = `/v1/analytics/${client.projectId}/views?limit=250&offset=${offset}`
    const page = await client.call<{ views: { path: string; total: number }[]; hasMore: boolean }>('GET', path)
    for (const row of page.views) views.set(row.path, row.total)
    if (!page.hasMore) return views
  }
}

async function ask(client: Client, isOver: () => boolean): Promise<void> {
  const path = `/v1/analytics/${client.projectId}/views?limit=1`
  while (!isOver()) await client.fetch(path).catch(() => delay(5))
}

test(`killed ${kills} times, it keeps every acknowledged page view, once`, async () => {
  const acknowledged = new Set<string>()
  const waiting: Batch[] = []
  let retried = 0
  const flood = async (client: Client, isOver: () => boolean) => {
    while (!isOver()) {
      const batch = waiting.pop() ?? makeBatch()
      if (await send(client, batch)) acknowledged.add(batch.path)
      else {
        waiting.push(batch)
        retried += 1
      }
    }
  }
  for (let n = 0; n < kills; n += 1) {
    const service = await startProcess(arranged.environment)
    const client = arranged.connectTo([service.address], 'key')
    const state = { isOver: false }
    const flooding = Array.from({ length: senders }, () => flood(client, () => state.isOver))
    // A query waits until what was acknowledged is in the table, so kills also meet inserts.
    if (n % 2 === 1) flooding.push(ask(client, () => state.isOver))
    // Every fifth time within the first insert, which opens the store; else among those after it.
    const enough = n % 5 === 0 ? 0 : acknowledged.size + 2
    while (acknowledged.size < enough) await delay(2)
    await delay((n * 137) % 1_500)
    await service.kill()
    state.isOver = true
    await Promise.all(flooding)
  }
  const service = await startProcess(arranged.environment)
  const client = arranged.connectTo([service.address], 'key')
  const kept = await read(client)
  for (const path of acknowledged) assert.equal(kept.get(path), batchSize, `${path} is whole`)
  for (const batch of waiting) assert.equal(await send(client, batch), true)
  const whole = await read(client)
  await service.kill()
  assert.deepEqual([...new Set(whole.values())], [batchSize])
  assert.equal(whole.size, new Set([...acknowledged, ...waiting.map(({ path }) => path)]).size)
  assert.ok(acknowledged.size > kills, 'it was a flood')
  console.log(`${acknowledged.size} batches acknowledged, ${retried} sent again, ${waiting.length} at the end`)
})

test('a segment that is in the table already is not stored twice', async (t) => {
  const folder = join(arranged.environment['DOCENT_DATA_DIR'] ?? '', 'clickhouse/incoming')
  const copy = `${folder}-copy`
  const service = await startProcess(arranged.environment)
  t.after(() => service.kill())
  const client = arranged.connectTo([service.address], 'key')
  const before = await read(client)
  const batch = makeBatch()
  assert.equal(await send(client, batch), true)
  await cp(folder, copy, { recursive: true })
  const [segment = ''] = await readdir(copy)
  const expected = new Map(before).set(batch.path, batchSize)
  assert.deepEqual(await read(client), expected)
  assert.deepEqual(await readdir(folder), [], 'the segment left')
  await service.kill()
  await appendFile(join(copy, segment), Buffer.from([9, 0, 0, 0, 1, 2, 3, 4, 5]))
  await cp(copy, folder, { recursive: true })
  const again = await startProcess(arranged.environment)
  t.after(() => again.kill())
  const afterwards = arranged.connectTo([again.address], 'key')
  assert.deepEqual(await read(afterwards), expected)
  assert.equal(await send(afterwards, batch), true)
  assert.deepEqual(await read(afterwards), expected)
})
