import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { openTestDatabase } from '../../test/support/engine.ts'
import { currentAsker } from '../clickhouse/asker.ts'
import type { Postgres } from '../postgres/types.ts'
import { createExportLimit, type ExportCaller, exportsAtOnce, msOfExport } from './limits.ts'

const { signal } = new AbortController()
const caller = (kind: ExportCaller['principal']['kind'], id: string, projectId = 'p'): ExportCaller => ({
  projectId,
  principal: { kind, id },
})
const [link, owner] = [caller('share', 'link'), caller('person', 'ada')]

/** Work whose queries take the store so long. */
const cost = (ms: number) => async () => {
  const asker = currentAsker()
  if (asker) asker.spentMs += ms
  return ms
}

suite('the limit of exports', () => {
  let postgres: Postgres
  before(async () => {
    postgres = await openTestDatabase()
  })
  after(() => postgres.close())
  beforeEach(() => postgres.db.deleteFrom('rate_limits').execute())
  const open = (quota: number) => createExportLimit(postgres, quota)

  for (const [ms, counted] of [
    [0, 1],
    [1, 1],
    [msOfExport, 1],
    [msOfExport + 1, 2],
    [3_000, 150],
  ] as const) {
    test(`an export that takes the store ${ms} ms counts as ${counted}`, async () => {
      const { result, limit } = await open(1_000).spend(owner, cost(ms), signal)
      assert.deepEqual([result, limit.remaining], [ms, 1_000 - counted])
      assert.equal((await open(1_000).read(owner)).remaining, 1_000 - counted)
    })
  }

  test('a failed export costs what the store did for it, and keeps its error', async () => {
    const fail = async () => {
      await cost(30_000)()
      throw new Error('too large')
    }
    await assert.rejects(open(2_000).spend(owner, fail, signal), /too large/)
    assert.equal((await open(2_000).read(owner)).remaining, 500)
  })

  test('the last export may cost more than is left, and the next one is refused', async () => {
    const { limit } = await open(10).spend(owner, cost(30_000), signal)
    assert.equal(limit.remaining, 0)
    await assert.rejects(open(10).spend(owner, cost(0), signal), ({ code, retryAfter, message }) => {
      assert.deepEqual([code, retryAfter > 3_590 && retryAfter <= 3_600], ['rate_limited', true])
      assert.match(message, /^You have asked for as many statistics .* Ask again in 60 minutes\.$/)
      return true
    })
  })

  test('keys, people, shared links and projects are apart, also after a restart', async () => {
    await open(10).spend(link, cost(30_000), signal)
    const others = [
      owner,
      caller('person', 'bob'),
      caller('key', 'k1'),
      caller('share', 'other'),
      caller('share', 'link', 'q'),
    ]
    for (const other of others) assert.equal((await open(10).spend(other, cost(0), signal)).limit.remaining, 9)
    await assert.rejects(open(10).spend(link, cost(0), signal), /This shared link has asked/)
  })

  test('only exports that are under way exceed the limit, of any number at once', async () => {
    const limit = open(100)
    const { promise: full, resolve } = Promise.withResolvers<void>()
    const begun = { count: 0 }
    const slow = async () => {
      begun.count += 1
      if (begun.count === exportsAtOnce) resolve()
      await full
      return cost(30_000)()
    }
    const all = await Promise.allSettled(Array.from({ length: 100 }, () => limit.spend(link, slow, signal)))
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, begun.count)
    assert.equal(begun.count, exportsAtOnce)
    assert.equal((await limit.spend(owner, cost(0), signal)).limit.remaining, 99)
  })

  test('exports too far back in the line are refused, those of a caller who left end', async () => {
    const limit = open(10_000)
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const running = Array.from({ length: exportsAtOnce }, () => limit.spend(link, () => end, signal))
    const gone = new AbortController()
    const left = limit.spend(link, () => assert.fail('begun'), gone.signal)
    const waiting = Array.from({ length: 199 }, () => limit.spend(link, cost(0), signal))
    await assert.rejects(limit.spend(link, cost(0), signal), { code: 'unavailable', retryAfter: 10 })
    gone.abort(new Error('gone'))
    resolve()
    await assert.rejects(left, /gone/)
    await Promise.all([...running, ...waiting])
  })

  test('an export that has begun ends, unless it uses twice as much', async () => {
    const limit = open(100)
    await limit.spend(owner, cost(2_000), signal)
    assert.equal(await limit.spendMore(owner, cost(1_000), signal), 1_000)
    await assert.rejects(limit.spend(owner, cost(0), signal), { code: 'rate_limited' })
    await limit.spendMore(owner, cost(1_000), signal)
    await assert.rejects(limit.spendMore(owner, cost(0), signal), { code: 'rate_limited' })
  })
})
