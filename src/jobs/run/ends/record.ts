// Ends a successful run, in one transaction that locks the job: everything is written, or nothing. When messages are
// waiting, the job stays active and one new run takes them.

import { type Finish, partOf } from '../../../agent/tool.ts'
import type { PullRequest } from '../../../forge/forge.ts'
import { readOwnPull } from '../../../forge/own/forge.ts'
import type { JobRow, RunRow } from '../../../postgres/schema.ts'
import type { Trx } from '../../../postgres/types.ts'
import { cut, eventLimits, type JobEvent } from '../../events/events.ts'
import { jobEnded } from '../../fail-job.ts'
import { onRunCompleted } from '../../job.ts'
import { notifyOfJob } from '../../notify/job.ts'
import { notifyOfPull } from '../../notify/pull.ts'
import { startPolling } from '../../pulls/polls.ts'
import { pullColumns } from '../../pulls/pull.ts'
import { type LeasedRun, writeAsRun } from '../../queue/lease.ts'
import { addRun, endRun } from '../../queue/runs.ts'
import { loadRefusedEdits } from '../../review/branch-history.ts'
import { changeJob, countWaitingMessages } from '../../store.ts'
import { sayRefused } from '../describe/refused.ts'
import type { Proposed } from '../propose.ts'
import { toResult } from './result.ts'

/** Nothing of the run is published: the branch and the pull request are those of the runs before. */
export type Asked = { readonly finish: Extract<Finish, { readonly kind: 'question' }>; readonly change: null }
export type Ended = Pick<Proposed, 'finish' | 'change'> | Asked

export async function record(leased: LeasedRun, ended: Ended): Promise<void> {
  await writeAsRun(leased, async (trx, run, before) => {
    const described = await describe(trx, run.job_id, ended)
    await endRun(trx, run.id, outcomeOf(ended, described))
    const effect = onRunCompleted(await countWaitingMessages(trx, run.job_id))
    const state = effect === 'completes' ? completed : next
    const labels = sayLabels(before.project_id, ended)
    const result = JSON.stringify(toResult(ended.finish, [...(await loadWarnings(trx, run, ended)), ...labels]))
    const change = { ...state, result, ...described }
    const event = effect === 'completes' ? jobEnded({ ...before, ...change }, 'completed') : queued
    const events = [...labels.map(toWarning), { type: 'run_ended', error: null } as const, event]
    await changeJob(trx, { jobId: run.job_id, runId: run.id }, change, events)
    if (ended.change) {
      await startPolling(trx, run.job_id, ended.change.pull)
      await trx.updateTable('runs').set({ branch_check_after: new Date() }).where('id', '=', run.id).execute()
    }
    if (effect === 'starts the next run') await addRun(trx, run.job_id)
    await notifyOfPull(trx, before)
    await notifyOfJob(trx, before, ended.finish.kind === 'question' ? 'job.needs_input' : 'job.completed')
  })
}

const completed = { status: 'completed', phase: null } as const
const next = { phase: 'queued' } as const
const queued = { type: 'phase', phase: 'queued' } as const

function sayLabels(projectId: string, { change }: Ended): readonly string[] {
  const refused = change?.pull.refused
  return change && refused ? sayRefused(refused, { forge: change.pull.forge, projectId }) : []
}

function toWarning(message: string): JobEvent {
  return { type: 'warning', message: cut(message, eventLimits.message) }
}

const shownEdits = 10

/** The warnings of the run so far. Without a pull request, also the edits that the policy refused. */
async function loadWarnings(trx: Trx, run: RunRow, { change }: Ended): Promise<readonly string[]> {
  const events = trx.selectFrom('events').select('data').where('job_id', '=', run.job_id).where('run_id', '=', run.id)
  const rows = await events.where('type', '=', 'warning').orderBy('sequence').execute()
  const said = rows.map(({ data }) => (JSON.parse(data) as { readonly message: string }).message)
  if (change || run.branch === null) return said
  const place = { db: trx, jobId: run.job_id, branch: run.branch, upTo: run.number }
  const edits = (await loadRefusedEdits(place)).slice(-shownEdits)
  return [...said, ...edits.map(({ path, message }) => `The policy refused an edit of ${path}: ${message}`)]
}

/** The change of an earlier run on the branch makes a pull request of the job, but no change of this run. */
function outcomeOf({ finish }: Ended, described: Described): RunRow['outcome'] {
  return finish.kind === 'no_change' ? 'no_changes' : described.outcome
}

type Described = Partial<JobRow> & Pick<JobRow, 'outcome'>

async function describe(trx: Trx, jobId: string, { finish, change }: Ended): Promise<Described> {
  if (finish.kind === 'question') return { outcome: 'needs_input' }
  if (!change) return { outcome: 'no_changes', pr_link: null, base_commit: null, head_commit: null }
  return {
    outcome: partOf(finish) === undefined ? 'pull_request' : 'partial',
    ...pullColumns(await readNow(trx, jobId, change.pull)),
    base_commit: change.baseCommit,
    head_commit: change.headCommit,
  }
}

/** A person may have merged or closed one of Docent's own pull requests since it was proposed. Hosted ones are checked soon. */
async function readNow(trx: Trx, jobId: string, pull: PullRequest): Promise<PullRequest> {
  return (pull.forge === 'docent' && (await readOwnPull(trx, jobId, pull.number))) || pull
}
