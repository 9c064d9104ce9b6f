// Stores that people have ended the pull request of a job, before the next look at the forge does.

import type { PullRequest } from '../../../forge/forge.ts'
import { notifyOfPull } from '../../notify/pull.ts'
import { pullColumns, pullKeyOf } from '../../pulls/pull.ts'
import { type LeasedRun, writeAsRun } from '../../queue/lease.ts'
import { updateJob } from '../../store.ts'

/** The job shows at once how it ended. */
export async function showEnded(context: LeasedRun, pull: PullRequest): Promise<void> {
  await writeAsRun(context, async (trx, _run, job) => {
    const key = pullKeyOf(job)
    if (key && (key.number !== pull.number || key.forge !== pull.forge)) return
    const shown = pullColumns(pull)
    if (job.pull_state === pull.state) return
    await updateJob(trx, job.id, shown)
    await notifyOfPull(trx, job)
  })
}
