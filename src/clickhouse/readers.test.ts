import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClickHouseClient } from '@clickhouse/client'
import { askFor, currentAsker } from './asker.ts'
import { openReaders } from './readers.ts'

/** Each query ends when the test calls the next function in `endings`. */
function slowClient() {
  const endings: (() => void)[] = []
  const query = async () => {
    await new Promise<void>((resolve) => void endings.push(resolve))
    return { json: () => Promise.resolve([]) }
  }
  const command = () => Promise.resolve()
  return { client: { query, command } as unknown as ClickHouseClient, endings }
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

/** Runs queries of these projects on `connections` connections and returns the order in which they begin. */
async function orderOf(projects: readonly string[], connections: number): Promise<readonly (readonly string[])[]> {
  const begun: string[] = []
  const endings: (() => void)[] = []
  const query = async ({ query_params: { projectId } }: { readonly query_params: { readonly projectId: string } }) => {
    begun.push(projectId)
    await new Promise<void>((resolve) => void endings.push(resolve))
    return { json: () => Promise.resolve([]) }
  }
  const client = { query } as unknown as ClickHouseClient
  const { read } = openReaders(
    Array.from({ length: connections }, () => client),
    client,
    { settings: {}, waitMs: 60_000 },
  )
  const queries = projects.map((projectId) => read('SELECT 1', { projectId }))
  const steps: string[][] = []
  for (let end: (() => void) | undefined = () => undefined; end; end = endings.shift()) {
    end()
    await new Promise(setImmediate)
    steps.push(begun.splice(0))
  }
  await Promise.all(queries)
  return steps
}

/** Runs queries of one project for these askers on three connections, of which it gets two. */
async function orderOfAskers(askers: string): Promise<string> {
  const begun: string[] = []
  const endings: (() => void)[] = []
  const query = async () => {
    begun.push(currentAsker()?.id ?? '-')
    await new Promise<void>((resolve) => void endings.push(resolve))
    return { json: () => Promise.resolve([]) }
  }
  const client = { query } as unknown as ClickHouseClient
  const { read } = openReaders([client, client, client], client, { settings: {}, waitMs: 60_000 })
  const ask = () => read('SELECT 1', { projectId: 'p' })
  const queries = Array.from(askers, (id) => (id === '-' ? ask() : askFor({ id, spentMs: 0 }, ask)))
  for (const _ of queries) {
    await new Promise(setImmediate)
    endings.shift()?.()
  }
  await Promise.all(queries)
  return begun.join('')
}

test('an asker with many queries lets each other asker of the project go first', async () => {
  assert.equal(await orderOfAskers('aaaaaabb'), 'aababaaa')
  assert.equal(await orderOfAskers('aaaa-b'), 'aa-aba')
})

test('queries that run at the same time share its milliseconds', async () => {
  const { client, endings } = slowClient()
  const clock = { ms: 0 }
  const now = () => clock.ms
  const { read } = openReaders([client, client, client, client], client, { settings: {}, waitMs: 60_000, now })
  const [ada, bob] = [
    { id: 'ada', spentMs: 0 },
    { id: 'bob', spentMs: 0 },
  ]
  const pass = async (ms: number) => {
    await new Promise(setImmediate)
    clock.ms += ms
  }
  const ask = (asker: typeof ada) => askFor(asker, () => read('SELECT 1', { projectId: 'p' }))
  const end = () => endings.shift()?.()
  const first = ask(ada)
  await pass(100)
  const others = [ask(ada), ask(bob), read('SELECT 1', {})]
  await pass(40)
  end()
  await first
  await pass(30)
  for (const _ of others) end()
  await Promise.all(others)
  assert.deepEqual([ada.spentMs, bob.spentMs], [100 + 10 + 10 + 10, 10 + 10])
})

test('waiting for a connection costs nothing, and a failed query costs its time', async () => {
  const { client, endings } = slowClient()
  const clock = { ms: 0 }
  const { read } = openReaders([client], client, { settings: {}, waitMs: 60_000, now: () => clock.ms })
  const asker = { id: 'ada', spentMs: 0 }
  const before = read('SELECT 1', {})
  const gone = new AbortController()
  const left = askFor(asker, () => read('SELECT 2', {}, gone.signal))
  await new Promise(setImmediate)
  clock.ms += 1_000
  endings.shift()?.()
  await before
  await new Promise(setImmediate)
  clock.ms += 7
  gone.abort(new Error('gone'))
  await assert.rejects(left, /gone/)
  assert.equal(asker.spentMs, 7)
  endings.shift()?.()
})

test('one project never takes the last connection', async () => {
  const steps = await orderOf(['a', 'a', 'a', 'a', 'b', 'b'], 3)
  assert.deepEqual(steps, [['a', 'a', 'b'], ['a'], ['a'], ['b'], [], [], []])
})

test('the next query is of the project with the fewest running queries', async () => {
  const steps = await orderOf(['a', 'a', 'a', 'a', 'b', 'b'], 4)
  assert.deepEqual(steps, [['a', 'a', 'a', 'b'], ['b'], ['a'], [], [], [], []])
})

test('projects with as many running queries are served in the order they came', async () => {
  const steps = await orderOf(['a', 'b', 'a', 'a', 'c', 'b', 'c'], 2)
  assert.deepEqual(steps.flat(), ['a', 'b', 'a', 'c', 'a', 'b', 'c'])
})

test('the only connection serves every project', async () => {
  assert.deepEqual((await orderOf(['a', 'a', 'b'], 1)).flat(), ['a', 'a', 'b'])
})
