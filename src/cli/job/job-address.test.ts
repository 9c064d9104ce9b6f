import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { runCommand } from '../../../test/support/command.ts'

test('an id is one part of an address, whatever it contains', async (t) => {
  const requested: (string | undefined)[] = []
  const server = createServer((request, response) => {
    requested.push(request.url)
    response.writeHead(404, { 'Content-Type': 'application/problem+json' }).end('{"code":"not_found"}')
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const environment = {
    DOCENT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    DOCENT_API_KEY: 'docent_x',
    DOCENT_PROJECT: 'prj_00000000000000000000',
  }
  const id = '../a/b?c#d'
  for (const command of ['show', 'watch', 'diff', 'transcript', 'open', 'cancel', 'archive', 'events', 'message']) {
    const rest = command === 'message' ? ['--prompt', 'x'] : []
    const ran = await runCommand(['job', command, id, ...rest], environment)
    assert.equal(ran.code, 1, `${command}: ${ran.stderr}`)
    const path = requested.splice(0).at(-1)
    assert.ok(path?.startsWith('/v2/agent/prj_00000000000000000000/job/..%2Fa%2Fb%3Fc%23d'), `${command}: ${path}`)
  }
})
