import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'

/** The samples, `name{labels}` → value, as the text format writes them. */
async function samples(metrics: ReturnType<typeof createMetrics>): Promise<ReadonlyMap<string, string>> {
  const { text } = await metrics.scrape()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]))
}

test('events are counted under limited labels', async () => {
  const metrics = createMetrics()
  metrics.request({ method: 'GET', route: '/healthz', status: 200, seconds: 0.02 })
  metrics.request({ method: 'PROPFIND', route: 'none', status: 404, seconds: 0.02 })
  metrics.runEnded({ outcome: 'failed', code: 'model_refused' })
  metrics.turn({ model: 'docent/rules', inputTokens: 70, cachedInputTokens: 60, outputTokens: 7, costUsd: 0.5 })
  metrics.turn({ model: 'docent/rules', inputTokens: 30, cachedInputTokens: 0, outputTokens: 3, costUsd: null })
  metrics.leaseLost()
  const found = await samples(metrics)
  const expected = {
    'docent_http_requests_total{method="GET",route="/healthz",status="200"}': '1',
    'docent_http_requests_total{method="other",route="none",status="404"}': '1',
    'docent_http_request_duration_seconds_bucket{le="0.01",method="GET",route="/healthz"}': '0',
    'docent_http_request_duration_seconds_bucket{le="0.025",method="GET",route="/healthz"}': '1',
    'docent_runs_total{outcome="failed",code="model_refused"}': '1',
    'docent_turns_total{model="docent/rules"}': '2',
    'docent_tokens_total{model="docent/rules",direction="input"}': '100',
    'docent_tokens_total{model="docent/rules",direction="output"}': '10',
    'docent_cached_tokens_total{model="docent/rules"}': '60',
    'docent_cost_usd_total{model="docent/rules"}': '0.5',
    docent_leases_lost_total: '1',
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(found.get(name), value, name)
})

test('the first scrape begins to measure the process, and has its values', async () => {
  const found = await samples(createMetrics({ ofProcess: true }))
  assert.ok(Number(found.get('process_resident_memory_bytes')) > 1e6)
  // A histogram without a sample has the greatest number there is.
  const least = Number(found.get('nodejs_eventloop_lag_min_seconds'))
  assert.ok(least > 0 && least < 60, `${least}`)
})

test('every scrape reads whether the clock is trusted', async () => {
  const metrics = createMetrics()
  const clock = { isTrusted: true }
  metrics.observeClock(() => clock.isTrusted)
  assert.equal((await samples(metrics)).get('docent_clock_trusted'), '1')
  clock.isTrusted = false
  assert.equal((await samples(metrics)).get('docent_clock_trusted'), '0')
})

test('every scrape reads whether the disk has space', async () => {
  const metrics = createMetrics()
  const disk = { state: 'enough' as 'enough' | 'nearly_full', freeBytes: 1, detail: null }
  metrics.observeDisk(async () => disk)
  assert.equal((await samples(metrics)).get('docent_disk_has_space'), '1')
  disk.state = 'nearly_full'
  assert.equal((await samples(metrics)).get('docent_disk_has_space'), '0')
})

test('an invalid amount is not counted and does not throw', async () => {
  const metrics = createMetrics()
  for (const amount of [-1, Number.NaN, Infinity, -Infinity])
    metrics.turn({ model: 'm', inputTokens: amount, cachedInputTokens: amount, outputTokens: amount, costUsd: amount })
  const found = await samples(metrics)
  assert.equal(found.get('docent_turns_total{model="m"}'), '4')
  assert.equal(found.get('docent_tokens_total{model="m",direction="input"}'), '0')
  assert.equal(found.get('docent_cost_usd_total{model="m"}'), '0')
})

test('models after the fiftieth are counted as other', async () => {
  const metrics = createMetrics()
  for (let n = 0; n < 200; n += 1)
    metrics.turn({ model: `compatible/${n}`, inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null })
  const found = await samples(metrics)
  assert.equal(found.get('docent_turns_total{model="other"}'), '150')
  assert.equal([...found.keys()].filter((name) => name.startsWith('docent_turns_total')).length, 51)
})

test('the queue is read at every scrape', async () => {
  const metrics = createMetrics()
  const state = { waiting: 3, oldestSeconds: 12.5 }
  metrics.observeQueue(async () => state)
  assert.equal((await samples(metrics)).get('docent_queue_runs'), '3')
  state.waiting = 4
  const found = await samples(metrics)
  assert.equal(found.get('docent_queue_runs'), '4')
  assert.equal(found.get('docent_queue_oldest_seconds'), '12.5')
  assert.equal(found.get('docent_database_up'), '1')
})

test('a database that fails or hangs does not delay a scrape', async () => {
  const metrics = createMetrics()
  metrics.observeQueue(() => Promise.reject(new Error('gone')))
  assert.equal((await samples(metrics)).get('docent_database_up'), '0')
  metrics.observeQueue(() => new Promise(() => undefined))
  const found = await samples(metrics)
  assert.equal(found.get('docent_database_up'), '0')
  assert.equal(found.get('docent_queue_runs'), 'Nan')
})
