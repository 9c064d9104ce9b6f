// The secondary limit of a forge: so many writes in a minute.

import type { World } from './world.ts'

/** Returns the seconds that a request has to wait, or undefined if it may be sent. */
export function createLimit(world: World): (method: string) => number | undefined {
  let since = 0
  let writes = 0
  return (method) => {
    if (method === 'GET') return undefined
    if (world.now() - since >= 60_000) {
      since = world.now()
      writes = 0
    }
    writes += 1
    return writes > world.switches.writesPerMinute ? Math.ceil((since + 60_000 - world.now()) / 1000) : undefined
  }
}
