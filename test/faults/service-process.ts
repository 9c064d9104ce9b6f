// The service as a process of its own that stops at a given point: a run that it claims while it is armed says so at
// its n-th point, and waits to be killed. Started by `crashing-service.ts`.

import { flushCompileCache } from 'node:module'
import { parseConfig } from '../../src/config/config.ts'
import { readEnvironment } from '../../src/config/environment.ts'
import { serve, type ServeOptions } from '../../src/service/service.ts'
import type { FromService, ToService } from './crashing-service.ts'

const armed = { point: Number(process.env['STOP_AT_POINT'] || Infinity) }
/** By run: how many points are left until it stops. */
const left = new Map<string, number>()

function send(message: FromService): void {
  process.send?.(message)
}

const resumed = Promise.withResolvers<void>()

process.on('message', (message: ToService) => {
  if ('resume' in message) return resumed.resolve()
  armed.point = message.stopAtPoint
  send({ kind: 'armed' })
})

const role = process.env['ROLE'] as ServeOptions['role']
const workerId = process.env['WORKER_ID']
const service = await serve(parseConfig(readEnvironment()), {
  ...(role ? { role } : {}),
  ...(workerId ? { workerId } : {}),
  reached: (point, runId) => {
    send({ kind: 'reached', point })
    const now = (point === 'claimed' ? armed.point : (left.get(runId) ?? Infinity)) - 1
    left.set(runId, now)
    if (now !== 0) return Promise.resolve()
    send({ kind: 'stopped', point })
    return resumed.promise
  },
})
process.once('SIGTERM', () => {
  void service.stop().then(() => process.disconnect())
})
// Node.js writes the cache when a process exits, and a killed one never does.
flushCompileCache()
send({ kind: 'ready', address: service.address })
