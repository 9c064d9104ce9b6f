// One run of a job: a list of steps. Each may run twice, and each remembers what it did, so that a run whose process
// died is continued by any worker. A step takes the value of the one before it and never reaches back.

import type { Git, Repository } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import { span } from '../../lib/trace.ts'
import type { ProjectRow } from '../../postgres/schema.ts'
import { type LeasedRun, reach, type RunContext } from './context.ts'
import { LeaseLost, refuseExhausted } from '../queue/claims.ts'
import { commit } from './commit.ts'
import { edit } from './edit.ts'
import { enforcePolicy } from './enforce-policy.ts'
import { prepare } from './prepare.ts'
import { propose } from './propose.ts'
import { push } from './push.ts'
import { record } from './record.ts'

/** Throws what ends the run otherwise: a Failure, `LeaseLost`, or the reason of an aborted signal. */
export async function executeRun(leased: LeasedRun): Promise<void> {
  await reach(leased, 'claimed')
  refuseExhausted(leased.run)
  const context = await openContext(leased)
  const prepared = await span('step prepare', {}, () => prepare(context))
  await reach(context, 'prepared')
  const edited = await span('step edit', {}, () => edit(context, prepared))
  await reach(context, 'edited')
  const committed = await span('step commit', {}, () => commit(context, enforcePolicy(context, edited)))
  const pushed = await span('step push', {}, () => push(context, committed))
  await reach(context, 'pushed')
  // Whoever cancelled meanwhile wants no pull request; the push was whole or did not happen.
  context.signal.throwIfAborted()
  const proposed = await span('step propose', {}, () => propose(context, pushed))
  await reach(context, 'proposed')
  await span('step record', {}, () => record(context, proposed))
  await reach(context, 'recorded')
}

async function openContext(leased: LeasedRun): Promise<RunContext> {
  const { db } = leased.deps
  const { jobId, runId } = leased.lease
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
  const projectId = job?.project_id ?? ''
  const project = await db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirst()
  if (!job || !project) throw new LeaseLost(runId)
  const modelId = project.model ?? leased.deps.modelId
  return { ...leased, job, project, modelId, repository: openRepository(leased.deps.git, project) }
}

/** The configuration may have changed since the project was made. */
function openRepository(git: Git, project: ProjectRow): Repository {
  try {
    return git.repository(project.id, project.repository)
  } catch (cause) {
    if (!(cause instanceof Failure) || cause.code !== 'invalid_input') throw cause
    throw new Failure('repository_unauthorized', `The repository may not be used any more: ${cause.message}`, { cause })
  }
}
