// The end of a run whose budget is used up. A project that wants it gets a finish that the service writes, from nothing
// but facts: the messages of the branch, the size of the change, and the last words of the model. Otherwise the run fails,
// and the error says what is kept and how to continue. Pure.

import type { Budget, ChangeSize } from '../../../agent/budget/budget.ts'
import { type Finish, sayKept } from '../../../agent/tool.ts'
import type { Turn } from '../../../agent/transcript.ts'
import type { BudgetEnd } from '../../../projects/setting-fields.ts'
import { Failure } from '../../../lib/failure.ts'
import { plainText, quoteMarkdown, shorten } from '../../../lib/plain-text.ts'

export type AtBudget = {
  /** Says which budget is used up. */
  readonly failure: Failure
  readonly wanted: BudgetEnd
  readonly budget: Budget
  /** The unpublished change. */
  readonly changed: ChangeSize
  /** The messages of the branch, in order. */
  readonly prompts: readonly string[]
  /** The turns of the run. */
  readonly turns: readonly Turn[]
}

/** Returns the finish, or throws `budget_exceeded`. A change beyond its own budget is never published. */
export function endAtBudget(at: AtBudget): Finish {
  const { failure, wanted, changed } = at
  const kept = sayKept(changed.files)
  if (changed.files === 0) throw explained(failure, `${kept}: send a message to continue.`)
  if (isTooLarge(at)) {
    throw explained(failure, `${kept}, not published: send a message that says what to undo, or raise the budget.`)
  }
  if (wanted === 'keep') {
    throw explained(failure, `${kept}: send a message to continue, or set onBudgetEnd to publish.`)
  }
  return { kind: 'change', title: titleOf(at), summary: summaryOf(at), unfinished: failure.message }
}

function isTooLarge({ budget, changed }: AtBudget): boolean {
  return changed.files > budget.changedFiles || changed.bytes > budget.changedBytes
}

function explained(failure: Failure, advice: string): Failure {
  return new Failure('budget_exceeded', `${failure.message} ${advice}`, { cause: failure })
}

const titleCharacters = 100
const shownPrompts = 5
const shownTexts = 2
const shownCharacters = 1_000

function titleOf({ prompts }: AtBudget): string {
  const [line = ''] = plainText(prompts[0] ?? '')
    .trim()
    .split('\n', 1)
  return `Part: ${shorten(line.replaceAll('\t', ' ').trim(), titleCharacters) || 'Update the documentation'}`
}

function summaryOf({ failure, changed: { files, bytes }, prompts, turns }: AtBudget): string {
  const said = turns.flatMap(({ response }) => response?.text.trim() || []).slice(-shownTexts)
  const asked = prompts.slice(-shownPrompts)
  const size = `${files} ${files === 1 ? 'file' : 'files'}, ${bytes.toLocaleString('en-US')} bytes`
  return [
    `This is a part of the work. ${failure.message} The agent had changed ${size}, and it had not finished. To continue, send the job a message.`,
    prompts.length > asked.length
      ? `The last ${asked.length} of ${prompts.length} messages asked for:`
      : 'The job was asked for:',
    ...asked.map(quote),
    ...(said.length === 0
      ? ['The agent did not say what it would do next.']
      : ['The last words of the agent:', ...said.map(quote)]),
  ].join('\n\n')
}

function quote(text: string): string {
  return quoteMarkdown(plainText(shorten(text.trim(), shownCharacters)))
}
