// The service as an operator sees it from outside: metrics, traces and the log; and the secrets that they must not contain.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { edit, finish } from '../support/scripted.ts'
import { countAnswers, type ModelServer, startModelServer } from '../support/model-server.ts'
import { type OneService, startOneService } from '../support/one-service.ts'
import { createClient } from '../support/service.ts'
import { removeFolder } from '../support/temporary.ts'
import { startTraceCollector } from '../support/trace-collector.ts'

const canaries = {
  prompt: 'canary-prompt-5b1f',
  modelKey: 'canary-model-key-77aa',
  content: 'canary-content-90cd',
  answer: 'canary-answer-12ef',
  refusal: 'canary-refusal-34ab',
}
const pages = { 'index.md': `# Home\n\nWelcome to ${canaries.content}.\n` }

let model: ModelServer
let settings: Readonly<Record<string, string>>
before(async () => {
  model = await startModelServer((messages) => {
    const text = JSON.stringify(messages)
    if (text.includes('refuse this')) return { text: canaries.refusal, finishReason: 'content_filter' }
    if (text.includes('wait for ever')) return { wait: new Promise(() => undefined) }
    if (text.includes('break this')) return { status: 400 }
    const calls = edit('index.md', canaries.content, canaries.answer).calls ?? []
    return [{ text: canaries.answer, calls }, finish][countAnswers(messages)] ?? finish
  })
  settings = {
    DOCENT_MODEL: 'compatible/scripted',
    DOCENT_COMPATIBLE_BASE_URL: model.baseUrl,
    DOCENT_COMPATIBLE_API_KEY: canaries.modelKey,
  }
})
after(async () => {
  await model.close()
})

async function metric(running: OneService, name: string): Promise<number> {
  const response = await fetch(`${running.service.address}/metrics`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('Content-Type'), 'text/plain; version=0.0.4; charset=utf-8')
  const line = (await response.text()).split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length))
}

test('the metrics count runs, turns and requests, and the depth of the queue', async () => {
  const running = await startOneService(pages, settings)
  try {
    assert.equal(await metric(running, 'docent_database_up'), 1)
    assert.equal(await metric(running, 'docent_queue_runs'), 0)
    const job = await running.client.ended((await running.client.create('go')).id)
    assert.equal(job.status, 'completed')
    assert.equal((await running.client.ended((await running.client.create('refuse this')).id)).status, 'failed')
    assert.equal(await metric(running, 'docent_runs_total{outcome="completed",code="none"}'), 1)
    assert.equal(await metric(running, 'docent_runs_total{outcome="failed",code="model_refused"}'), 1)
    assert.equal(await metric(running, 'docent_turns_total{model="compatible/scripted"}'), 3)
    assert.equal(await metric(running, 'docent_tokens_total{model="compatible/scripted",direction="input"}'), 300)
    const created = 'method="POST",route="/v2/agent/:projectId/job",status="201"'
    assert.equal(await metric(running, `docent_http_requests_total{${created}}`), 2)
    assert.ok((await metric(running, 'process_resident_memory_bytes')) > 1e6)
    const text = await (await fetch(`${running.service.address}/metrics`)).text()
    for (const secret of [...Object.values(canaries), job.id, running.client.projectId, running.client.key]) {
      assert.ok(!text.includes(secret), secret)
    }
  } finally {
    await running.close()
  }
})

test('a run that is cancelled ends as one, and is no lease that was lost', async () => {
  const running = await startOneService(pages, settings)
  try {
    const { client } = running
    const asked = model.requests.length
    const job = await client.create('wait for ever')
    while (model.requests.length === asked) await delay(10)
    await client.call('POST', `/v2/agent/${client.projectId}/job/${job.id}/cancel`)
    const cancelled = 'docent_runs_total{outcome="failed",code="cancelled"}'
    while (Number.isNaN(await metric(running, cancelled))) await delay(10)
    assert.equal(await metric(running, cancelled), 1)
    assert.equal(await metric(running, 'docent_leases_lost_total'), 0)
  } finally {
    await running.close()
  }
})

