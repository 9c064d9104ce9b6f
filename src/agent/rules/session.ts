// The planner: takes the events of a conversation in order and returns the next calls.
//
// Instructions wait in a queue, and each has a script. A turn of the conversation is one step of the current script, and
// the script receives its results. `finish` follows the last script. The state is therefore a function of the events: the
// same beginning of a conversation always leads to the same calls. After turns of another model, the current script
// starts again. A new run also starts unfinished work again, because the files may have changed. Finished work stays in
// the report.

import type { Instruction } from './instruction.ts'
import { notUnderstood } from './instruction.ts'
import { parsePrompt } from './parse.ts'
import type { PresentText } from '../notices/notices.ts'
import { type Finished, finishCall } from './report.ts'
import { type CallResult, type Call, type Memo, type Outcome, type Script, type Step, unchanged } from './script.ts'
import { startScript } from './scripts.ts'
import { checkChanges } from './scripts/check-changes.ts'
import type { Event } from './transcript.ts'

type Task = {
  /** Undefined: check what the other tasks changed. */
  readonly instruction: Instruction | undefined
  /** The outcome of an earlier attempt. */
  readonly before: Outcome | undefined
}
type AtWork = { readonly task: Task; readonly script: Script; step: Step; edits: number }

type State = {
  readonly queue: Task[]
  readonly finished: Finished[]
  /** Whether the changes were checked. */
  isChecked: boolean
  atWork: AtWork | undefined
  /** The last message, if it was not understood and no turn followed it. */
  problem: string | undefined
  /** Set after the service refused the form of the last finish. */
  mustChange: boolean | undefined
  lastReport: readonly Finished[]
  /** The text of the pull request that the run continues. */
  present: PresentText | undefined
}

const checking: Task = { instruction: undefined, before: undefined }
const changing = /^(?:edit_file|write_file|move_file|delete_file)$/

/** Returns the next calls. Throws `model_not_configured` when the last message is not understood. */
export function planStep(events: readonly Event[], memo: Memo): Step {
  const state: State = {
    queue: [],
    finished: [],
    isChecked: true,
    atWork: undefined,
    problem: undefined,
    mustChange: undefined,
    lastReport: [],
    present: undefined,
  }
  for (const event of events) {
    if (event.kind === 'user') takeMessage(state, event.text)
    else if (event.kind === 'turn') replay(state, event, memo)
    else if (event.notice === 'new_run') beginAgain(state)
    else if (event.notice === 'pull_request') state.present = event.present
  }
  if (state.problem !== undefined) throw notUnderstood(state.problem)
  return nextStep(state, memo)
}

function takeMessage(state: State, text: string): void {
  passOver(state)
  const parsed = parsePrompt(text)
  if ('problem' in parsed) state.problem = parsed.problem
  else state.queue.push(...pagesFirst(parsed.instructions).map((instruction) => ({ instruction, before: undefined })))
}

/** Moves and deletions before the texts that they follow: the report of a text then names pages that are there. */
function pagesFirst(instructions: readonly Instruction[]): readonly Instruction[] {
  const ordered: Instruction[] = []
  for (const one of instructions) {
    const isOfPage = one.kind === 'move' || one.kind === 'delete'
    const last = ordered.findLastIndex((other) => other.kind !== 'replace' || other.scopes.length > 0)
    ordered.splice(isOfPage ? last + 1 : ordered.length, 0, one)
  }
  return ordered
}

/** Adds a message that was not understood to the report, when the conversation continued after it. */
function passOver(state: State): void {
  if (state.problem === undefined) return
  state.finished.push({
    instruction: undefined,
    outcome: unchanged(`Not understood and not done: “${state.problem}”.`),
  })
  state.problem = undefined
}

function replay(state: State, turn: Extract<Event, { kind: 'turn' }>, memo: Memo): void {
  passOver(state)
  const step = nextStep(state, memo)
  const isOurs =
    step.calls.length === turn.calls.length && step.calls.every((call, index) => isSame(call, turn.calls[index]?.tool))
  const results = turn.calls.map(({ id }) => turn.results.get(id) ?? { text: 'Not run.', isError: true })
  if (!isOurs) {
    const at = turn.calls.findIndex(({ tool }, index) => tool === 'finish' && !results[index]?.isError)
    if (at !== -1) {
      state.queue.splice(0)
      takeFinish(state, results[at])
    } else if (state.atWork?.task.instruction) state.queue.unshift(state.atWork.task)
    state.atWork = undefined
  } else if (state.atWork) advance(state, state.atWork, results)
  else takeFinish(state, results[0])
}

function isSame(call: Call, tool: string | undefined): boolean {
  return call.tool === tool
}

function nextStep(state: State, memo: Memo): Step {
  while (!state.atWork) {
    const task = state.queue.shift() ?? (state.isChecked ? undefined : checking)
    if (!task) return { note: 'Done.', calls: [finishCall(reportOf(state), state)] }
    const script = task.instruction ? startScript(task.instruction, memo) : checkChanges()
    const first = script.next()
    if (first.done) complete(state, task, first.value)
    else state.atWork = { task, script, step: first.value, edits: 0 }
  }
  return state.atWork.step
}

function advance(state: State, atWork: AtWork, results: readonly CallResult[]): void {
  const { task, script, step } = atWork
  atWork.edits += step.calls.filter((call, index) => changing.test(call.tool) && !results[index]?.isError).length
  const next = script.next(results)
  if (next.done) {
    state.atWork = undefined
    complete(state, task, next.value)
  } else atWork.step = next.value
}

function complete(state: State, { instruction, before }: Task, ended: Outcome): void {
  const outcome = ended.changed ? ended : (before ?? ended)
  state.finished.push({ instruction, outcome })
  state.isChecked = !instruction || (state.isChecked && !outcome.changed)
}

/** Closes the report after an accepted finish; tries the other form after a refused one. */
function takeFinish(state: State, result: CallResult | undefined): void {
  if (result && !result.isError) {
    state.lastReport = [...reportOf(state)]
    state.finished.splice(0)
    state.isChecked = true
    state.mustChange = undefined
  } else if (result?.facts?.refusal === 'nothing_changed') state.mustChange = false
  else if (result?.facts?.refusal === 'files_changed') state.mustChange = true
}

/** Returns the previous report when the conversation contains nothing new. */
function reportOf({ finished, lastReport }: State): readonly Finished[] {
  return finished.length > 0 ? finished : lastReport
}

function beginAgain(state: State): void {
  const done = state.finished.splice(0).flatMap(({ instruction, outcome }): Task[] => {
    if (!instruction) return []
    return [{ instruction, before: outcome.changed ? outcome : undefined }]
  })
  const { atWork } = state
  const begun: Outcome = { changed: true, done: ['Went on with what an earlier run had begun.'], left: [] }
  const again = atWork?.task.instruction
    ? [{ ...atWork.task, before: atWork.edits > 0 ? begun : atWork.task.before }]
    : []
  state.queue.unshift(...done, ...again)
  state.isChecked = true
  state.atWork = undefined
  state.mustChange = undefined
  state.present = undefined
}
