// A service in a control group of 1 GiB: the demo, 100 jobs, 100,000 page views of a year, its questions, and a flood with questions
// beside it. Where no group can be created, the memory of the process is still measured.

import assert from 'node:assert/strict'
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Counts, Flood, Sent } from '../../bench/flood-client.ts'
import { createMemoryGroup } from '../support/memory-group.ts'
import { megabytesOf } from '../support/process-memory.ts'
import { type Client, connect } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const limit = 1024 ** 3
const dayMs = 86_400_000
const [batches, batchSize] = [1_000, 100]
const [jobs, floodSeconds] = [100, 30]

const group = createMemoryGroup(limit)
const state = { most: 0, address: '' }
let folder: string
let service: ChildProcess
let client: Client
const output: string[] = []

before(async () => {
  folder = await temporaryFolder('memory')
  const launcher = fileURLToPath(new URL('../../bin/docent.cjs', import.meta.url))
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    DOCENT_DATA_DIR: join(folder, 'data'),
    DOCENT_PORT: '0',
    DOCENT_CREATES_PER_HOUR: '100000',
    DOCENT_EXPORTS_PER_HOUR: '100000000',
  }
  const [command, ...args] = [...(group?.inGroup ?? []), process.execPath, launcher, 'demo']
  service = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  service.stdout?.on('data', (data: Buffer) => void output.push(data.toString()))
  while (!output.join('').includes('API reference')) {
    assert.equal(service.exitCode ?? service.signalCode, null, output.join(''))
    await delay(100)
  }
  const found = (pattern: RegExp) => pattern.exec(output.join(''))?.[1] ?? assert.fail(String(pattern))
  state.address = found(/API reference\s+(http:\/\/[^/]+)/)
  const [projectId, key] = [found(/(prj_\w+)/), found(/export KEY=(\S+)/)]
  client = connect({ addresses: [state.address], projectId, key, send: fetch })
  setInterval(() => void measure(), 200).unref()
})

after(async () => {
  service.kill('SIGTERM')
  if (service.exitCode === null && service.signalCode === null) await once(service, 'exit')
  group?.remove()
  await removeFolder(folder)
})

test('a service in 1 GiB survives jobs, a year of page views and a flood', async () => {
  const created = await Promise.all(
    Array.from({ length: jobs }, (_, n) => client.create(`Rename "Acme Command" to "Acme ${n}"`)),
  )
  for (const { id } of created) await completed(id)
  const { totals: ofDemo } = (await ask('views')) ?? assert.fail('refused')
  const since = Date.now() - 364 * dayMs
  for (let at = 0; at < batches; at += 1) await send(yearBatch(at, since))
  for (let round = 0; round < 3; round += 1) {
    const { totals } = (await ask('views')) ?? assert.fail('refused')
    assert.equal(totals.total, ofDemo.total + batches * batchSize)
  }
  const { sent, answered, refused } = await flood()
  assert.deepEqual(sent.wrong, [])
  assert.ok(answered > 0, `${answered} questions answered, ${refused} refused`)
  const pages = Object.entries(sent.counts ?? {}).filter(([path]) => path !== '')
  assert.equal(pages.length, 3)
  for (const name of ['views', 'visitors'] as const) {
    const counted = await patiently(() => ask(name, '&search=/guides/page-00'))
    for (const [path, counts] of pages) {
      const { human, ai, total } = counted[name]?.find((one) => one.path === path) ?? assert.fail(path)
      assert.deepEqual({ human, ai, total }, counts[name], `${name} of ${path}`)
    }
  }
  assert.equal(service.exitCode ?? service.signalCode, null)
  assert.equal(group?.killed() ?? 0, 0, 'the system ended a process')
  assert.ok(state.most > 0 && state.most < limit / 1024 ** 2, `${state.most} MiB`)
  const how = group ? 'in a control group' : 'without a control group'
  console.log(
    `${how}: at most ${state.most.toFixed(0)} MiB of its own; ${answered} questions answered, ${refused} refused`,
  )
})

async function measure(): Promise<void> {
  state.most = Math.max(state.most, (await megabytesOf(service, 'RssAnon')) || 0)
}

async function completed(jobId: string): Promise<void> {
  for (;;) {
    const job = await client.job(jobId)
    if (job.status === 'completed') return
    assert.equal(job.status, 'active', JSON.stringify(job.error))
    await delay(200)
  }
}

function yearBatch(batch: number, since: number): readonly object[] {
  return Array.from({ length: batchSize }, (_, at) => {
    const n = batch * batchSize + at
    const page = Math.imul(n, 0x9e_37_79_b1) >>> 0
    return {
      id: `year-${n}`,
      timestamp: since + ((n * 7_895_443) % (364 * dayMs)),
      url: `https://docs.example.com/guides/year-${page % 300}`,
      userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${120 + (n % 23)}.0.0.0 Safari/537.36`,
      visitorId: `year-${page % 20_000}`,
    }
  })
}

async function send(views: readonly object[]): Promise<void> {
  await patiently(() => get('POST', `/v1/analytics/${client.projectId}/page-views`, views))
}

type Row = Counts & { readonly path: string }
type Answer = { readonly totals: Counts; readonly views?: readonly Row[]; readonly visitors?: readonly Row[] }

/** Asks for the last year. Returns undefined if the service refuses with 503 and `Retry-After`. */
function ask(name: 'views' | 'visitors', more = ''): Promise<Answer | undefined> {
  const from = new Date(Date.now() - 364 * dayMs).toISOString().slice(0, 10)
  return get('GET', `/v1/analytics/${client.projectId}/${name}?dateFrom=${from}${more}`)
}

async function get<T>(method: string, path: string, body?: unknown): Promise<T | undefined> {
  const json = { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const response = await client.fetch(path, { method, ...(body === undefined ? {} : json) })
  const text = await response.text()
  if (response.status === 503 && response.headers.has('Retry-After')) return undefined
  assert.ok(response.ok, `${method} ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text) as T
}

async function patiently<T>(work: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 100; tries += 1) {
    const done = await work()
    if (done !== undefined) return done
    await delay(1_000)
  }
  return assert.fail('the service refuses for too long')
}

async function flood() {
  const until = Date.now()
  // All in one window of visitors, because a visitor of two windows counts twice.
  const month = Date.parse(`${new Date(until).toISOString().slice(0, 8)}01`)
  const wanted: Flood = {
    url: `${state.address}/v1/analytics/${client.projectId}/page-views`,
    headers: { Authorization: `Bearer ${client.key}`, 'Content-Type': 'application/json' },
    since: Math.max(month, until - 28 * dayMs),
    until,
    seconds: floodSeconds,
    rate: undefined,
  }
  const sender = fork(fileURLToPath(new URL('../../bench/flood-client.ts', import.meta.url)))
  const asked = { isOver: false, answered: 0, refused: 0 }
  const asking = (async () => {
    while (!asked.isOver) {
      for (const name of ['views', 'visitors'] as const) {
        if (await ask(name)) asked.answered += 1
        else asked.refused += 1
      }
      await delay(500)
    }
  })()
  try {
    sender.send(wanted)
    for await (const [sent] of on(sender, 'message') as AsyncIterable<[Sent]>) {
      if (sent.counts || sent.wrong.length > 0) return { sent, ...asked }
    }
    return assert.fail('the sender ended')
  } finally {
    asked.isOver = true
    await asking
    sender.kill()
  }
}
