import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { type Fault, openRecordingService, type RecordingService } from '../../test/support/recording-service.ts'
import type { Clock } from './clock.ts'
import type { Exchange } from './page-view.ts'
import type { Problem } from './problem.ts'
import { createRecorder, type Recorder, type RecorderOptions } from './record.ts'

const page = (path: string): Exchange => ({
  method: 'GET',
  url: `https://docs.example.com${path}`,
  header: () => undefined,
  address: undefined,
  time: 1_795_000_000_000,
  status: 200,
  contentType: 'text/html',
})

type Arranged = {
  readonly service: RecordingService
  readonly recorder: Recorder
  readonly clock: ReturnType<typeof createManualClock>
  readonly problems: Problem[]
  /** Moves the clock until it holds. */
  readonly pass: (holds: () => boolean, stepMs?: number) => Promise<number>
}

async function arrange(
  { faults = [], ...options }: Partial<RecorderOptions> & { readonly faults?: Fault[] },
  act: (arranged: Arranged) => Promise<void>,
): Promise<void> {
  const service = await openRecordingService(faults)
  const manual = createManualClock()
  const clock: Clock = {
    now: () => manual.now().getTime(),
    sleep: async (ms, signal) => await manual.sleep(ms, signal),
  }
  const problems: Problem[] = []
  const onProblem = (problem: Problem) => void problems.push(problem)
  const { url } = service
  const recorder = createRecorder({ url, key: 'docent_x', projectId: 'prj_x', clock, onProblem, ...options })
  const pass = async (holds: () => boolean, stepMs = 100) => {
    const start = clock.now()
    const limit = performance.now() + 20_000
    while (!holds()) {
      assert.ok(performance.now() < limit, 'it did not come')
      if (manual.sleepers() > 0) await manual.pass(stepMs)
      else await turn()
    }
    return clock.now() - start
  }
  try {
    await act({ service, recorder, clock: manual, problems, pass })
  } finally {
    await recorder.close(0)
    await service.close()
  }
}

const paths = (service: RecordingService) => service.views().map(({ url }) => new URL(String(url)).pathname)

test('page views go together after a second, with the key, to the project', async () => {
  await arrange({}, async ({ service, recorder, clock }) => {
    for (const path of ['/a', '/b', '/c']) recorder.record(page(path))
    await clock.pass(999)
    assert.deepEqual([service.requests.length, recorder.counts().queued], [0, 3])
    await clock.pass(1)
    await service.until(1)
    assert.deepEqual(paths(service), ['/a', '/b', '/c'])
    const [request] = service.requests
    assert.equal(request?.url, '/v1/analytics/prj_x/page-views')
    assert.equal(request.headers.authorization, 'Bearer docent_x')
    assert.equal(request.headers['content-type'], 'application/x-ndjson')
  })
})

test('a full batch does not wait, and no batch is larger', async () => {
  await arrange({ batchSize: 10 }, async ({ service, recorder, pass }) => {
    for (let n = 0; n < 25; n += 1) recorder.record(page(`/${n}`))
    await service.until(2)
    await pass(() => recorder.counts().accepted === 25)
    assert.deepEqual(
      service.requests.map(({ ids }) => ids.length),
      [10, 10, 5],
    )
  })
})

test('page views of any length fit into the limits of the service', async () => {
  await arrange({ batchSize: 1_000 }, async ({ recorder, pass, service }) => {
    const long = { ...page('/'), header: () => 'x'.repeat(5_000) }
    for (let n = 0; n < 1_000; n += 1) recorder.record(long)
    await pass(() => recorder.counts().accepted === 1_000)
    assert.ok(service.requests.length >= 8)
  })
})

