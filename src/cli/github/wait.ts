// Waits until the App that a person creates in a browser exists, and shows that it waits.

import type { Clock } from '../../lib/clock.ts'
import type { CommandContext } from '../context.ts'
import { createScreen } from '../screen.ts'

type Waiting<App> = Pick<CommandContext, 'output' | 'stop'> & {
  readonly clock: Clock
  readonly find: () => Promise<App | undefined>
}

const pollMs = 2_000

/** Returns undefined if the address has expired, after a warning, and if a person stops the command. */
export async function waitForApp<App>(
  { output, stop, clock, find }: Waiting<App>,
  { expiresAt }: { readonly expiresAt: string },
): Promise<App | undefined> {
  const screen = createScreen(output)
  const end = Date.parse(expiresAt)
  if (!output.terminal) output.warn('Waiting until the App exists. Ctrl+C stops waiting, not the creation.')
  try {
    for (let left = end - clock.now().getTime(); left > 0 && !stop.aborted; left = end - clock.now().getTime()) {
      const minutes = Math.ceil(left / 60_000)
      screen.live([
        { style: 'dim', text: `Waiting until the App exists; the address works for ${minutes} more minutes …` },
      ])
      const found = await find()
      if (found) return found
      await clock.sleep(pollMs, stop)
    }
  } finally {
    screen.clear()
  }
  if (!stop.aborted) output.warn('The address has expired. Begin again: docent github create-app')
  return undefined
}
