// Closes a pull request without merging it: Docent's own, or one on a forge, where the branch stays, too.

import { closePull } from '../../forge/own/pulls.ts'
import type { PullResponse } from '../../forge/own/response.ts'
import { closeOnHost } from '../../forge/propose.ts'
import { Failure } from '../../lib/failure.ts'
import { findElsewhere, type PullNowContext, refuseElsewhere } from './show.ts'

type Place = { readonly projectId: string; readonly number: number }

/** Throws `not_found`, `pull_not_open`, and what the forge throws. */
export async function closeAnyPull(
  context: Pick<PullNowContext, 'clock' | 'db' | 'git' | 'hostOf' | 'jobs' | 'publicUrl'>,
  { projectId, number }: Place,
  signal: AbortSignal,
): Promise<PullResponse> {
  const hosted = await findElsewhere(context, projectId, number)
  if (!hosted) return await closePull(context, projectId, number)
  const host = await context.hostOf(projectId, signal)
  // The project has moved to another forge since.
  if (host?.kind !== hosted.forge) await refuseElsewhere(context, { projectId, number, verb: 'close' })
  const before = await host?.get(number, signal)
  if (!host || before?.state !== 'open') {
    throw new Failure('pull_not_open', `Pull request #${number} is not open; it is ${before?.state ?? 'gone'}.`)
  }
  const checkClaim = () => Promise.resolve()
  await closeOnHost({ host, clock: context.clock, checkClaim }, number, signal)
  // The next look at the forge records it for the job, within seconds.
  await context.db
    .updateTable('jobs')
    .set({ pull_check_after: context.clock.now() })
    .where('id', '=', hosted.jobId)
    .execute()
  return { ...hosted, state: 'closed' }
}