test('after any faults each page view is stored exactly once', async () => {
  const fault = fc.constantFrom<Fault>(
    { kind: 'cut' },
    { kind: 'cut-after' },
    { kind: 'answer', status: 503, headers: { 'Retry-After': '2' } },
    { kind: 'answer', status: 503 },
    { kind: 'answer', status: 429, headers: { 'Retry-After': 'nonsense' } },
    { kind: 'answer', status: 502 },
    { kind: 'answer', status: 500 },
  )
  const counts = fc.integer({ min: 1, max: 25 })
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 6 }), counts, async (faults, count) => {
      await arrange({ faults: [...faults], batchSize: 7 }, async ({ service, recorder, pass }) => {
        for (let n = 0; n < count; n += 1) recorder.record(page(`/${n}`))
        await pass(() => recorder.counts().accepted === count, 5_000)
        assert.deepEqual(
          paths(service),
          Array.from({ length: count }, (_, n) => `/${n}`),
        )
        assert.deepEqual(recorder.counts(), { queued: 0, accepted: count, rejected: 0, dropped: 0 })
      })
    }),
    { numRuns: 25 },
  )
})

test('`Retry-After` is obeyed, as seconds and as a date, and waits grow without it', async () => {
  const away = (retryAfter?: string): Fault => ({
    kind: 'answer',
    status: 503,
    headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
  })
  const table: [Fault[], number, number][] = [
    [[away('20')], 20_000, 20_100],
    [[away('Fri, 20 Nov 2026 09:01:00 GMT')], 58_000, 60_000],
    [[away('86400')], 300_000, 300_100],
    [[away()], 250, 600],
    [[away(), away(), away(), away()], 3_750, 7_900],
  ]
  for (const [faults, least, most] of table) {
    await arrange({ faults: [...faults], flushMs: 0 }, async ({ recorder, pass, problems }) => {
      recorder.record(page('/'))
      const waited = await pass(() => recorder.counts().accepted === 1, 50)
      assert.ok(waited >= least && waited <= most, `${waited} for ${JSON.stringify(faults)}`)
      assert.deepEqual(
        problems.map(({ kind }) => kind),
        faults.map(() => 'away'),
      )
    })
  }
})

test('a request without a response is sent again', async () => {
  await arrange({ faults: [{ kind: 'silent' }], timeoutMs: 500, flushMs: 0 }, async ({ recorder, pass, service }) => {
    recorder.record(page('/'))
    await pass(() => recorder.counts().accepted === 1)
    assert.equal(service.requests.length, 2)
    assert.deepEqual(service.requests[0]?.ids, service.requests[1]?.ids)
  })
})

test('permanently refused page views are not sent again and do not block others', async () => {
  for (const status of [301, 400, 401, 403, 404, 413, 200]) {
    await arrange(
      { faults: [{ kind: 'answer', status, headers: { Location: '/elsewhere' } }], batchSize: 1 },
      async ({ recorder, pass, problems, service }) => {
        recorder.record(page('/bad'))
        recorder.record(page('/good'))
        await pass(() => recorder.counts().accepted === 1)
        assert.deepEqual(recorder.counts(), { queued: 0, accepted: 1, rejected: 1, dropped: 0 })
        assert.deepEqual(paths(service), ['/good'])
        assert.deepEqual(problems, [
          { kind: 'refused', reason: `it answered ${status}: as the test wants it`, count: 1 },
        ])
      },
    )
  }
})

test('a batch that always fails is given up; an outage of the service is not', async () => {
  const failing = Array.from({ length: 10 }, (): Fault => ({ kind: 'answer', status: 500 }))
  await arrange({ faults: failing, flushMs: 0 }, async ({ recorder, pass }) => {
    recorder.record(page('/'))
    await pass(() => recorder.counts().rejected === 1, 30_000)
  })
  const away = Array.from({ length: 30 }, (): Fault => ({ kind: 'answer', status: 503 }))
  await arrange({ faults: away, flushMs: 0 }, async ({ recorder, pass }) => {
    recorder.record(page('/'))
    await pass(() => recorder.counts().accepted === 1, 30_000)
  })
})

