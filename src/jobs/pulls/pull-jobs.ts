// Connects Docent's own pull requests with jobs: a pull request locks its job, and updates it when it is merged or closed.

import type { PullJobs } from '../../forge/own/end.ts'
import { storeChanges } from '../activity/store.ts'
import { notifyOfPull } from '../notify/pull.ts'
import { pullColumns, pullKeyOf } from './pull.ts'
import { lockJob, updateJob } from '../store.ts'

export const pullJobs: PullJobs = {
  lock: async (trx, jobId) => {
    await lockJob(trx, jobId)
  },
  show: async (trx, jobId, pull) => {
    const job = await lockJob(trx, jobId)
    const shown = pullKeyOf(job)
    if (shown?.forge !== pull.forge || shown.number !== pull.number) return
    const pullOf = { jobId, forge: pull.forge, number: pull.number }
    const at = new Date()
    await storeChanges(trx, pullOf, { before: { state: job.pull_state }, now: { state: pull.state }, at })
    // If the branch contains no change any more, the job has no link.
    await updateJob(trx, jobId, { ...pullColumns(pull), pr_link: job.pr_link })
    await notifyOfPull(trx, job)
  },
}
