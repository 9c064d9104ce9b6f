// Stores the review of a run, and its counts in the job.

import { sql } from 'kysely'
import { mapStrings } from '../../../lib/outbound/map-strings.ts'
import { type LeasedRun, writeAsRun } from '../../queue/lease.ts'
import { addEvents, type RunPart } from '../context.ts'
import { updateJob } from '../../store.ts'
import { countsOf, type Review } from '../../review/review.ts'

/** Null: the documentation could not be checked. */
export async function storeReview(
  context: LeasedRun & RunPart<never, 'redactor'>,
  review: Review | null,
): Promise<void> {
  await writeAsRun(context, async (trx, run) => {
    const checks = review && JSON.stringify(countsOf(review.checks))
    await updateJob(trx, run.job_id, { checks })
    if (review === null) return addEvents(trx, run, { type: 'warning', message: couldNot })
    // Its messages quote pages.
    const isPart = review.checks.remaining === null
    const set = {
      review: JSON.stringify(mapStrings(review, context.deps.redactor.hide)),
      rest_check_after: isPart ? sql<Date>`now()` : null,
    }
    await trx.updateTable('runs').set(set).where('id', '=', run.id).execute()
  })
}

const couldNot =
  'The documentation could not be checked, so the pull request is a draft. The log of the service says why.'
