import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createReader, parseStream } from '../../../test/support/event-stream.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { frame, greeting, heartbeat, toBody } from './event-stream.ts'

suite('server-sent events', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom(
      '\r',
      '\n',
      '\r\n\r\n',
      'data: x',
      'id: 7\n\n',
      'event: job_ended\ndata: {}\n\n',
      '\u2028\u2029',
      '\u0000',
      '\ufeff',
      ':',
    ),
  )

  test('a reader gets exactly the event, however its bytes are split', () => {
    const events = fc.array(fc.tuple(fc.nat(), fc.array(hostile)), { maxLength: 8 })
    fc.assert(
      fc.property(events, fc.array(fc.nat(40)), (list, cuts) => {
        const sent = list.map(([id, data]) => frame({ id, event: 'turn', data })).join(heartbeat)
        const reader = createReader()
        const got = pieces(greeting + sent, cuts).flatMap((piece) => reader.push(piece))
        assert.deepEqual(
          got,
          list.map(([id, data]) => ({ lastEventId: String(id), type: 'turn', data: JSON.stringify(data) })),
        )
        assert.deepEqual(
          got.map((one) => JSON.parse(one.data) as unknown),
          list.map(([, data]) => JSON.parse(JSON.stringify(data)) as unknown),
        )
      }),
    )
  })

  test('a megabyte is one event; an event without an id keeps the previous id', () => {
    const data = '\n😀\r'.repeat(250_000)
    const got = parseStream(frame({ id: 3, event: 'turn', data }) + frame({ event: 'text', data: 'x' }))
    assert.equal(JSON.parse(got[0]?.data ?? ''), data)
    assert.deepEqual(got[1], { lastEventId: '3', type: 'text', data: '"x"' })
  })

  const arrange = (count = 1_000) => {
    const made = { chunks: 0, cut: 0, ended: [] as unknown[], isReturned: false }
    const stop = new AbortController()
    const clock = createManualClock()
    async function* chunks() {
      try {
        for (; made.chunks < count;) yield `chunk ${(made.chunks += 1)}\n`
      } finally {
        made.isReturned = true
      }
    }
    const sending = { clock, stop: stop.signal, cut: () => (made.cut += 1), ended: (e?: unknown) => made.ended.push(e) }
    return { made, stop, clock, body: toBody(chunks(), sending) }
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  test('at most one chunk waits for a reader, and a lost reader frees everything', async () => {
    const { made, clock, body } = arrange()
    const reader = body.getReader()
    for (let n = 1; n <= 3; n += 1) await reader.read()
    await turn()
    assert.equal(made.chunks, 4)
    await reader.cancel()
    await turn()
    assert.deepEqual([made.ended, made.isReturned, clock.sleepers(), made.cut], [[undefined], true, 0, 0])
  })

  test('a reader that reads nothing for a minute is disconnected', async () => {
    const { made, clock, body } = arrange()
    await turn()
    await clock.pass(59_000)
    assert.equal(made.cut, 0)
    await clock.pass(1_000)
    assert.equal(made.cut, 1)
    await body.cancel()
    assert.equal(clock.sleepers(), 0)
  })

  test('a stop cuts off only readers that do not read', async () => {
    const slow = arrange()
    await turn()
    slow.stop.abort()
    assert.equal(slow.made.cut, 1)
    await slow.body.cancel()
    const quick = arrange(1)
    const reader = quick.body.getReader()
    await reader.read()
    assert.equal((await reader.read()).done, true)
    quick.stop.abort()
    assert.deepEqual([quick.made.cut, quick.made.ended, quick.clock.sleepers()], [0, [undefined], 0])
  })

  test('an error ends the stream and is reported once', async () => {
    const problem = new Error('the database is away')
    async function* chunks() {
      yield 'one'
      throw problem
    }
    const ended: unknown[] = []
    const sending = { clock: createManualClock(), stop: new AbortController().signal, cut: () => undefined }
    const text = await new Response(toBody(chunks(), { ...sending, ended: (e) => ended.push(e) })).text()
    assert.equal(text, 'one')
    assert.deepEqual(ended, [problem])
  })
})

function pieces(text: string, cuts: readonly number[]): readonly string[] {
  const found: string[] = []
  let at = 0
  for (const cut of cuts) {
    found.push(text.slice(at, at + cut))
    at += cut
  }
  return [...found, text.slice(at)]
}
