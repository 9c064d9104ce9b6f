import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClickHouseClient } from '@clickhouse/client'
import { openReaders } from './readers.ts'

/** Each query ends when the test calls the next function in `endings`. */
function slowClient() {
  const endings: (() => void)[] = []
  const query = async () => {
    await new Promise<void>((resolve) => void endings.push(resolve))
    return { json: () => Promise.resolve([]) }
  }
  return { client: { query } as unknown as ClickHouseClient, endings }
}

test('a query waits for a connection for a limited time', async () => {
  const { client, endings } = slowClient()
  const { read } = openReaders([client], client, { settings: {}, waitMs: 1 })
  const first = read('SELECT 1', {})
  await assert.rejects(read('SELECT 2', {}), { code: 'unavailable', retryAfter: 10 })
  endings.shift()?.()
  await first
  const next = read('SELECT 3', {})
  await new Promise(setImmediate)
  endings.shift()?.()
  assert.deepEqual(await next, [])
})

test('a cancelled caller leaves the queue at once and keeps no connection', async () => {
  const { client, endings } = slowClient()
  const { read } = openReaders([client], client, { settings: {}, waitMs: 60_000 })
  const first = read('SELECT 1', {})
  const gone = new AbortController()
  const left = read('SELECT 2', {}, gone.signal)
  gone.abort(new Error('gone'))
  await assert.rejects(left, /gone/)
  const next = read('SELECT 3', {})
  endings.shift()?.()
  await first
  await new Promise(setImmediate)
  endings.shift()?.()
  assert.deepEqual(await next, [])
})
