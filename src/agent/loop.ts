// The agent's loop: one stored turn after another until the model finishes or a budget is used up.
// Each turn is: open (waiting messages are taken) → ask the model → store its response → run its calls → store their
// results with the edits that they made. It can stop anywhere and continues from what is stored: a stored response
// is not asked for again, and calls without stored results run again on the workspace of the turn before.

import type { Clock } from '../lib/clock.ts'
import { Failure } from '../lib/failure.ts'
import type { Redactor } from '../lib/outbound/redactor.ts'
import { mapStrings } from '../lib/outbound/map-strings.ts'
import { type OpenSpan, span } from '../lib/observability/trace.ts'
import { type Budget, type ChangeSize, makeRoom, refuseOverspent, refuseUnpriced, type Spent } from './budget/budget.ts'
import { countCost, countTokens } from './budget/spent.ts'
import { budgetWarnings } from './budget/warning.ts'
import type { NamedSite } from '../sites/find-sites.ts'
import type { Checks } from './checks.ts'
import { type Conversation, createConversation } from './context/conversation.ts'
import type { FailedAttempt, Model, ModelResponse, ModelMessage, TextListener } from './model/types.ts'
import { findCircle } from './circling.ts'
import { circleNotice, cutOffNotice, idleNotice } from './notices/notices.ts'
import { askInstead, countIdleTurns, isIdle } from './ends/idle.ts'
import { type FinishGate, refuseFinish } from './ends/refuse-finish.ts'
import { runTools, type ToolsRan } from './run-tools.ts'
import { sayRefusedEdit } from './refused-edit.ts'
import type { FindAffected, History } from './history.ts'
import type { Pages } from './pages.ts'
import { type Finish, sayKept, type Tool, type ToolContext } from './tool.ts'
import type { Turn } from './transcript.ts'
import type { Sources } from './sources.ts'
import type { Workspace } from './workspace.ts'
import { startOf } from '../lib/plain-text.ts'

/** Stores turns. Every method may throw to end the loop at once (a lost lease); nothing is stored then. */
export interface TurnStore {
  /** Takes the waiting messages and stores them, after the notices, as the input of this turn. */
  open(number: number, notices: readonly ModelMessage[]): Promise<readonly ModelMessage[]>
  /** Counts an attempt at the response of this turn, once. Works after the run was cancelled or handed back, too. */
  saveAttempt(number: number, attempt: FailedAttempt): Promise<void>
  /** `isShortened`: the model got older parts of the conversation in a shorter form than with the turn before. */
  saveResponse(number: number, response: ModelResponse, isShortened?: boolean): Promise<void>
  /**
   * Stores the results with the edits that the workspace has taken since the turn before; `finish` ends the run. Returns
   * them as they were stored: without the finish, if a message waits (`refuseForMessage`).
   */
  saveResults(number: number, ran: ToolsRan): Promise<ToolsRan>
  /** Stores the finish of a run that ends at its budget, after its last turn. */
  saveFinish(finish: Finish): Promise<void>
}

export type LoopContext = FinishGate & {
  readonly model: Model
  readonly tools: readonly Tool[]
  readonly workspace: Workspace
  readonly sources?: Sources
  readonly history?: History
  readonly affected?: FindAffected
  readonly checks?: Checks
  /** The sites that the settings name. */
  readonly sites?: readonly NamedSite[]
  readonly pages?: Pages
  readonly store: TurnStore
  readonly clock: Clock
  readonly budget: Budget
  /** The size of the unpublished change that the run began with. */
  readonly carried?: ChangeSize
  /** Returns the finish of a run whose budget is used up, or throws the failure that it ends with. */
  readonly endAtBudget: (failure: Failure, turns: readonly Turn[]) => Promise<Finish>
  readonly startedAt: Date
  readonly instructions: string
  /** In every notice; the instructions name it. */
  readonly nonce: string
  /** The turns of the job's earlier runs. */
  readonly earlier: readonly Turn[]
  /** Given with the first turn, before the user's message. */
  readonly firstNotices: readonly ModelMessage[]
  /** The same for all runs of a job. */
  readonly cacheKey?: string
  /** Receives the model's text while it arrives. */
  readonly listener?: TextListener
  readonly redactor: Pick<Redactor, 'hide' | 'redact'>
  readonly signal: AbortSignal
}

