// Checks the pull requests on forges, so that jobs show their state. `pull_check_after` contains the time of the next
// check. Claiming a job moves that time forward, so several processes never check the same pull request. A merged or closed
// pull request is not checked again.
//
//   recorded ─► due after 60 s ─► claimed ─► open ─────────────► due again: after 60 s while it is young, then later
//                                    │ ├───► merged, closed ──► never
//                                    │ └───► no response ─────► due again: after 2 min, or when the forge says
//                                    └─ (the process dies) ───► due again: when the claim ends, after 5 min

import { sql } from 'kysely'
import type { ForgeHost, HostedPull, Polled } from '../../forge/host.ts'
import { type HostOf, toPullRequest } from '../../forge/hosted.ts'
import type { Git } from '../../git/types.ts'
import { Failure, toFailure } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { JobRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import type { RunDeps } from '../run/context.ts'
import { day, type PollError, minute, nextPollSeconds, recordFailedPoll, recordPoll } from '../pulls/polls.ts'
import { pullColumns, pullKeyOf } from '../pulls/pull.ts'
import { findBase, findJob, lockJob, updateJob } from '../store.ts'

export type PollOptions = {
  readonly db: Db
  readonly git: Pick<Git, 'repository'>
  readonly log: Log
  readonly hostOf: HostOf
  readonly explainRefusal: RunDeps['explainRefusal']
  readonly signal: AbortSignal
}

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

type DueJob = Pick<JobRow, 'id' | 'project_id' | 'pull_forge' | 'pull_number' | 'pull_etag'> & { readonly age: number }

async function claimDue(db: Db): Promise<readonly DueJob[]> {
  const { rows } = await sql<DueJob>`/* pulls.claimDue */ update jobs
    set pull_check_after = now() + make_interval(secs => ${claimSeconds})
    where id in (select id from jobs where pull_check_after <= now()
      order by pull_check_after limit ${batch} for update skip locked)
    returning id, project_id, pull_forge, pull_number, pull_etag,
      extract(epoch from now() - updated_at)::float8 as age`.execute(db)
  return rows
}

/** A rate limit or an outage affects the whole project, so its other jobs wait equally long. */
async function pollProject(options: PollOptions, jobs: readonly DueJob[]): Promise<void> {
  for (const [at, job] of jobs.entries()) {
    const missed = await pollOne(options, job).catch((error: unknown) => missedBy(options, job, error))
    if (missed === undefined) continue
    for (const one of jobs.slice(at)) await recordFailedPoll(options.db, one, missed)
    return
  }
}

/** Nothing could be learned about this one, and the others of the project. `error` null: the service stops. */
type Missed = { readonly error: PollError | null; readonly seconds: number }

async function missedBy({ log, explainRefusal, signal }: PollOptions, job: DueJob, thrown: unknown): Promise<Missed> {
  if (signal.aborted) return { error: null, seconds: 0 }
  const { code, message, retryAfter } = toFailure(await explainRefusal(job.project_id, thrown, signal))
  log.warn({ err: thrown, code, jobId: job.id }, 'a pull request could not be looked at')
  const seconds = Math.min(Math.max(retryAfter ?? failedSeconds, minute), day)
  return { error: { code, message: plainText(message) }, seconds }
}

async function pollOne(options: PollOptions, job: DueJob): Promise<Missed | undefined> {
  const { db, hostOf, signal } = options
  const host = await hostOf(job.project_id, signal)
  if (!host || host.kind !== job.pull_forge || job.pull_number === null) return unconnected
  const polled = await host.poll(job.pull_number, job.pull_etag, signal)
  const compared = polled.kind === 'pull' ? await compareWithBase(options, job, polled.pull) : {}
  await db.transaction().execute((trx) => store(trx, host, job, { polled, compared }))
  return undefined
}

/** The commit that the diff of the job starts from, if people have chosen another base for the pull request. */
async function compareWithBase(
  { db, git, signal }: PollOptions,
  { id, project_id: projectId }: DueJob,
  { base, head: { branch } }: HostedPull,
): Promise<Partial<JobRow>> {
  const job = await findJob(db, projectId, id)
  const project = await db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirst()
  const before = job && (await findBase(db, job))
  if (!project || !job?.head_commit || before === undefined || before === base) return {}
  const repository = git.repository(project.id, project.repository)
  try {
    const refs = await repository.fetch({ branch: base, branches: [branch] }, signal)
    return { base_commit: (await repository.mergeBase(refs.base.commit, job.head_commit, signal)) ?? refs.base.commit }
  } catch (error) {
    // Some forges keep pull requests whose base was deleted.
    if (error instanceof Failure && error.code === 'base_not_found') return {}
    throw error
  }
}

type Seen = { readonly polled: Polled; readonly compared: Partial<JobRow> }

/** Updates the job only if the state differs, so that its version changes only then. */
async function store(trx: Trx, host: ForgeHost, seen: DueJob, { polled, compared }: Seen): Promise<void> {
  const job = await lockJob(trx, seen.id)
  const key = pullKeyOf(job)
  // A run has meanwhile recorded another pull request.
  if (key?.forge !== seen.pull_forge || key.number !== seen.pull_number) return
  if (polled.kind === 'unchanged')
    return recordPoll(trx, job.id, { etag: job.pull_etag, after: nextPollSeconds(seen.age) })
  const shown =
    polled.kind === 'gone' ? ({ pull_state: 'closed' } as const) : { ...columnsOf(host, polled.pull, job), ...compared }
  const isChanged = hasChanged(job, shown)
  if (isChanged) await updateJob(trx, job.id, shown)
  const isOpen = shown.pull_state === 'open'
  const after = isOpen ? nextPollSeconds(isChanged ? 0 : seen.age) : undefined
  await recordPoll(trx, job.id, { etag: polled.kind === 'gone' ? null : polled.etag, after })
}

/** If the branch contains no change any more, the job has no link. */
function columnsOf(host: ForgeHost, pull: HostedPull, job: JobRow): Partial<JobRow> {
  const columns = pullColumns(toPullRequest(host, pull))
  return job.pr_link === null ? { ...columns, pr_link: null } : columns
}

function hasChanged(job: JobRow, shown: Partial<JobRow>): boolean {
  const before: Readonly<Record<string, unknown>> = job
  return Object.entries(shown).some(([name, value]) => plain(before[name]) !== plain(value))
}

function plain(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value
}
