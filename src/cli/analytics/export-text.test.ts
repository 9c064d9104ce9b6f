// Exports from a loopback service whose responses each test decides.

import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type Api, openHttpApi } from '../api/api.ts'
import { exportCsv, exportJson, type Part } from './export-text.ts'

const never = new AbortController().signal
const request = { path: '/v1/analytics/prj_x/visitors', query: { dateFrom: '2026-11-01' } }

async function withServer(listener: RequestListener, work: (api: Api) => Promise<void>): Promise<void> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await work(openHttpApi(`http://127.0.0.1:${port}`, 'docent_x'))
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => void server.close(resolve))
  }
}

/** Rows of pages as the API has them; `totalsAt` says the totals of the response to the nth request. */
function serveRows(
  count: number,
  totalsAt: (request: number) => number,
): { listener: RequestListener; asked: string[] } {
  const asked: string[] = []
  const listener: RequestListener = (request, response) => {
    asked.push(request.url ?? '')
    const { searchParams } = new URL(request.url ?? '', 'http://x')
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))]
    const visitors = Array.from({ length: Math.max(0, Math.min(limit, count - offset)) }, (_, n) => ({
      path: `/${offset + n}`,
    }))
    const totals = { total: totalsAt(asked.length) }
    response.end(JSON.stringify({ totals, visitors, hasMore: offset + limit < count }))
  }
  return { listener, asked }
}

test('all pages of a response become one object without hasMore', async () => {
  const { listener, asked } = serveRows(601, () => 7)
  const counts: number[] = []
  await withServer(listener, async (api) => {
    const { text, rows } = await exportJson(api, request, (count) => counts.push(count), never)
    const whole = JSON.parse(text) as { readonly visitors: readonly { readonly path: string }[] }
    assert.deepEqual(Object.keys(whole), ['totals', 'visitors'])
    assert.deepEqual(
      whole.visitors.map(({ path }) => path),
      Array.from({ length: 601 }, (_, n) => `/${n}`),
    )
    assert.equal(rows, 601)
  })
  assert.deepEqual(counts, [250, 500, 601])
  assert.equal(asked[1], '/v1/analytics/prj_x/visitors?dateFrom=2026-11-01&limit=250&offset=250')
})

test('an export restarts if page views arrive in between, and gives up in the end', async () => {
  const once = serveRows(300, (request) => (request === 1 ? 6 : 7))
  await withServer(once.listener, async (api) => {
    assert.equal((await exportJson(api, request, () => undefined, never)).rows, 300)
  })
  assert.equal(once.asked.length, 4)
  const always = serveRows(300, (request) => request)
  await withServer(always.listener, (api) =>
    assert.rejects(
      exportJson(api, request, () => undefined, never),
      { code: 'unavailable' },
    ),
  )
})

test('a response without rows is complete', async () => {
  await withServer(serveRows(0, () => 0).listener, async (api) => {
    const { text } = await exportJson(api, request, () => undefined, never)
    assert.equal(text, '{"totals":{"total":0},"visitors":[]}\n')
  })
})

test('CSV is passed on as it arrives, and its heading does not count as a row', async () => {
  const parts: Part[] = []
  const listener: RequestListener = (request, response) => {
    assert.equal(request.url, '/v1/analytics/prj_x/visitors.csv?dateFrom=2026-11-01')
    response.write('path,human,ai,total\r\n')
    setImmediate(() => response.end('/,3,1,4\r\n/é,1,0,1\r\n'))
  }
  await withServer(listener, async (api) => {
    for await (const part of exportCsv(api, request, never)) parts.push(part)
  })
  assert.equal(parts.map(({ text }) => text).join(''), 'path,human,ai,total\r\n/,3,1,4\r\n/é,1,0,1\r\n')
  assert.equal(parts.at(-1)?.rows, 2)
})

test('an incomplete response or a problem ends an export with an error', async () => {
  const drain = async (api: Api) => {
    for await (const _ of exportCsv(api, request, never));
  }
  const broken: RequestListener = (_, response) => {
    response.write('path,human,ai,total\n')
    setImmediate(() => response.destroy())
  }
  await withServer(broken, (api) => assert.rejects(drain(api), { code: 'unavailable' }))
  const refused: RequestListener = (_, response) => {
    response.writeHead(404, { 'Content-Type': 'application/problem+json' })
    response.end(JSON.stringify({ code: 'not_found', detail: 'There is no such project.' }))
  }
  await withServer(refused, (api) => assert.rejects(drain(api), { message: 'There is no such project.' }))
})