/** `stored`: this run's turns, in order. Throws a Failure with a job code when the run cannot complete. */
export async function runLoop(context: LoopContext, stored: readonly Turn[]): Promise<Finish> {
  const turns = [...stored]
  try {
    return await runTurns(context, turns)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'budget_exceeded') throw error
    const finish = await context.endAtBudget(error, turns)
    await context.store.saveFinish(finish)
    return finish
  }
}

/** Adds the turns to `turns`. */
async function runTurns(context: LoopContext, turns: Turn[]): Promise<Finish> {
  const conversation = createConversation({ ...context, fixedCharacters: measureFixed(context) })
  for (;;) {
    context.signal.throwIfAborted()
    const turn = await openTurn(context, turns)
    const failed = [...(turn.failed ?? [])]
    const tools = await offeredTools(context)
    const response = turn.response ?? (await respond({ ...context, tools }, conversation, [...turns, turn], failed))
    if (response.finishReason === 'content-filter') throw refusedBy(response, context)
    const ran = await runTools(response.calls, tools, {
      ...toToolContext(context),
      redactor: context.redactor,
      refuseFinish: (wanted) => refuseFinish(wanted, context, turns),
    })
    const asked = askInstead([...turns, { ...turn, response }], context.changed().files)
    const ended = asked ? { ...ran, finish: mapStrings(asked, context.redactor.redact) } : ran
    const { results, finish } = await context.store.saveResults(turn.number, ended)
    turns.push({ ...turn, failed, response, results })
    if (finish) return finish
  }
}

/** A message that joins the run may make a tool useful. */
async function offeredTools(context: LoopContext): Promise<readonly Tool[]> {
  const isOffered = await Promise.all(
    context.tools.map(async (tool) => (await tool.isOffered?.(toToolContext(context))) ?? true),
  )
  return context.tools.filter((_, at) => isOffered[at])
}

function toToolContext(context: LoopContext): ToolContext {
  const { workspace, sources, history, affected, checks, sites = [], pages, signal } = context
  return {
    workspace,
    ...(sources ? { sources } : {}),
    ...(history ? { history } : {}),
    ...(affected ? { affected } : {}),
    ...(checks ? { checks } : {}),
    sites,
    ...(pages ? { pages } : {}),
    signal,
  }
}

/**
 * Returns the last stored turn if it is not complete; otherwise a new one, if budget and repetition limits allow it.
 */
async function openTurn(context: LoopContext, turns: Turn[]): Promise<Turn> {
  const last = turns.at(-1)
  if (last && !last.results) return turns.pop() ?? last
  const spent = spend(context, turns)
  const number = (last?.number ?? 0) + 1
  const given = number === 1 ? context.firstNotices : await nudges(turns, context)
  const notices = [...given, ...budgetWarnings(context.budget, spent, turns)]
  return { number, input: await context.store.open(number, notices), response: undefined, results: undefined }
}

/** Returns what the run used so far. Throws when a budget is used up. */
function spend(context: LoopContext, turns: readonly Turn[]): Spent {
  const { files, bytes } = context.changed()
  const costUsd = countCost(turns)
  refuseUnpriced(context.budget, context.model.id, context.model.isPriced() && costUsd !== null)
  const spent = {
    turns: turns.length,
    tokens: countTokens(turns),
    costUsd,
    seconds: (context.clock.now().getTime() - context.startedAt.getTime()) / 1_000,
    changedFiles: files,
    changedBytes: bytes,
  }
  refuseOverspent(context.carried ? makeRoom(context.budget, context.carried) : context.budget, spent)
  return spent
}

