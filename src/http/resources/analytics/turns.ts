// Work that lets other work go first: one piece of it begins in every second turn of the event loop, whatever waits.

import { setImmediate } from 'node:timers/promises'

/** The function that it returns resolves when it is the turn of the caller: in a process without other work, at once. */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve()
  const twoTurns = async () => {
    await setImmediate()
    await setImmediate()
  }
  return () => {
    last = last.then(twoTurns)
    return last
  }
}
