// The context that the steps of one run share: the run under its lease, its job, project and repository, and the writes
// that several steps need.

import { type Budget, narrowBudget } from '../../agent/budget/budget.ts'
import type { Model } from '../../agent/model/types.ts'
import type { Tool } from '../../agent/tool.ts'
import type { FactsReader } from '../../checks/facts/reader.ts'
import type { Forge } from '../../forge/forge.ts'
import type { HostOf } from '../../forge/hosted.ts'
import type { Git, Repository } from '../../git/types.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { PageNetwork } from '../../lib/outbound/pages/get-page.ts'
import type { Redactor } from '../../lib/outbound/redactor.ts'
import type { Metrics } from '../../lib/observability/metrics.ts'
import { span } from '../../lib/observability/trace.ts'
import type { JobRow, ProjectRow, RunRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { appendEvents, type JobEvent } from '../events/events.ts'
import { type LeasedRun, writeAsRun } from '../queue/lease.ts'
import type { PageViewReader } from '../options/readings.ts'
import type { ReadSyntax } from '../policy/content/read/threads.ts'
import { changeJob } from '../store.ts'

/** The points of a run between which a process may die. Each is announced as soon as it is reached. */
export const runPoints = [
  'claimed',
  'prepared',
  'turn opened',
  'model responded',
  'response stored',
  'tools ran',
  'results stored',
  'edited',
  'checked',
  'committed',
  'commit stored',
  'pushed',
  'proposed',
  'recorded',
] as const
/** Additional points before 'pushed', on a host that creates the commits itself. */
export const publishPoints = [
  'objects pushed',
  'commit published',
  'published commit stored',
  'temporary ref deleted',
] as const
/** Additional points of a run whose answer was cut off, and of one that ends at its budget. */
export const unusualPoints = ['attempt failed', 'attempt stored', 'budget used up', 'finish stored'] as const
/** Additional points of a run that continues the pull request of an automation, or leaves out what people had rejected. */
export const appendPoints = ['base merged', 'moved', 'dropped hunks stored', 'contribution said'] as const
export type RunPoint =
  | (typeof appendPoints)[number]
  | (typeof runPoints)[number]
  | (typeof publishPoints)[number]
  | (typeof unusualPoints)[number]

export type RunDeps = {
  readonly db: Db
  readonly git: Git
  readonly forge: Forge
  /** The host of a project with pull requests on a forge. */
  readonly hostOf: HostOf
  /** Throws if the run could not publish its change. The message names the missing right, and where to grant it. */
  readonly requireAccess: (projectId: string, signal: AbortSignal) => Promise<void>
  /** Marks the credential that a host refused. Returns the error to throw, with what a person can do. Never throws. */
  readonly explainRefusal: (projectId: string, error: unknown, signal: AbortSignal) => Promise<unknown>
  /** Without a trailing slash; undefined when it is not set. */
  readonly publicUrl: string | undefined
  /** Throws `model_not_configured` for an id that names no configured model. */
  readonly openModel: (id: string) => Model | Promise<Model>
  /** The model of projects without a model of their own. */
  readonly modelId: string
  readonly tools: readonly Tool[]
  /** How pages outside of the repository are requested. */
  readonly pages: PageNetwork
  /** The page views that runs are given as data. */
  readonly pageViews: PageViewReader
  /** Parses changed pages for the policy. */
  readonly readSyntax: ReadSyntax
  /** The id in the notices of a run: always the same for it, and known to nobody who writes in its repository. */
  readonly nonceOf: (runId: string) => string
  readonly redactor: Pick<Redactor, 'hide' | 'redact'>
  /** The budget of the service; a project may lower it. */
  readonly budget: Budget
  /** Reads what the files of all sites say. */
  readonly facts: Pick<FactsReader, 'keptIn' | 'hold'>
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
  readonly metrics: Pick<Metrics, 'turn' | 'failedAttempt'>
  /** Called, and awaited, at every point that a run reaches. For fault tests. */
  readonly reached: (point: RunPoint, runId: string) => Promise<void>
}

export type RunContext = LeasedRun & {
  readonly deps: RunDeps
  /** The job and its project when this claim began. The project has the limits of the job. */
  readonly job: JobRow
  readonly project: ProjectRow
  /** The id of the model that works on this run. */
  readonly modelId: string
  readonly repository: Repository
}

/** The part of a run that a step uses: fields of its context, and of the service. */
export type RunPart<Field extends keyof RunContext, Dep extends keyof RunDeps> = Pick<RunContext, Field> & {
  readonly deps: Pick<RunDeps, Dep>
}

/** The budget of the run: the service's, narrowed by the project's. */
export function budgetOf({ deps, project }: RunPart<'project', 'budget'>): Budget {
  return narrowBudget(deps.budget, JSON.parse(project.budget) as Partial<Budget>)
}

/** Stores the phase of the run and its model. `start` is an event that is added first, once per run. */
export async function setPhase(
  context: LeasedRun & Pick<RunContext, 'modelId'>,
  phase: NonNullable<JobRow['phase']>,
  start?: JobEvent,
): Promise<void> {
  await writeAsRun(context, async (trx, run, job) => {
    // A message may have chosen another one since the claim.
    const model = job.chosen_model ?? context.modelId
    const isNew = start !== undefined && !(await hasEvent(trx, run, start.type))
    const events = [...(isNew ? [start] : []), ...(job.phase === phase ? [] : [{ type: 'phase', phase } as const])]
    const isOther = job.phase !== phase || job.model !== model
    if (isOther) await changeJob(trx, { jobId: job.id, runId: run.id }, { phase, model }, events)
    else if (events.length > 0) await addEvents(trx, run, ...events)
  })
}

/** Adds events of this run, in a transaction of `writeAsRun`. */
export function addEvents(trx: Trx, run: RunRow, ...events: readonly JobEvent[]): Promise<void> {
  return appendEvents(trx, { jobId: run.job_id, runId: run.id }, events)
}

async function hasEvent(trx: Trx, run: RunRow, type: JobEvent['type']): Promise<boolean> {
  const found = await trx
    .selectFrom('events')
    .select('sequence')
    .where('job_id', '=', run.job_id)
    .where('run_id', '=', run.id)
    .where('type', '=', type)
    .executeTakeFirst()
  return found !== undefined
}

type Announced = LeasedRun & { readonly deps: Pick<RunDeps, 'reached'> }

export function reach({ deps, run }: Announced, point: RunPoint): Promise<void> {
  return deps.reached(point, run.id)
}

/** Runs a step, unless the run was cancelled or handed back. Announces `point` when the step is done. */
export async function step<T>(context: Announced, name: string, point: RunPoint, work: () => Promise<T>): Promise<T> {
  context.signal.throwIfAborted()
  const done = await span(`step ${name}`, {}, work)
  await reach(context, point)
  return done
}
