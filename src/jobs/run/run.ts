// Executes one run of a job as a list of steps. Each step may run twice and remembers its result, so any worker can
// continue a run whose process died. A step uses only the value of the previous step.

import type { Git, Repository } from '../../git/types.ts'
import { partOf } from '../../agent/tool.ts'
import { Failure, rewordFailure } from '../../lib/failure.ts'
import type { ProjectRow } from '../../postgres/schema.ts'
import { enforcePolicy } from './enforce.ts'
import { narrowProject } from '../options/limits.ts'
import { modelOf } from '../options/model.ts'
import { type LeasedRun, LeaseLost } from '../queue/lease.ts'
import { openChecks } from './review/open-checks.ts'
import { check, type Checked } from './check.ts'
import { type RunContext, type RunDeps, step } from './context.ts'
import { dropRejected } from './append/drop-rejected.ts'
import { keepHunks } from './append/keep-hunks.ts'
import { sayContribution } from './append/say.ts'
import { commit } from './commit.ts'
import { edit } from './edit.ts'
import { publishChange } from './meanwhile/publish-change.ts'
import { holdQuoted } from './ends/hold-quoted.ts'
import { prepare, type Prepared } from './prepare.ts'
import { type Asked, record } from './ends/record.ts'

/** Throws a Failure, `LeaseLost`, or the reason of an aborted signal when the run does not complete. */
export async function executeRun(deps: RunDeps, leased: LeasedRun): Promise<void> {
  await deps.reached('claimed', leased.run.id)
  const context = await openContext(deps, leased)
  await executeSteps(context).catch(async (error: unknown) => {
    const explained = await deps.explainRefusal(context.project.id, error, context.signal)
    throw rewordFailure(explained, deps.redactor.redact)
  })
}

async function executeSteps(context: RunContext): Promise<void> {
  const prepared = await step(context, 'prepare', 'prepared', () => prepare(context))
  if (prepared === 'moved') return
  const checked = await editAndCheck(context, prepared)
  if (!('review' in checked)) return step(context, 'record', 'recorded', () => record(context, checked))
  const allowed = await enforcePolicy(context, checked)
  const held = await holdQuoted(context, allowed)
  if (held) return step(context, 'record', 'recorded', () => record(context, held))
  const committed = await step(context, 'commit', 'commit stored', () => commit(context, allowed))
  const ended = await publishChange(context, committed)
  await sayContribution(context, committed, ended)
  await keepHunks(context, committed.branch, ended)
  await step(context, 'record', 'recorded', () => record(context, ended))
}

/** A question is not checked: nothing is published, and its edits are carried into the next run. */
async function editAndCheck(context: RunContext, prepared: Prepared): Promise<Checked | Asked> {
  const first = openChecks(context, prepared)
  let checks = first
  try {
    const whole = await step(context, 'edit', 'edited', () => edit(context, prepared, first))
    const edited = await dropRejected(context, whole)
    const { finish } = edited
    if (finish.kind === 'question') return { finish, change: null }
    if (partOf(finish) !== undefined) {
      // The time of these checks may be used up with the seconds of the run.
      checks.close()
      checks = openChecks(context, prepared)
    }
    const last = checks
    return await step(context, 'check', 'checked', () => check(context, edited, last))
  } finally {
    checks.close()
  }
}

async function openContext(deps: RunDeps, leased: LeasedRun): Promise<RunContext> {
  const { id: runId, job_id: jobId } = leased.run
  const job = await deps.db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
  const projectId = job?.project_id ?? ''
  const found = await deps.db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirst()
  if (!job || !found) throw new LeaseLost(runId)
  const project = narrowProject(found, job)
  const modelId = modelOf(job, project, deps.modelId)
  return { ...leased, deps, job, project, modelId, repository: openRepository(deps.git, project) }
}

/**
 * Opens the repository, whose address is checked again: the configuration may have changed since the project was
 * created.
 */
function openRepository(git: Git, project: ProjectRow): Repository {
  try {
    return git.repository(project.id, project.repository, project.fork)
  } catch (cause) {
    if (!(cause instanceof Failure) || cause.code !== 'invalid_input') throw cause
    throw new Failure('repository_unauthorized', `The repository is no longer allowed: ${cause.message}`, { cause })
  }
}
