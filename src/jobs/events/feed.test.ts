import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { addProject } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { systemClock } from '../../lib/clock.ts'
import { notify } from '../../postgres/notify.ts'
import type { Postgres } from '../../postgres/types.ts'
import { createJob } from '../create.ts'
import { createEventFeed, type EventFeed, type FeedItem, heartbeatMs } from './feed.ts'
import { appendEvents, cut, type JobEvent } from './events.ts'
import { createLiveText, textChannel } from './live-text.ts'

const phase: JobEvent = { type: 'phase', phase: 'editing' }
const ended: JobEvent = {
  type: 'job_ended',
  status: 'completed',
  outcome: null,
  result: null,
  prLink: '/pulls/x',
  error: null,
}

suite('following a job', () => {
  let postgres: Postgres
  let projectId: string
  const feeds: EventFeed[] = []
  before(async () => {
    postgres = await openTestDatabase()
    projectId = await addProject(postgres.db)
  })
  after(async () => {
    for (const feed of feeds) await feed.close()
    await postgres.close()
  })

  const arrange = async ({ loseNotifications = false } = {}) => {
    const { db } = postgres
    const clock = createManualClock()
    const listen: Postgres['listen'] = loseNotifications
      ? async () => async () => undefined
      : (channel, received) => postgres.listen(channel, received)
    const queries = { count: 0 }
    const counting = db.withPlugin({
      transformQuery: ({ node }) => {
        queries.count += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const feed = createEventFeed({ postgres: { db: counting, listen }, clock })
    feeds.push(feed)
    const context = { db, clock: systemClock, modelId: 'test/model', publicUrl: 'http://x' }
    const { value } = await createJob(context, { projectId, prompt: 'do it' }, undefined)
    const jobId = value.job.id
    const append = (...events: readonly JobEvent[]) =>
      db.transaction().execute((trx) => appendEvents(trx, { jobId, runId: 'run' }, events))
    const follow = (after = 0) => read(feed, { jobId, after, publicUrl: 'http://x' })
    return { clock, feed, jobId, append, follow, queries }
  }

  test('past and new events arrive in order, and the last one ends the stream', async () => {
    const t = await arrange()
    await t.append(phase, phase)
    const reader = t.follow()
    await reader.until((items) => items.length === 3)
    await t.append(phase)
    await reader.until((items) => items.length === 4)
    await t.append(ended)
    await reader.ended
    assert.deepEqual(reader.ids(), [1, 2, 3, 4, 5])
    const last = reader.items.at(-1)
    assert.equal(last?.kind === 'event' && last.event.type === 'job_ended' && last.event.prLink, 'http://x/pulls/x')
  })

  test('followers of many writers all see every event in the same order', async () => {
    const t = await arrange()
    const readers = [0, 1, 5, 150].map((after) => ({ after, reader: t.follow(after) }))
    // All at once, a writer might wait for a connection longer than the pool of a busy machine allows.
    const write = async () => {
      for (let written = 0; written < 10; written += 1) await t.append(phase)
    }
    await Promise.all(Array.from({ length: 25 }, write))
    const late = t.follow()
    await t.append(ended)
    for (const { after, reader } of [...readers, { after: 0, reader: late }]) {
      await reader.ended
      assert.deepEqual(
        reader.ids(),
        Array.from({ length: 252 - after }, (_, index) => after + index + 1),
      )
    }
  })

  test('without notifications the heartbeat finds new events', async () => {
    const t = await arrange({ loseNotifications: true })
    const reader = t.follow()
    await reader.until((items) => items.length === 1)
    await t.append(phase)
    await t.clock.pass(heartbeatMs - 1)
    assert.deepEqual(reader.ids(), [1])
    await t.clock.pass(1)
    await reader.until((items) => items.length === 3)
    assert.deepEqual(reader.ids(), [1, 2])
    assert.ok(reader.items.some((item) => item.kind === 'heartbeat'))
    await t.append(ended)
    await t.clock.pass(heartbeatMs)
    await reader.ended
  })

  test('an idle follower costs one query a heartbeat', async () => {
    const t = await arrange()
    const reader = t.follow()
    const waitForBeat = async (beat: number) => {
      await t.clock.pass(heartbeatMs)
      await reader.until((items) => items.filter((item) => item.kind === 'heartbeat').length === beat)
    }
    await reader.until((items) => items.length === 1)
    await waitForBeat(1)
    const before = t.queries.count
    for (let beat = 2; beat <= 5; beat += 1) await waitForBeat(beat)
    // A new connection that listens wakes its followers once: on a busy machine that may be after the first heartbeat.
    assert.ok([4, 5].includes(t.queries.count - before), String(t.queries.count - before))
    reader.leave()
    await reader.ended
  })

  test('deleting the job or closing the feed ends its followers', async () => {
    const t = await arrange()
    const [gone, closed] = [t.follow(), (await arrange()).follow()]
    await gone.until((items) => items.length === 1)
    await closed.until((items) => items.length === 1)
    await postgres.db.deleteFrom('jobs').where('id', '=', t.jobId).execute()
    await t.clock.pass(heartbeatMs)
    await gone.ended
    await feeds.at(-1)?.close()
    await closed.ended
    assert.deepEqual(
      await feeds.at(-1)?.follow({ jobId: t.jobId, after: 0, publicUrl: '' }, AbortSignal.abort()).next(),
      {
        done: true,
        value: undefined,
      },
    )
  })

  test('after a lost connection all followers read again', async () => {
    const t = await arrange()
    const reader = t.follow()
    await reader.until((items) => items.length === 1)
    const before = t.queries.count
    await notify(postgres.db, 'docent_events', '')
    while (t.queries.count === before) await new Promise((resolve) => setImmediate(resolve))
    reader.leave()
    await reader.ended
  })

  test('text arrives whole and in order, except for a turn that is already complete', async () => {
    const t = await arrange()
    const reader = t.follow()
    await reader.until((items) => items.length === 1)
    const sender = createLiveText({ db: postgres.db, clock: t.clock, jobId: t.jobId, runId: 'run' })
    // The first cut would be inside a character.
    const said = `\u0000\ud800"\\x${'😀'.repeat(3_000)}${'\u0001'.repeat(5_000)}`
    sender.begin(1)
    sender.text(said)
    await sender.close()
    await reader.until(() => reader.text().length === said.length)
    assert.equal(reader.text(), said)
    for (const item of reader.items) assert.ok(item.kind !== 'text' || !/[\ud800-\udbff]$/.test(item.text.text))
    const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 }
    await t.append({
      type: 'turn',
      number: 1,
      text: said,
      calls: [],
      usage,
      total: { ...usage, costUsd: null, turns: 1 },
    })
    await reader.until((items) => items.at(-1)?.kind === 'event')
    const { length } = reader.items
    const late = { jobId: t.jobId, runId: 'run', turn: 1, offset: 0, text: 'late' }
    await notify(postgres.db, textChannel, JSON.stringify(late))
    await notify(postgres.db, textChannel, 'no JSON')
    await t.append(phase)
    await reader.until((items) => items.length > length)
    assert.ok(!reader.text().includes('late'))
    reader.leave()
    await reader.ended
  })

  test('text beyond the limits of a follower or a sender is dropped', async () => {
    const t = await arrange()
    const items = t.feed.follow({ jobId: t.jobId, after: 0, publicUrl: '' }, new AbortController().signal)
    const next = async () => (await items.next()).value
    await next()
    const text = 'x'.repeat(1_000)
    for (let offset = 0; offset < 200_000; offset += 1_000) {
      const piece = { jobId: t.jobId, runId: 'run', turn: 1, offset, text }
      await notify(postgres.db, textChannel, JSON.stringify(piece))
    }
    // A follower that received the event has received all text before it.
    const other = t.follow(1)
    await t.append(phase)
    await other.until((seen) => seen.some((item) => item.kind === 'event'))
    other.leave()
    await other.ended
    assert.equal((await next())?.kind, 'event')
    for (let piece = 0; piece < 65; piece += 1) assert.equal((await next())?.kind, 'text')
    await t.append(ended)
    assert.equal((await next())?.kind, 'event')
    assert.equal(await next(), undefined)
    const sender = createLiveText({ db: postgres.db, clock: t.clock, jobId: t.jobId, runId: 'run' })
    const reader = (await arrange()).follow()
    sender.text('y'.repeat(1_000_000))
    sender.text('z')
    await sender.close()
    reader.leave()
    await reader.ended
  })

  test('a cut text ends with a mark, never inside a character', () => {
    assert.equal(cut('short', 16), 'short')
    const long = cut(`${'a'.repeat(7)}😀${'b'.repeat(20)}`, 15)
    assert.equal(long, `${'a'.repeat(7)}… [cut]`)
    assert.ok(long.isWellFormed())
  })
})

function read(feed: EventFeed, following: Parameters<EventFeed['follow']>[0]) {
  const stop = new AbortController()
  const items: FeedItem[] = []
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const one of waiting) one()
    waiting.clear()
  }
  const ended = (async () => {
    for await (const item of feed.follow(following, stop.signal)) {
      items.push(item)
      wake()
    }
  })()
  return {
    items,
    ended,
    leave: () => stop.abort(),
    ids: () => items.flatMap((item) => (item.kind === 'event' ? [item.event.id] : [])),
    text: () => items.map((item) => (item.kind === 'text' ? item.text.text : '')).join(''),
    until: async (holds: (items: readonly FeedItem[]) => boolean) => {
      while (!holds(items)) await new Promise<void>((resolve) => waiting.add(resolve))
    },
  }
}
