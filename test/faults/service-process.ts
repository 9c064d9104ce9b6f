// The service as a process of its own that stops where it is told to: at the n-th point that its runs reach after it
// was armed, it says so and waits to be killed. Started by `crashing-service.ts`.

import { parseConfig } from '../../src/config/config.ts'
import { readEnvironment } from '../../src/config/environment.ts'
import { serve, type ServeOptions } from '../../src/service/service.ts'
import type { FromService, ToService } from './crashing-service.ts'

const armed = { left: Number(process.env['STOP_AT_POINT'] || Infinity) }

function tell(message: FromService): void {
  process.send?.(message)
}

const resumed = Promise.withResolvers<void>()

process.on('message', (message: ToService) => {
  if ('resume' in message) return resumed.resolve()
  armed.left = message.stopAtPoint
  tell({ kind: 'armed' })
})

const role = process.env['ROLE'] as ServeOptions['role']
const service = await serve(parseConfig(readEnvironment()), {
  ...(role ? { role } : {}),
  reached: (point) => {
    tell({ kind: 'reached', point })
    armed.left -= 1
    if (armed.left > 0) return Promise.resolve()
    tell({ kind: 'stopped', point })
    return resumed.promise
  },
})
process.once('SIGTERM', () => {
  void service.stop().then(() => process.disconnect())
})
tell({ kind: 'ready', address: service.address })
