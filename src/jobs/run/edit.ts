// Runs the agent's loop on the workspace: the tree of the run's start with the edits stored so far.

import type { ChangeSize } from '../../agent/budget/budget.ts'
import { createInstructions } from '../../agent/instructions.ts'
import { type LoopContext, runLoop, type TurnStore } from '../../agent/loop.ts'
import type { ModelMessage } from '../../agent/model/types.ts'
import { besideSources, type Sources } from '../../agent/sources.ts'
import { newRunNotice, notice, pullRequestNotice } from '../../agent/notices/notices.ts'
import type { Finish } from '../../agent/tool.ts'
import type { Turn } from '../../agent/transcript.ts'
import { createOverlay, type Overlay } from '../../git/write/overlay.ts'
import type { Edit } from '../../git/types.ts'
import { createFindAffected } from '../affected-pages/for-run.ts'
import { createAgentChecks } from './review/agent-checks.ts'
import { checkSettingsOf } from './review/open-checks.ts'
import { beginAfterRequest } from './review/begin-after-request.ts'
import type { RunChecks } from '../review/run-checks.ts'
import type { Failure } from '../../lib/failure.ts'
import { loadTimeline } from '../appends/load-timeline.ts'
import { loadMessages } from '../review/branch-history.ts'
import { mapStrings } from '../../lib/outbound/map-strings.ts'
import { endAtBudget } from './ends/at-budget.ts'
import { createBranch } from './branch.ts'
import { loadEdits } from '../edits/stored-edits.ts'
import { createLiveText, type LiveTextSender } from '../events/live-text.ts'
import { eventNotices } from './brief/event-data.ts'
import { introduce } from './brief/introduce.ts'
import { rejectedNotices } from './brief/rejected.ts'
import { openSwitchingModel, type SwitchingModel } from '../options/switch-model.ts'
import { guardWorkspace } from '../policy/guard.ts'
import { judgeEdits, type Judging, policyOf } from '../policy/judge-edits.ts'
import { findPrivate, openHistory, openSources, sourcesOf } from '../sources/open.ts'
import { describePolicy, sayRefused } from '../policy/words.ts'
import { ungroundedIn } from './grounding/find-ungrounded.ts'
import { loadFinishes } from './describe/finishes.ts'
import { budgetOf, type RunContext, type RunPart, setPhase } from './context.ts'
import { loadEarlier } from './earlier/past-runs.ts'
import { createPages } from './pages/pages.ts'
import { watchPrivateReads } from './pages/private-reads.ts'
import { noReadings, readForRun, type Readings } from './readings/readings.ts'
import { createTurnStore, loadTurns, type TurnWork } from './turns.ts'
import type { Prepared } from './prepare.ts'

export type Edited = Prepared & {
  readonly finish: Finish
  /** The differences from the start, at most one per path. */
  readonly edits: readonly Edit[]
}

export async function edit(context: RunContext, prepared: Prepared, checks: RunChecks): Promise<Edited> {
  const { deps, run } = context
  const stored = await loadEdits(deps.db, run.id)
  const overlay = await createOverlay(context.repository, prepared.start, stored)
  const base = await context.repository.tree(prepared.start)
  const judging = { policy: policyOf(context.project), base, reading: deps.readSyntax, signal: context.signal }
  if (run.finish !== null) return { ...prepared, finish: JSON.parse(run.finish) as Finish, edits: overlay.edits() }
  await setPhase(context, 'editing')
  const turns = await loadTurns(deps.db, run.id)
  const readings = turns.length === 0 ? await readForRun(context, prepared) : noReadings
  if (readings.finish) return { ...prepared, finish: readings.finish, edits: overlay.edits() }
  const carried = stored.filter((one) => one.turn === 0)
  const changed = () => sizeOf(overlay.edits())
  const listener = createLiveText({ db: deps.db, clock: deps.clock, jobId: run.job_id, runId: run.id })
  const model = await openSwitchingModel(context, createOpen(context, prepared, checks))
  const earlier = await loadEarlier(context, turns, model)
  const nonce = deps.nonceOf(run.id)
  const files = await openFiles(context, prepared, { overlay, judging })
  const opened: TurnWork['opened'] = (trx, job) => model.note(trx, job)
  const store = createTurnStore(context, { opened, takeEdits: () => overlay.takeEdits(), measure: changed })
  const loop = {
    model,
    tools: deps.tools,
    ...files,
    ...openOutside(context, prepared, { sources: files.sources, turns, earlier: earlier.turns }),
    ...createAgentChecks(context, checks, () => overlay.edits()),
    ungrounded: () => ungroundedIn(context, { ...prepared, edits: overlay.edits() }),
    sites: checkSettingsOf(context.project).sites,
    store: switchWithMessages(announceTurns(store, listener, turns.at(-1)?.number ?? 0), model),
    clock: deps.clock,
    budget: budgetOf(context),
    carried: sizeOf(carried),
    endAtBudget: createBudgetEnd(context, prepared, changed),
    startedAt: run.started_at ?? deps.clock.now(),
    instructions: createInstructions(nonce),
    nonce,
    earlier: earlier.turns,
    firstNotices: turns.length > 0 ? [] : await openNotices(context, prepared, { carried, earlier, readings, files }),
    cacheKey: context.job.id,
    refusal: () => refusalOf(judging, overlay.edits()),
    changed,
    redactor: deps.redactor,
    listener,
    signal: context.signal,
  }
  try {
    const finish = await runLoop(loop, turns)
    return { ...prepared, finish, edits: overlay.edits() }
  } finally {
    await listener.close()
  }
}