/**
 * Returns notices for a model that repeats itself or does nothing. Throws when a notice was already given without
 * effect.
 */
async function nudges(turns: readonly Turn[], context: LoopContext): Promise<readonly ModelMessage[]> {
  const circle = findCircle(turns)
  if (circle?.stage === 'end') {
    const refusal = circle.holdsRefusal ? ((await context.refusal?.()) ?? refusedEdits(turns)) : undefined
    if (refusal !== undefined) throw new Failure('policy_refused', `Nothing was published: ${refusal}.`)
    throw new Failure('budget_exceeded', `The model ${circle.deed}, with the same results.`)
  }
  // With a question, only a message that waits has kept the run from its end.
  const { files } = context.changed()
  if (isIdle(turns) && !askInstead(turns, files)) throw refusedBy(turns.at(-1)?.response, context)
  if (turns.at(-1)?.response?.finishReason === 'length') return [cutOffNotice()]
  if (circle) return [circleNotice(circle.deed)]
  return countIdleTurns(turns) > 0 ? [idleNotice(files)] : []
}

/** Names the edits that the policy refused: the last three; undefined when it refused no edit. */
function refusedEdits(turns: readonly Turn[]): string | undefined {
  const refused = turns.flatMap(({ results = [] }) => results.flatMap(({ facts }) => facts?.refused ?? []))
  const words = [...new Set(refused.map(sayRefusedEdit))].slice(-3)
  return words.length === 0 ? undefined : `the path policy of the project refuses the change: ${words.join('; ')}`
}

/**
 * Asks the model for the response of the last turn, and stores it. Adds to `failed` each attempt whose response began and
 * did not end.
 */
async function respond(
  context: LoopContext,
  conversation: Conversation,
  turns: readonly Turn[],
  failed: FailedAttempt[],
): Promise<ModelResponse> {
  const { instructions, tools, cacheKey, listener, model, store } = context
  const number = turns.at(-1)?.number ?? 1
  const saveAttempt = async (attempt: FailedAttempt) => {
    await store.saveAttempt(number, attempt)
    failed.push(attempt)
  }
  const { response, isShortened } = await conversation.ask(turns, (messages) => {
    const ask = async (open: OpenSpan) => {
      const request = { instructions, messages, tools, cacheKey, listener, failed: [...failed], saveAttempt }
      const made = await model.respond(request, context.signal)
      open.set({ ...spentBy(made), 'gen_ai.response.finish_reasons': [made.finishReason] })
      return made
    }
    return span(`chat ${model.id}`, aboutModel(model, turns), ask, { kind: 'client' })
  })
  await store.saveResponse(number, response, isShortened)
  return response
}

function measureFixed({ instructions, tools }: LoopContext): number {
  return instructions.length + tools.reduce((sum, tool) => sum + tool.description.length + 500, 0)
}

/** The names are OpenTelemetry's for generative models. */
function aboutModel({ id }: Model, turns: readonly Turn[]) {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': id.slice(0, id.indexOf('/')),
    'gen_ai.request.model': id.slice(id.indexOf('/') + 1),
    'docent.turn': turns.at(-1)?.number,
  }
}

function spentBy({ usage }: ModelResponse) {
  return {
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedInputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
  }
}

function refusedBy(response: ModelResponse | undefined, { changed }: LoopContext): Failure {
  const words = startOf(response?.text.trim() ?? '', 500)
  const ended =
    words === '' ? 'The model ended without doing or saying anything.' : `The model ended without finishing: ${words}`
  const kept = `Nothing of this run was published. ${sayKept(changed().files)}: send a message to continue.`
  return new Failure('model_refused', words === '' ? `${ended} ${kept}` : `${ended}\n\n${kept}`)
}
