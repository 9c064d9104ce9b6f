// Moves the runs of an automation that wait in a job to a new job, because its pull request takes no more of them: it is left alone, and
// the new job has one of its own. One transaction, so each message is in one of the two jobs, wherever the process dies.

import { sql } from 'kysely'
import { pullSettingsOf } from '../../../forge/publication.ts'
import { Failure } from '../../../lib/failure.ts'
import { createId } from '../../../lib/id.ts'
import type { JobRow } from '../../../postgres/schema.ts'
import type { Trx } from '../../../postgres/types.ts'
import type { Contribution, WaitingContribution } from '../../appends/contribution.ts'
import { jobEnded } from '../../fail-job.ts'
import { branchName } from '../../job.ts'
import { notifyOfJob } from '../../notify/job.ts'
import type { settingColumns } from '../../options/settings.ts'
import { type LeasedRun, LeaseLost, type LockFirst, writeAsRun } from '../../queue/lease.ts'
import { addRun, endRun } from '../../queue/runs.ts'
import type { JobOrigin } from '../../response.ts'
import { changeJob, countWaitingMessages, lockProject, showMessage } from '../../store.ts'
import { addEvents, type RunPart } from '../context.ts'

type Moving = { readonly waiting: readonly WaitingContribution[]; readonly because: string }

/** Returns whether the run has ended: it continues if people have sent messages, too. */
export async function moveToNewJob(
  context: LeasedRun & RunPart<'job' | 'project', never>,
  { waiting, because }: Moving,
): Promise<'ended' | 'continues'> {
  return await writeAsRun({ ...context, lockFirst: projectFirst(context) }, async (trx, run, job) => {
    const [first] = waiting
    if (!first) return 'continues'
    const id = await addCopy(trx, context, { job, runId: first.contribution.runId })
    for (const one of waiting) {
      await moveMessage(trx, id, { ...one, contribution: { ...one.contribution, because, left: job.id } })
    }
    await addRun(trx, id)
    await addEvents(trx, run, { type: 'warning', message: `A run of the automation continues in ${id}: ${because}` })
    if ((await countWaitingMessages(trx, job.id)) > 0) return 'continues'
    await endRun(trx, run.id, 'no_changes')
    const ended = { status: 'completed', phase: null } as const
    const events = [{ type: 'run_ended', error: null } as const, jobEnded({ ...job, ...ended }, 'completed')]
    await changeJob(trx, { jobId: job.id, runId: run.id }, ended, events)
    await notifyOfJob(trx, job, 'job.completed')
    return 'ended'
  })
}

/** A new job needs its project, which is locked before any job. */
function projectFirst({ job, lockFirst }: LeasedRun & { readonly job: JobRow }): LockFirst {
  return async (trx, run) => {
    await lockProject(trx, job.project_id).catch((error: unknown) => {
      throw error instanceof Failure && error.code === 'not_found' ? new LeaseLost(run.id) : error
    })
    return await lockFirst(trx, run)
  }
}

type Settings = ReturnType<typeof settingColumns>
type Copied = { readonly job: JobRow; readonly runId: string }

/** With what the other one is to work with. */
async function addCopy(
  trx: Trx,
  { project, clock }: Pick<LeasedRun, 'clock'> & RunPart<'project', never>,
  { job, runId }: Copied,
): Promise<string> {
  const id = createId('job')
  const now = clock.now()
  const origin = { ...(JSON.parse(job.origin ?? '{}') as JobOrigin), runId }
  const { chosen_model, context, budget, scope, most_redirects } = job
  const settings: Required<Settings> = { chosen_model, context, budget, scope, most_redirects }
  const { project_id, model, base_branch, draft } = job
  const kept = { project_id, model, base_branch, draft, ...settings }
  const branch = branchName(pullSettingsOf(project).branchPrefix, id, 1)
  const begun = { id, status: 'active', phase: 'queued', repository: project.repository, branch } as const
  const row = { ...kept, ...begun, origin: JSON.stringify(origin), created_at: now, updated_at: now }
  await trx.insertInto('jobs').values(row).execute()
  return id
}

type Moved = { readonly id: string; readonly contribution: Contribution }

async function moveMessage(trx: Trx, jobId: string, { id, contribution }: Moved): Promise<void> {
  const { rows } = await sql<{ prompt: string }>`/* contributions.move */ update messages
    set job_id = ${jobId}, contribution = ${JSON.stringify(contribution)} where id = ${id} and run_id is null
    returning prompt`.execute(trx)
  for (const { prompt } of rows) await showMessage(trx, jobId, { id, prompt: JSON.parse(prompt) as string })
}