test('a run is one trace: its steps, and the turns of the model with their tokens', async () => {
  const collector = await startTraceCollector()
  const traced = {
    ...settings,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector',
    DOCENT_TRUSTED_PROXIES: '127.0.0.2/32',
  }
  const running = await startOneService(pages, traced)
  const job = await running.client.ended((await running.client.create(canaries.prompt)).id)
  await running.client.ended((await running.client.create('refuse this')).id)
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  await fetch(`${running.service.address}/healthz`, { headers: { traceparent } })
  await running.close()
  const { spans } = collector
  const root = spans.find((span) => span.name === 'run' && span.attributes['docent.job.id'] === job.id)
  assert.ok(root)
  const below = spans.filter((span) => span.traceId === root.traceId && span !== root)
  const steps = ['prepare', 'edit', 'check', 'commit', 'push', 'propose', 'record'].map((step) => `step ${step}`)
  assert.deepEqual(
    below.filter((span) => span.parentSpanId === root.spanId).map((span) => span.name),
    steps,
  )
  const turns = below.filter((span) => span.name === 'chat compatible/scripted')
  assert.equal(turns.length, 2)
  assert.equal(turns[0]?.parentSpanId, below.find((span) => span.name === 'step edit')?.spanId)
  assert.equal(turns[0]?.attributes['gen_ai.request.model'], 'scripted')
  assert.equal(Number(turns[0]?.attributes['gen_ai.usage.input_tokens']), 100)
  const failed = spans.find((span) => span.name === 'run' && span.status === 2)
  assert.equal(failed?.attributes['error.type'], 'model_refused')
  const request = spans.find((span) => span.name === 'POST /v2/agent/:projectId/job')
  assert.equal(request?.kind, 2)
  assert.equal(request?.attributes['docent.project.id'], running.client.projectId)
  assert.match(String(request?.attributes['docent.request.id']), /^req_/)
  assert.equal(collector.resource['service.name'], 'docent')
  assert.equal(collector.headers[0]?.['authorization'], 'Bearer collector')
  assert.ok(!spans.some((span) => span.traceId === 'a'.repeat(32)), 'a stranger continued a trace')
  for (const secret of [...Object.values(canaries), running.client.key, 'refuse this']) {
    assert.ok(!collector.bodies.join('').includes(secret), secret)
  }
  await collector.close()
})

test('a caller who is believed continues a trace, or keeps it from being recorded', async () => {
  const collector = await startTraceCollector()
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, DOCENT_TRUSTED_PROXIES: '1' }
  const running = await startOneService(pages, traced)
  const ask = (traceparent: string) => fetch(`${running.service.address}/readyz`, { headers: { traceparent } })
  await ask(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`)
  await ask(`00-${'c'.repeat(32)}-${'d'.repeat(16)}-00`)
  await ask(`00-${'0'.repeat(32)}-${'d'.repeat(16)}-01`)
  await running.close()
  const ready = collector.spans.filter((span) => span.name === 'GET /readyz')
  assert.equal(ready.length, 2)
  assert.equal(ready[0]?.traceId, 'a'.repeat(32))
  assert.equal(ready[0]?.parentSpanId, 'b'.repeat(16))
  assert.equal(ready[1]?.parentSpanId ?? '', '')
  await collector.close()
})

test('a collector that never answers keeps neither the work nor the end', async () => {
  const collector = await startTraceCollector({ hang: true })
  const running = await startOneService(pages, { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })
  assert.equal((await running.client.ended((await running.client.create('go')).id)).status, 'completed')
  const start = performance.now()
  await running.close()
  assert.ok(performance.now() - start < 30_000)
  await collector.close()
})

test('the log has no key, prompt, file or response, and every line has its ids', async () => {
  const probe = await startOneService(pages, settings)
  await probe.service.stop()
  const launcher = fileURLToPath(new URL('../../bin/docent.cjs', import.meta.url))
  const environment = { ...probe.environment, DOCENT_LOG_LEVEL: 'debug' }
  const child = spawn(process.execPath, [launcher, 'serve'], {
    env: { ...environment, PATH: process.env['PATH'] },
    cwd: probe.folder,
  })
  const logged = text(child.stderr)
  const [ready] = (await once(child.stdout, 'data')) as [Buffer]
  const [address = ''] = /http:\S+/.exec(ready.toString()) ?? []
  const client = await createClient(environment, [address], probe.repository)
  const ids: string[] = []
  for (const prompt of [canaries.prompt, `refuse this ${canaries.prompt}`, `break this ${canaries.prompt}`]) {
    ids.push((await client.ended((await client.create(prompt)).id)).id)
  }
  await fetch(`${address}/v1/projects?key=${client.key}`)
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
  const log = await logged
  for (const secret of [...Object.values(canaries), client.key]) assert.ok(!log.includes(secret), secret)
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  const requests = lines.filter((line) => line['msg'] === 'request')
  assert.ok(requests.length > 6 && requests.every((line) => String(line['requestId']).startsWith('req_')))
  for (const id of ids)
    assert.ok(requests.some((line) => line['jobId'] === id && line['projectId'] === client.projectId))
  const failed = lines.filter((line) => line['msg'] === 'the run failed')
  assert.deepEqual(
    failed.map((line) => line['jobId']),
    ids.slice(1),
  )
  // The service before it stopped cleanly, so there was no run to take over.
  assert.ok(lines.every((line) => line['freed'] === undefined))
  assert.ok(failed.every((line) => String(line['runId']).startsWith('run_') && line['attempt'] === 1))
  await removeFolder(probe.folder)
})