/** Everything that tools read, and the documentation as they may change it. */
async function openFiles(
  context: RunPart<'project' | 'repository' | 'signal', 'facts' | 'git'>,
  prepared: Prepared,
  { overlay, judging }: { readonly overlay: Overlay; readonly judging: Judging },
): Promise<Pick<LoopContext, 'affected' | 'history' | 'workspace'> & { readonly sources: Sources }> {
  const sources = await openSources(context.deps.git, prepared.sources)
  const docs = guardWorkspace({ ...overlay, branch: createBranch(context, prepared, overlay) }, judging)
  const history = openHistory(context.repository, prepared.base.commit, prepared.tags)
  const affected = createFindAffected(context, prepared)
  return { workspace: besideSources(docs, sources), sources, history, affected }
}

type Seen = { readonly sources: Sources; readonly turns: readonly Turn[]; readonly earlier: readonly Turn[] }

/** Pages outside of the repository, and the sources, whose reading narrows which of them may be read. */
function openOutside(context: RunContext, { base, sources: run }: Prepared, { sources, turns, earlier }: Seen) {
  const watched = watchPrivateReads(sources, {
    turns: [...earlier, ...turns],
    findPrivate: () => findPrivate(context.deps.git, run, context.signal),
  })
  const { hasReadPrivate } = watched
  return { sources: watched.sources, pages: createPages(context, { base: base.commit, turns, hasReadPrivate }) }
}

/** The model comes first: the check of the base and the history of the repositories follow its first request. */
function createOpen(
  { deps, repository }: RunPart<'repository', 'clock' | 'git' | 'openModel'>,
  { sources }: Prepared,
  checks: RunChecks,
) {
  let isBegun = false
  const follow = () => {
    checks.begin()
    // Once in a run: a host that refuses is not asked again with every turn.
    if (!isBegun) for (const one of [repository, ...sourcesOf(deps.git, sources)]) one.bringHistory()
    isBegun = true
  }
  return async (id: string) => beginAfterRequest(await deps.openModel(id), follow, deps.clock)
}

/** Ends the run at its budget as the project wants it: with a finish of the service, or with a failure. */
function createBudgetEnd(
  context: RunPart<'job' | 'project' | 'run', 'budget' | 'db' | 'redactor'>,
  { branch }: Prepared,
  changed: () => ChangeSize,
) {
  const { deps, project, job, run } = context
  return async (failure: Failure, turns: readonly Turn[]): Promise<Finish> => {
    const prompts = await loadMessages({ db: deps.db, jobId: job.id, branch, upTo: run.number })
    const at = { failure, wanted: project.on_budget_end, budget: budgetOf(context), changed: changed(), prompts, turns }
    return mapStrings(endAtBudget(at), deps.redactor.redact)
  }
}

/** Gives the listener the number of the turn that its text belongs to. */
function announceTurns(store: TurnStore, listener: LiveTextSender, last: number): TurnStore {
  listener.begin(last)
  return {
    ...store,
    open: (number, notices) => {
      listener.begin(number)
      return store.open(number, notices)
    },
  }
}

/** A message may change the model: the new one answers it. */
function switchWithMessages(store: TurnStore, model: SwitchingModel): TurnStore {
  return {
    ...store,
    open: async (number, notices) => {
      const input = await store.open(number, notices)
      await model.refresh()
      return input
    },
  }
}

type Known = {
  readonly carried: readonly Edit[]
  readonly earlier: Awaited<ReturnType<typeof loadEarlier>>
  readonly readings: Readings
  readonly files: { readonly sources: Sources }
}

async function openNotices(
  context: RunContext,
  prepared: Prepared,
  { carried, earlier, readings, files: { sources } }: Known,
): Promise<readonly ModelMessage[]> {
  return [
    ...firstNotices(context, carried),
    ...(await presentText(context, prepared)),
    ...earlier.notices,
    ...(await eventNotices(context)),
    ...readings.notices,
    ...(await rejectedNotices(context)),
    ...(await introduce(context, prepared, { earlier: earlier.turns, sources })),
  ]
}

function firstNotices(
  { run, project }: Pick<RunContext, 'project' | 'run'>,
  carried: readonly Edit[],
): readonly ModelMessage[] {
  const policy = describePolicy(policyOf(project))
  const notices = policy === undefined ? [] : [notice('policy', policy)]
  if (run.number === 1) return notices
  return [newRunNotice(carried.length), ...notices]
}

/** The text of the pull request that this run continues, as the service wrote it. */
async function presentText(
  { deps, job, run }: RunPart<'job' | 'run', 'db'>,
  { branch, pull }: Prepared,
): Promise<readonly ModelMessage[]> {
  const history = { db: deps.db, jobId: job.id, branch, upTo: run.number - 1 }
  // A text with the contributions of all runs is written by the service: this one describes its own.
  if (!pull || (await loadTimeline(history, job))) return []
  const finishes = await loadFinishes(history)
  const present = finishes.findLast((finish) => finish.kind === 'change')
  return present ? [pullRequestNotice({ title: present.title, summary: present.summary })] : []
}

async function refusalOf(judging: Judging, edits: readonly Edit[]): Promise<string | undefined> {
  const problem = sayRefused(await judgeEdits(judging, edits))
  return problem === undefined ? undefined : `${problem}; make these files what they were before`
}

function sizeOf(edits: readonly Edit[]): ChangeSize {
  return { files: edits.length, bytes: edits.reduce((sum, { content }) => sum + (content?.byteLength ?? 0), 0) }
}
