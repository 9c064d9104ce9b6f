// The part of its budget that the newest run of a job has used, from the events. Pure.

import type { JobEvent } from '../../api/jobs.ts'

type Turn = Extract<JobEvent, { readonly type: 'turn' }>
export type Used = { readonly name: string; readonly used: number; readonly limit: number }

/** Empty before the first run has started. */
export function usedOf(events: readonly JobEvent[]): readonly Used[] {
  const start = events.findLast((event) => event.type === 'run_started')
  if (start?.type !== 'run_started') return []
  const turns = events.filter((event) => event.type === 'turn')
  const own = turns.filter(({ runId }) => runId === start.runId)
  const before = turns.findLast(({ runId }) => runId !== start.runId)
  const tokens = own.reduce((sum, { usage }) => sum + tenthsOf(usage), 0) / 10
  const { budget } = start
  const all: Used[] = [
    { name: 'Turns', used: own.length, limit: budget.turns },
    { name: 'Tokens', used: tokens, limit: budget.tokens },
  ]
  const total = own.at(-1)?.total.costUsd ?? 0
  if (budget.costUsd !== null)
    all.push({ name: 'Cost', used: Math.max(0, total - (before?.total.costUsd ?? 0)), limit: budget.costUsd })
  return all
}

/** In tenths of a token: input that the provider read from its cache counts one tenth, as in the service. */
function tenthsOf({ inputTokens, cachedInputTokens, outputTokens }: Turn['usage']): number {
  return 10 * (inputTokens + outputTokens) - 9 * cachedInputTokens
}