test('a full queue drops the oldest and counts them', async () => {
  await arrange({ maxQueued: 5 }, async ({ service, recorder, pass, problems }) => {
    for (let n = 0; n < 8; n += 1) recorder.record(page(`/${n}`))
    assert.deepEqual(recorder.counts(), { queued: 5, accepted: 0, rejected: 0, dropped: 3 })
    await pass(() => recorder.counts().accepted === 5)
    assert.deepEqual(paths(service), ['/3', '/4', '/5', '/6', '/7'])
    assert.deepEqual(problems.at(-1), { kind: 'dropped', total: 3 })
  })
})

test('closing sends waiting page views at once, even after an outage', async () => {
  const faults: Fault[] = [{ kind: 'answer', status: 503, headers: { 'Retry-After': '60' } }]
  await arrange({ faults, batchSize: 2 }, async ({ service, recorder, clock }) => {
    for (const path of ['/a', '/b', '/c']) recorder.record(page(path))
    await service.until(1)
    while (clock.sleepers() === 0) await turn()
    await recorder.close()
    assert.deepEqual(paths(service), ['/a', '/b', '/c'])
    recorder.record(page('/late'))
    assert.deepEqual(recorder.counts(), { queued: 0, accepted: 3, rejected: 0, dropped: 1 })
    assert.equal(clock.sleepers(), 0)
  })
})

test('closing ends at its deadline and counts lost page views', async () => {
  await arrange(
    { faults: [{ kind: 'silent' }], flushMs: 0, timeoutMs: 300_000 },
    async ({ service, recorder, clock, pass }) => {
      recorder.record(page('/'))
      await pass(() => clock.sleepers() === 0)
      await service.until(1)
      const closed = recorder.close(3_000)
      await clock.pass(2_999)
      assert.equal(recorder.counts().queued, 1)
      await clock.pass(1)
      await closed
      assert.deepEqual(recorder.counts(), { queued: 0, accepted: 0, rejected: 0, dropped: 1 })
    },
  )
})

test('nothing that goes wrong reaches the page', async () => {
  const onProblem = () => {
    throw new Error('not mine')
  }
  const fetch = () => {
    throw new Error('no network')
  }
  await arrange({ onProblem, fetch, flushMs: 0, maxQueued: 1 }, async ({ recorder }) => {
    const header = () => {
      throw new Error('no headers')
    }
    recorder.record({ ...page('/'), header })
    recorder.record({ ...page('/'), time: 1n as unknown as number })
    for (const path of ['/a', '/b', '/c']) recorder.record(page(path))
    await recorder.send({ ...page('/'), header })
    assert.ok(recorder.counts().dropped >= 4)
  })
  assert.throws(() => createRecorder({ url: 'docent.example.com', key: '', projectId: '' }), TypeError)
  assert.throws(() => createRecorder({ url: 'ftp://docent.example.com', key: '', projectId: '' }), TypeError)
})

test('a service below a path is found', async () => {
  await arrange({}, async ({ service }) => {
    const recorder = createRecorder({ url: `${service.url}/docent/`, key: 'k', projectId: '../x' })
    await recorder.send(page('/'))
    assert.equal(service.requests[0]?.url, '/docent/v1/analytics/..%2Fx/page-views')
  })
})

test('the warning on the console comes once a minute at most', async (t) => {
  const warn = t.mock.method(console, 'warn', () => undefined)
  const { createWarning } = await import('./problem.ts')
  const time = { now: 0 }
  const report = createWarning(() => time.now)
  report({ kind: 'away', reason: 'it answered 503' })
  report({ kind: 'dropped', total: 7 })
  time.now = 60_000
  report({ kind: 'dropped', total: 9 })
  assert.deepEqual(
    warn.mock.calls.map(({ arguments: [text] }) => String(text)),
    [
      'Docent: page views wait, the service cannot take them: it answered 503',
      'Docent: page views are dropped, 9 so far',
    ],
  )
})
