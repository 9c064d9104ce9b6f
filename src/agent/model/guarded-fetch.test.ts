import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createGuardedFetch, sizeLimits } from './guarded-fetch.ts'

test('the address and the date of every response are reported', async (t) => {
  const server = createServer((_, response) => {
    response.setHeader('Date', 'Sat, 21 Nov 2026 10:00:00 GMT')
    response.end('yes')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const reported: unknown[] = []
  const response = await createGuardedFetch({ ...sizeLimits, idleMs: 5_000 }, (one) => reported.push(one))(url)
  assert.equal(await response.text(), 'yes')
  assert.deepEqual(reported, [{ url, date: 'Sat, 21 Nov 2026 10:00:00 GMT' }])
})
