// A model that calls no tool: it gets one notice, and the second time its words are a question to the user. Nothing here
// reads what the words say. Pure.

import { isNotice } from '../notices/notices.ts'
import type { Finish } from '../tool.ts'
import type { Turn } from '../transcript.ts'

const idleTurnsBeforeEnd = 2

/** Counts the turns at the end that had no call, not even a wrong one, since the user's last message. */
export function countIdleTurns(turns: readonly Turn[]): number {
  let idle = 0
  for (const turn of turns.toReversed()) {
    if (!turn.response || turn.response.calls.length > 0 || turn.response.messages.some((m) => m.role === 'tool')) break
    idle += 1
    if (turn.input.some((message) => message.role === 'user' && !isNotice(message))) break
  }
  return idle
}

/** Whether the model ignored the notice. */
export function isIdle(turns: readonly Turn[]): boolean {
  return countIdleTurns(turns) >= idleTurnsBeforeEnd
}

/**
 * Returns the end of a run whose last turn ignored the notice: the last words since then are the question. Undefined
 * without any words, and while they are cut off at the length limit. `keptFiles`: the changed files of the run.
 */
export function askInstead(turns: readonly Turn[], keptFiles: number): Finish | undefined {
  if (!isIdle(turns) || turns.at(-1)?.response?.finishReason === 'length') return undefined
  const said = turns.slice(-countIdleTurns(turns)).map(({ response }) => response?.text.trim() ?? '')
  const question = said.findLast((text) => text !== '')
  return question === undefined ? undefined : { kind: 'question', question, keptFiles }
}
