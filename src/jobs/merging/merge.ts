// Merges the pull request of a job whose automation wants that, as soon as there is no obstacle. The service's own facts
// are judged first, then those of the forge, then git: what waits for a run costs no request.

import type { HostMerging } from '../../forge/merging/merging.ts'
import type { Git } from '../../git/types.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { JobRow } from '../../postgres/schema.ts'
import type { MergeRow } from '../../postgres/schema/automations.ts'
import type { Db } from '../../postgres/types.ts'
import { hastenPolls } from '../pulls/polls.ts'
import { readBranch } from './branch.ts'
import { findMergeMode } from './mode.ts'
import { mergeObstacles, type MergeFacts, type Obstacle } from './obstacles.ts'
import { loadOwnFacts } from './own-facts.ts'
import { forgetMerging, recordAsked, recordRefused, recordWaiting, seeHead } from './records.ts'

export type MergingContext = {
  readonly db: Db
  readonly git: Pick<Git, 'repository'>
  readonly clock: Clock
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly signal: AbortSignal
}

/** Where the pull request is. `hasChecks`: whether checks can appear there. */
export type MergePlace = { readonly merging: HostMerging; readonly hasChecks: boolean }

/** A request that was sent is not taken back when the service stops. */
export const mergeMs = 60_000

/**
 * Does nothing for a job whose pull request people merge, or that is not open. Throws the failures that affect the whole project
 * (`isOfProject`); others of the forge and of the repository are obstacles.
 */
export async function mergeIfReady(context: MergingContext, place: MergePlace, jobId: string): Promise<void> {
  const { db, clock } = context
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
  if (!job || job.pull_state !== 'open' || job.pull_number === null || job.head_commit === null) return
  const mode = await findMergeMode(db, jobId)
  if (!mode) return await forgetMerging(db, job)
  const now = clock.now()
  const head = { jobId, commit: job.head_commit }
  const merge = await seeHead(db, head, now)
  const own = await loadOwnFacts(db, { job, mode, merge }, now)
  const found = await findObstacles(context, place, { job, merge, own, number: job.pull_number })
  if (found.obstacles.length > 0) return await recordWaiting(db, { job, merge }, found.obstacles)
  if (!(await recordAsked(db, job, head, now))) return
  context.log.info({ jobId, commit: head.commit, number: job.pull_number }, 'the merge of a pull request is asked for')
  const order = { number: job.pull_number, head: head.commit, method: found.method }
  const answer = await place.merging.merge(order, AbortSignal.timeout(mergeMs))
  if (answer.kind === 'refused') await recordRefused(db, head, answer.reason)
  if (answer.kind === 'unknown') context.log.warn({ jobId }, 'the response to a merge was lost')
  await hastenPolls(db, [job.project_id])
}

type Judged = { readonly obstacles: readonly Obstacle[]; readonly method?: string | undefined }
type Wanted = {
  readonly job: JobRow
  readonly merge: MergeRow
  readonly own: MergeFacts['own']
  readonly number: number
}

async function findObstacles(context: MergingContext, place: MergePlace, wanted: Wanted): Promise<Judged> {
  const { own } = wanted
  const ofOwn = mergeObstacles({ own })
  if (ofOwn.length > 0) return { obstacles: ofOwn }
  try {
    return await askOthers(context, place, wanted)
  } catch (error) {
    if (!(error instanceof Failure) || isOfProject(error) || context.signal.aborted) throw error
    return { obstacles: [{ code: 'not_known', message: plainText(error.message) }] }
  }
}

/** Whether the forge asks to wait or refuses the credential: other jobs of the project will fare no better. */
export function isOfProject(error: unknown): boolean {
  if (!(error instanceof Failure)) return false
  const { code, retryAfter } = error
  return code === 'forge_rate_limited' || code === 'repository_unauthorized' || retryAfter !== undefined
}

async function askOthers(
  { db, git, clock, signal }: MergingContext,
  { merging, hasChecks }: MergePlace,
  { job, merge, own, number }: Wanted,
): Promise<Judged> {
  const state = await merging.read(number, signal)
  if (!state) return { obstacles: [{ code: 'pull_not_open', message: 'The pull request is gone.' }] }
  const forge = { ...state, hasChecks, waitedMs: clock.now().getTime() - merge.seen_at.getTime() }
  const ofForge = mergeObstacles({ own, forge })
  if (ofForge.length > 0) return { obstacles: ofForge }
  const project = await db.selectFrom('projects').selectAll().where('id', '=', job.project_id).executeTakeFirstOrThrow()
  const repository = git.repository(project.id, project.repository, project.fork)
  const branch = { base: state.pull.base, branch: state.pull.head.branch, ours: await loadCommits(db, job.id) }
  const facts = { own, forge, git: await readBranch(repository, branch, signal) }
  return { obstacles: mergeObstacles(facts), method: state.method }
}

async function loadCommits(db: Db, jobId: string): Promise<ReadonlySet<string>> {
  const runs = await db.selectFrom('runs').select('commit_id').where('job_id', '=', jobId).execute()
  return new Set(runs.flatMap(({ commit_id: commit }) => commit ?? []))
}
