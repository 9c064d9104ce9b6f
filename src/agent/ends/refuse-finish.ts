// Decides whether the model may end the run: something is changed, within the budget, allowed by the policy, and without
// new problems in the documentation. Every reason for a refusal is a message that the model can act on.

import type { Budget, ChangeSize } from '../budget/budget.ts'
import type { PageLoss } from '../../docs-syntax/page.ts'
import type { FoundProblems } from '../checks.ts'
import type { Refusal, ToolsRan } from '../run-tools.ts'
import type { Finish, FinishRefusal } from '../tool.ts'
import { sayLosses, sayProblem } from '../tools/check.ts'
import type { Turn } from '../transcript.ts'

export type FinishGate = {
  readonly budget: Pick<Budget, 'changedFiles' | 'changedBytes'>
  /** Returns the size of the run's changes so far. */
  readonly changed: () => ChangeSize
  /** Explains why the changes so far may not be published; undefined when they may. Called at every finish. */
  readonly refusal?: () => Promise<string | undefined>
  /** Returns the first new problems of the changes; undefined when the documentation cannot be checked. May take minutes. */
  readonly newProblems?: () => Promise<FoundProblems | undefined>
  /** Returns the terms of the changes that were found nowhere. */
  readonly ungrounded?: () => Promise<readonly UngroundedTerm[]>
}

export type UngroundedTerm = { readonly path: string; readonly line: number; readonly term: string }

/** After them, the service decides what becomes of the problems. */
const mostRefusalsForProblems = 2

/**
 * Explains why this finish is refused. The budget counts here too: the finishing turn may be the one that overspends.
 * `turns`: those of this run before the finish.
 */
export async function refuseFinish(
  finish: Finish,
  gate: FinishGate,
  turns: readonly Turn[],
): Promise<Refusal | undefined> {
  // It publishes nothing.
  if (finish.kind === 'question') return undefined
  const { files, bytes } = gate.changed()
  const { changedFiles, changedBytes } = gate.budget
  if (finish.kind === 'change' && files === 0) {
    return { code: 'nothing_changed', because: 'no file is changed; say so with noChange and a reason' }
  }
  if (finish.kind === 'no_change' && files > 0) {
    const because =
      'files are changed, perhaps by an earlier run; finish with a title and a summary, or revert them first'
    return { code: 'files_changed', because }
  }
  if (files > changedFiles || bytes > changedBytes) {
    const because = `the changes exceed the budget of ${changedFiles} files and ${changedBytes} bytes`
    return { code: 'over_budget', because }
  }
  const because = await gate.refusal?.()
  if (because !== undefined) return { code: 'policy', because }
  if (files === 0) return undefined
  return (await refuseProblems(gate, turns)) ?? (await askAboutTerms(gate, turns))
}

/**
 * The results when a message arrived before they were stored: the run continues, and the message comes with its next turn.
 */
export function refuseForMessage({ results, finish }: ToolsRan): ToolsRan {
  if (!finish) return { results, finish }
  const refused = { text: 'Not finished: a message of the user waits; it follows.', isError: true }
  const facts = { refusal: 'message_waits' } as const
  return {
    results: results.map((one) => (one.tool === 'finish' && !one.isError ? { ...one, ...refused, facts } : one)),
    finish: undefined,
  }
}

/** Once: losing them may be what the user asked for. */
function askAboutLosses(losses: readonly PageLoss[]): Refusal | undefined {
  if (losses.length === 0) return undefined
  const because =
    'your changes lost the following. Put back what nobody asked you to remove; if all of it was asked for, call finish again and say so in the summary'
  return { code: 'losses', because, lines: sayLosses(losses) }
}

const mostTerms = 50

/** Once: the model may know why a term is right, and people see what is left. */
async function askAboutTerms({ ungrounded }: FinishGate, turns: readonly Turn[]): Promise<Refusal | undefined> {
  if (timesRefused(turns, 'ungrounded') > 0) return undefined
  const terms = (await ungrounded?.()) ?? []
  if (terms.length === 0) return undefined
  const because =
    'your changes have names or values that are nowhere in the documentation before, the repository, its sources, the messages and the pages that you read. Correct what you guessed; what is right may stay: call finish again, and say under "Please check" where it is from'
  const lines = terms.slice(0, mostTerms).map(({ path, line, term }) => `${path} line ${line}: ${term}`)
  const more = terms.length > mostTerms ? [`and ${terms.length - mostTerms} more`] : []
  return { code: 'ungrounded', because, lines: [...lines, ...more] }
}

function timesRefused(turns: readonly Turn[], code: FinishRefusal): number {
  return turns.flatMap(({ results = [] }) => results.filter(({ facts }) => facts?.refusal === code)).length
}

async function refuseProblems({ newProblems }: FinishGate, turns: readonly Turn[]): Promise<Refusal | undefined> {
  if (timesRefused(turns, 'checks') >= mostRefusalsForProblems) return undefined
  const found = await newProblems?.()
  if (!found) return undefined
  const { counts, problems, losses } = found
  if (counts.new === 0) return timesRefused(turns, 'losses') > 0 ? undefined : askAboutLosses(losses)
  const part = problems.length < counts.new ? ` The first ${problems.length} are listed, check lists the others.` : ''
  const amount = counts.new === 1 ? 'a new problem' : `${counts.new} new problems`
  return {
    code: 'checks',
    because: `your changes bring ${amount} into the documentation.${part} Fix them, then call finish again`,
    problems,
    lines: problems.map(sayProblem),
  }
}
