// Runs the requests of a long command one after the other, shows which is under way, and prints a line for each.

import type { CommandContext } from '../context.ts'
import { CommandFailure } from '../exit.ts'
import { createScreen } from '../screen.ts'

export type Step = {
  /** Shown while the step runs. */
  readonly title: string
  /** The message when the command is stopped before the step. */
  readonly stopped: string
  /** Returns the line to print. */
  readonly run: () => Promise<string>
}

/** `json`: shows and prints nothing. Throws `unavailable` when it is stopped, and what a step throws. */
export async function runSteps(
  { output, stop }: CommandContext,
  steps: readonly Step[],
  { json }: { readonly json?: true },
): Promise<void> {
  const screen = json ? undefined : createScreen(output)
  for (const { title, stopped, run } of steps) {
    if (stop.aborted) throw new CommandFailure('stopped', 'unavailable', stopped)
    screen?.live([{ style: 'gray', text: title }])
    const line = await run()
    screen?.clear()
    if (!json) output.print(line)
  }
}
