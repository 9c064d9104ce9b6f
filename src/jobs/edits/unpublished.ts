// Whether the branch lacks the edits of a run that has ended. They are kept then: the diff shows them, and the next run
// of the job begins with them. Pure.

import type { Finish } from '../../agent/tool.ts'
import type { RunRow } from '../../postgres/schema.ts'

/** A failed run may have pushed its commit before it failed. */
export function mayLackEdits({ error_code: code, finish }: Pick<RunRow, 'error_code' | 'finish'>): boolean {
  return code !== null || hasAsked(finish)
}

function hasAsked(finish: string | null): boolean {
  return finish !== null && (JSON.parse(finish) as Finish).kind === 'question'
}
