// Reads what happens on the pull requests of jobs on forges: their state, and the comments, reviews and checks on them. If everything
// that people wrote could be read, failed checks are then given to the agent (`jobs/forge-checks`), and pull requests merged whose
// automations want that (`jobs/merging`).
// `pull_check_after` contains the time of the next look. A claim lasts until `pull_claimed_until`, so several processes
// never look at the same pull request. A merged or closed pull request is not read again.
//
//   recorded ─► due after 60 s ─► claimed ─► open ─────────────► due again: after 60 s while it is young, then later
//                  ▲                 │ ├───► merged, closed ──► never
//      a delivery ─┘                 │ └───► no response ─────► due again: after 2 min, or when the forge says
//                                    └─ (the process dies) ───► due again: when the claim ends, after 5 min
//
// Everything that is stored is stored by the ids of the forge, and the marks of the lists after it: each step may be done
// again. Requests are counted for the account of the credential, which its jobs need too.

import { sql } from 'kysely'
import type { ForgeHost } from '../../forge/host.ts'
import type { HostOf } from '../../forge/hosted.ts'
import type { Git } from '../../git/types.ts'
import type { Clock } from '../../lib/clock.ts'
import { toFailure } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { JobRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { countUses, secondsToPace, secondsUntilFree, type Uses } from '../../requests/rate-limits.ts'
import { type Listed, lookAtPull, lookAtRepository } from '../activity/look.ts'
import { type CallNames, readNames } from '../comments/names.ts'
import { type ForgeChecksContext, giveFailedChecks, wantsFailedChecks } from '../forge-checks/look.ts'
import { sayForgeChecks, type SayChecksContext } from '../forge-checks/say.ts'
import { isOfProject, mergeIfReady } from '../merging/merge.ts'
import { day, delayPolls, hour, minute, type PollError, recordFailedPoll } from '../pulls/polls.ts'
import type { RunDeps } from '../run/context.ts'

export type HostOptions = {
  readonly db: Db
  readonly log: Log
  readonly hostOf: HostOf
  readonly explainRefusal: RunDeps['explainRefusal']
  readonly signal: AbortSignal
}
export type PollOptions = HostOptions & {
  readonly git: Pick<Git, 'repository'>
  /** Decides how long a merge waits. */
  readonly clock: Clock
  /** The requests an hour of an account for which looks are stretched. */
  readonly readsPerHour: number
} & Omit<ForgeChecksContext, 'log'> &
  SayChecksContext

const claimSeconds = 5 * minute
/** The pause after a failure that does not say when to try again. */
const failedSeconds = 2 * minute
/** The next run of such a project says so too. */
const unconnected: Missed = {
  error: { code: 'repository_unauthorized', message: 'The project has no credential for this forge any more.' },
  seconds: 10 * minute,
}
/** Jobs that are claimed together. */
const batch = 50

/** Checks all pull requests that are due. Throws only errors of the database. */
export async function pollPulls(options: PollOptions): Promise<void> {
  for (;;) {
    const due = await claimDue(options.db)
    const byProject = Object.groupBy(due, (job) => job.project_id)
    await Promise.all(Object.values(byProject).map((jobs = []) => pollProject(options, jobs)))
    if (due.length < batch || options.signal.aborted) return
  }
}

type DueJob = Pick<JobRow, 'id' | 'project_id' | 'pull_forge' | 'pull_number' | 'pull_etag' | 'pull_marks'> & {
  /** Seconds since something happened. */
  readonly age: number
}

async function claimDue(db: Db): Promise<readonly DueJob[]> {
  const { rows } = await sql<DueJob>`/* pulls.claimDue */ update jobs
    set pull_claimed_until = now() + make_interval(secs => ${claimSeconds}), pull_hastened = false
    where id in (select id from jobs
      where (pull_check_after <= now() or (pull_hastened and pull_check_after is not null and pull_check_error is null))
        and (pull_claimed_until is null or pull_claimed_until <= now())
      order by pull_check_after limit ${batch} for update skip locked)
    returning id, project_id, pull_forge, pull_number, pull_etag, pull_marks,
      extract(epoch from now() - greatest(updated_at,
        (select max(seen_at) from pull_activity where job_id = jobs.id)))::float8 as age`.execute(db)
  return rows
}

/** The requests an hour that this may send for an account. GitHub allows 5,000, and a run needs about ten of them. */
export const budget = { name: 'forge reads', quota: 2_500, windowSeconds: hour } as const
/** Bitbucket allows about 1,000. */
export const bitbucketQuota = 500

async function pollProject(options: PollOptions, jobs: readonly DueJob[]): Promise<void> {
  const [first] = jobs
  if (first === undefined) return
  const opened = await openHost(options, first.project_id)
  if ('seconds' in opened) return waitAll(options, jobs, opened)
  const isHere = ({ pull_forge: forge }: DueJob) => forge === opened.kind
  await waitAll(
    options,
    jobs.filter((job) => !isHere(job)),
    unconnected,
  )
  const before = opened.countRequests()
  try {
    await lookAtAll(options, opened, jobs.filter(isHere))
  } finally {
    const uses = await countUses(options.db, budget, opened.account, opened.countRequests() - before)
    await delayPolls(options.db, jobs, pace(options, opened, uses))
  }
}

/** Returns the seconds until the account may be used for another look. A delivery of the forge does not wait for them. */
export function pace({ readsPerHour }: PollOptions, { kind }: ForgeHost, uses: Uses | undefined): number {
  const share = kind === 'bitbucket' ? bitbucketQuota / budget.quota : 1
  return uses === undefined ? 0 : secondsToPace(uses, readsPerHour * share)
}

/** Returns why not, if the project has no host, or its account may send no request now. */
export async function openHost(options: HostOptions, projectId: string): Promise<ForgeHost | Missed> {
  try {
    return await openFree(options, projectId)
  } catch (error) {
    return await missedBy(options, { project_id: projectId }, error)
  }
}

async function openFree({ db, hostOf, signal }: HostOptions, projectId: string): Promise<ForgeHost | Missed> {
  const host = await hostOf(projectId, signal)
  if (!host) return unconnected
  const quota = host.kind === 'bitbucket' ? bitbucketQuota : budget.quota
  const seconds = await secondsUntilFree(db, { ...budget, quota }, host.account)
  if (seconds === undefined) return host
  const message = `The ${quota} requests an hour with which this account may read pull requests are used up.`
  return { error: { code: 'forge_rate_limited', message }, seconds }
}

async function waitAll({ db }: PollOptions, jobs: readonly DueJob[], missed: Missed): Promise<void> {
  for (const job of jobs) await recordFailedPoll(db, job, missed)
}

/** A rate limit or an outage affects the whole project, so its other jobs wait equally long. */
async function lookAtAll(options: PollOptions, host: ForgeHost, jobs: readonly DueJob[]): Promise<void> {
  const { db, git, signal } = options
  const waiting = [...jobs]
  const names = await readNames(db, jobs[0]?.project_id ?? '')
  try {
    for (let job = waiting[0], listed: Listed | undefined; job !== undefined; job = waiting[0]) {
      listed ??= await lookAtRepository({ db, git, host, names, signal }, job.project_id)
      const { pull_number: number } = job
      if (number !== null) {
        const isRead = await lookAtPull({ db, git, host, names, signal }, { ...job, pull_number: number }, listed)
        if (isRead) await followUp(options, { host, names }, job.id)
      }
      waiting.shift()
    }
  } catch (error) {
    const [failed] = waiting
    if (failed) await waitAll(options, waiting, await missedBy(options, failed, error))
  }
}

type Place = { readonly host: ForgeHost; readonly names: CallNames }

async function followUp(options: PollOptions, { host, names }: Place, jobId: string): Promise<void> {
  await attempt(options, 'the checks of a pull request could not be read', jobId, async () => {
    const found = await findWanting(options.db, jobId)
    if (!found) return
    await giveFailedChecks(options, host, found)
    await sayForgeChecks(options, { host, names }, found.job)
  })
  await attempt(options, 'a pull request could not be merged', jobId, () =>
    mergeIfReady(options, { merging: host.merging, hasChecks: true }, jobId),
  )
}

/** The job, if its project gives failed checks to the agent. */
async function findWanting(db: Db, jobId: string) {
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
  if (job?.pull_state !== 'open') return undefined
  const project = await db.selectFrom('projects').selectAll().where('id', '=', job.project_id).executeTakeFirstOrThrow()
  return wantsFailedChecks(project) ? { job, project } : undefined
}

/** A job that fails for a reason of its own keeps no other job waiting. */
async function attempt(options: PollOptions, failure: string, jobId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (options.signal.aborted || isOfProject(error)) throw error
    options.log.warn({ err: error, jobId }, failure)
  }
}

/** Nothing could be learned about this one, and the others of the project. `error` null: the service stops. */
export type Missed = { readonly error: PollError | null; readonly seconds: number }

export async function missedBy(
  { log, explainRefusal, signal }: HostOptions,
  job: Pick<DueJob, 'project_id'> & { readonly id?: string },
  thrown: unknown,
): Promise<Missed> {
  if (signal.aborted) return { error: null, seconds: 0 }
  const { code, message, retryAfter } = toFailure(await explainRefusal(job.project_id, thrown, signal))
  log.warn({ err: thrown, code, projectId: job.project_id, jobId: job.id }, 'a forge could not be looked at')
  const seconds = Math.min(Math.max(retryAfter ?? failedSeconds, minute), day)
  return { error: { code, message: plainText(message) }, seconds }
}
