// Reads the review of a job: that of its last run that was checked.

import { Failure } from '../../lib/failure.ts'
import type { Db } from '../../postgres/types.ts'
import { getJob } from '../store.ts'
import { emptyReview, type Review } from './review.ts'

/** Throws `not_found`, also before the first run was checked. */
export async function getReview(db: Db, projectId: string, jobId: string): Promise<Review> {
  await getJob(db, projectId, jobId)
  const run = await db
    .selectFrom('runs')
    .select('review')
    .where('job_id', '=', jobId)
    .where('review', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!run?.review) throw new Failure('not_found', 'The change of this job has not been checked.')
  return parseReview(run.review)
}

const emptyLoss = { headings: [], codeBlocks: [], fields: [], words: null }

/** A review of an earlier release may lack parts. */
export function parseReview(text: string): Review {
  const review = { ...emptyReview, ...(JSON.parse(text) as Partial<Review>) }
  const checks = { ...emptyReview.checks, ...review.checks }
  return { ...review, checks, losses: review.losses.map((loss) => ({ ...emptyLoss, ...loss })) }
}
