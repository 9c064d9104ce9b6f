// What the steps of one run share: the run, what it works on, and the lease that every write of it must hold.

import { type Budget, narrowBudget } from '../../agent/budget.ts'
import type { Model } from '../../agent/model/types.ts'
import type { Tool } from '../../agent/tool.ts'
import type { Forge } from '../../forge/forge.ts'
import type { Git, Repository } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { JobRow, ProjectRow, RunRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { DatabaseAway } from '../../postgres/unavailable.ts'
import { appendEvents, type JobEvent } from '../events/events.ts'
import { holdLease, type Lease, LeaseLost } from '../queue/claims.ts'
import { lockJob, updateJob } from '../store.ts'

/** The moments of a run between which a process may die; each is announced just after it is so. */
export const runPoints = [
  'claimed',
  'prepared',
  'turn opened',
  'model answered',
  'answer stored',
  'tools ran',
  'results stored',
  'edited',
  'committed',
  'commit stored',
  'pushed',
  'proposed',
  'recorded',
] as const
export type RunPoint = (typeof runPoints)[number]

export type RunDeps = {
  readonly db: Db
  readonly git: Git
  readonly forge: Forge
  /** Throws `model_not_configured` for an id that names no model that the settings give. */
  readonly openModel: (id: string) => Model
  /** The model of projects that name none. */
  readonly modelId: string
  readonly tools: readonly Tool[]
  /** Of the service; a project may have less. */
  readonly budget: Budget
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Told of every point that a run reaches; awaited. For fault tests and traces. */
  readonly reached: (point: RunPoint, runId: string) => Promise<void>
}

/** A claimed run, before anything of its repository is known. */
export type LeasedRun = {
  readonly deps: RunDeps
  readonly run: RunRow
  readonly lease: Lease
  /** Aborted when the lease is lost or the service stops: whatever waits must end. */
  readonly signal: AbortSignal
}

export type RunContext = LeasedRun & {
  readonly job: JobRow
  readonly project: ProjectRow
  /** The id of the model that works on this run. */
  readonly modelId: string
  readonly repository: Repository
}

/** What the run may spend: the service's budget, narrowed by the project's. */
export function budgetOf({ deps, project }: RunContext): Budget {
  return narrowBudget(deps.budget, JSON.parse(project.budget) as Partial<Budget>)
}

type RunWork<T> = (trx: Trx, rows: { readonly job: JobRow; readonly run: RunRow }) => Promise<T>

/**
 * A transaction of this run: locks its job, then the run under its lease (always in this order), and gives both as
 * they are now. Throws `LeaseLost`, also when the job was deleted, and then nothing was written.
 */
export function writeAsRun<T>(context: LeasedRun, work: RunWork<T>): Promise<T> {
  return context.deps.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, context.lease.jobId).catch((error: unknown) => {
      throw error instanceof Failure && error.code === 'not_found' ? new LeaseLost(context.lease.runId) : error
    })
    return work(trx, { job, run: await holdLease(trx, context.lease) })
  })
}

const pauseMs = 500

/** The same, tried again while the database is away, until the signal of the run is aborted: `work` may run twice. */
export async function writePatiently<T>(context: LeasedRun, work: RunWork<T>): Promise<T> {
  for (;;) {
    try {
      return await writeAsRun(context, work)
    } catch (error) {
      if (context.signal.aborted || !(error instanceof DatabaseAway)) throw error
      await context.deps.clock.sleep(pauseMs, context.signal)
    }
  }
}

/** Shows where the run is, and the model that works on it now. `start`: what is told first, once a run. */
export async function setPhase(
  context: RunContext,
  phase: NonNullable<JobRow['phase']>,
  start?: JobEvent,
): Promise<void> {
  const model = context.modelId
  await writeAsRun(context, async (trx, { job }) => {
    if (job.phase !== phase || job.model !== model) await updateJob(trx, job.id, { phase, model })
    const isNew = start !== undefined && !(await wasTold(trx, context.run, start.type))
    const events = [...(isNew ? [start] : []), ...(job.phase === phase ? [] : [{ type: 'phase', phase } as const])]
    if (events.length > 0) await tell(trx, context, ...events)
  })
}

/** Tells the followers of the job, in a transaction of `writeAsRun`. */
export function tell(trx: Trx, { lease }: LeasedRun, ...events: readonly JobEvent[]): Promise<void> {
  return appendEvents(trx, lease, events)
}

async function wasTold(trx: Trx, run: RunRow, type: JobEvent['type']): Promise<boolean> {
  const told = await trx
    .selectFrom('events')
    .select('sequence')
    .where('job_id', '=', run.job_id)
    .where('run_id', '=', run.id)
    .where('type', '=', type)
    .executeTakeFirst()
  return told !== undefined
}

export function reach(context: LeasedRun, point: RunPoint): Promise<void> {
  return context.deps.reached(point, context.run.id)
}
