// One look at a pull request on a forge, and at the lists of its repository. The state is stored first, then what people
// and checks said, then the marks up to which the lists were read: a process that dies in between leads to another
// reading, which finds the same ids.

import { sql } from 'kysely'
import { type Entry, type EntryKind, mostEntries } from '../../forge/activity/activity.ts'
import type { ForgeHost, HostedPull, Polled } from '../../forge/host.ts'
import { toPullRequest } from '../../forge/hosted.ts'
import { Failure } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { JobRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { notifyOfPull } from '../notify/pull.ts'
import { nextPollSeconds, recordPoll } from '../pulls/polls.ts'
import { pullColumns, pullKeyOf } from '../pulls/pull.ts'
import { lockJob, updateJob } from '../store.ts'
import { type CompareContext, compareWithBase } from './compare-base.ts'
import { type PullMarks, readPullMarks, readRepositoryMarks, storeRepositoryMarks } from './marks.ts'
import { askAboutPeople } from './people.ts'
import type { CallNames } from '../comments/names.ts'
import { noteOnIssues, noteOnPull } from '../comments/note.ts'
import { type Added, blankDeleted, blankEntries, type PullOf, storeChanges, storeEntries } from './store.ts'

export type LookContext = CompareContext & { readonly host: ForgeHost; readonly names: CallNames }

/** A job whose pull request is claimed. */
export type ClaimedJob = Pick<JobRow, 'id' | 'project_id' | 'pull_etag' | 'pull_marks'> & {
  readonly pull_number: number
  /** Seconds since something happened. */
  readonly age: number
}

export type Listed = {
  /** The new entries by job. */
  readonly added: ReadonlyMap<string, Added>
  readonly failure: Failure | undefined
}

/**
 * Stores the changes in the lists of the repository for the open pull requests of all jobs of the project. A list that
 * cannot be read is part of the result: anybody may write to it, and the states are in other responses.
 */
export async function lookAtRepository(context: LookContext, projectId: string): Promise<Listed> {
  try {
    return { added: await storeListed(context, projectId), failure: undefined }
  } catch (error) {
    return { added: new Map(), failure: brokenList(error) }
  }
}

/** Rethrows everything else: the forge refuses, limits or asks to wait. */
function brokenList(error: unknown): Failure {
  const isBroken = error instanceof Failure && error.code === 'forge_unavailable' && error.retryAfter === undefined
  if (isBroken) return error
  throw error
}

async function storeListed(context: LookContext, projectId: string): Promise<ReadonlyMap<string, Added>> {
  const { db, host, signal } = context
  const listed = new Map<string, Added>()
  const { ofRepository } = host.activity
  if (!ofRepository) return listed
  const { repository } = host
  const read = await ofRepository(await readRepositoryMarks(db, projectId, repository), signal)
  await noteOnIssues(context, projectId, read.entries)
  const ofPulls = read.entries.filter(({ isIssue }) => isIssue !== true)
  const byNumber = Map.groupBy(ofPulls, (entry) => entry.number)
  const numbers = [...byNumber.keys()]
  for (const { id: jobId, number } of await findOpen(db, { projectId, forge: host.kind, numbers })) {
    const pull = { jobId, forge: host.kind, number }
    listed.set(jobId, await storeSeen(context, { ...pull, projectId }, byNumber.get(number) ?? []))
  }
  await storeRepositoryMarks(db, projectId, { repository, marks: read.marks })
  return listed
}

type Wanted = { readonly projectId: string; readonly forge: ForgeHost['kind']; readonly numbers: readonly number[] }

async function findOpen(db: Db, { projectId, forge, numbers }: Wanted) {
  if (numbers.length === 0) return []
  const { rows } = await sql<{ id: string; number: number }>`/* activity.open */
    select id, pull_number as number from jobs where project_id = ${projectId} and pull_forge = ${forge}
      and pull_check_after is not null and pull_number = any(${numbers}::integer[]) order by id`.execute(db)
  return rows
}

/**
 * Returns whether all lists could be read: what people wrote is known then. Throws the failures of the host, except those
 * of lists; the claim stays then.
 */
export async function lookAtPull(context: LookContext, job: ClaimedJob, listed: Listed): Promise<boolean> {
  const { db, host, signal } = context
  const { pull_number: number } = job
  const pull = { jobId: job.id, projectId: job.project_id, forge: host.kind, number }
  const marks = readPullMarks(job.pull_marks)
  const polled = await host.poll(number, marks ? job.pull_etag : null, signal)
  const compared = polled.kind === 'pull' ? await compareWithBase(context, job, polled.pull) : {}
  const shown = await db.transaction().execute((trx) => storeState(trx, { host, pull, marks, polled, compared }))
  if (!shown) return false
  const { seen, failure } =
    polled.kind === 'gone' ? nothing : await tryRead(context, job, { pull, marks, polled, listed })
  const isActive = shown.isChanged || (seen?.isNew ?? false)
  const after = shown.isOpen ? nextPollSeconds(isActive ? 0 : job.age) : undefined
  return await db.transaction().execute(async (trx) => {
    if (!isStill(await lockJob(trx, job.id), pull)) return false
    await recordPoll(trx, job.id, {
      // Without it, the next response has the number of comments again.
      etag: failure ? null : etagOf(polled, job),
      after,
      marks: seen ? JSON.stringify(seen.marks) : job.pull_marks,
      error: failure ? { code: failure.code, message: plainText(failure.message) } : null,
    })
    return seen !== undefined && failure === undefined
  })
}

type Tried = { readonly seen?: Stored; readonly failure?: Failure | undefined }
const nothing: Tried = {}

async function tryRead(context: LookContext, job: ClaimedJob, toRead: ToRead): Promise<Tried> {
  try {
    const seen = await storeRead(context, toRead)
    const asking = { projectId: job.project_id, jobId: job.id }
    await askAboutPeople(context.db, asking, context.host, context.signal)
    return { seen, failure: toRead.listed.failure }
  } catch (error) {
    return { failure: brokenList(error) }
  }
}

function etagOf(polled: Polled, job: ClaimedJob): string | null {
  if (polled.kind === 'unchanged') return job.pull_etag
  return polled.kind === 'pull' ? polled.etag : null
}

type Shown = { readonly isOpen: boolean; readonly isChanged: boolean }
type Looked = {
  readonly host: ForgeHost
  readonly pull: PullOf
  readonly marks: PullMarks | undefined
  readonly polled: Polled
  /** The columns that another base changes. */
  readonly compared: Partial<JobRow>
}

/**
 * Updates the job only if the state differs, so that its version changes only then. Undefined: a run has meanwhile
 * recorded another pull request.
 */
async function storeState(trx: Trx, { host, pull, marks, polled, compared }: Looked): Promise<Shown | undefined> {
  const job = await lockJob(trx, pull.jobId)
  if (!isStill(job, pull)) return undefined
  if (polled.kind === 'unchanged') return { isOpen: job.pull_state === 'open', isChanged: false }
  const columns =
    polled.kind === 'gone' ? ({ pull_state: 'closed' } as const) : { ...columnsOf(host, polled.pull, job), ...compared }
  const isChanged = hasChanged(job, columns)
  const found = polled.kind === 'pull' ? polled.pull : undefined
  const state = columns.pull_state ?? null
  // A push of Docent itself is no news.
  const commit = found?.head.commit === '' ? undefined : found?.head.commit
  const head = commit === job.head_commit ? undefined : commit
  await storeChanges(trx, pull, {
    before: { state: job.pull_state, base: marks?.base, head: marks?.head },
    now: { state, base: found?.base, head },
    at: await readNow(trx),
    mergedAt: found?.mergedAt ?? null,
  })
  if (isChanged) {
    await updateJob(trx, pull.jobId, columns)
    await notifyOfPull(trx, job)
  }
  return { isOpen: state === 'open', isChanged }
}

function isStill(job: JobRow, { forge, number }: PullOf): boolean {
  const key = pullKeyOf(job)
  return key?.forge === forge && key.number === number
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

async function readNow(db: Db | Trx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`/* activity.now */ select now() as now`.execute(db)
  return rows[0]?.now ?? new Date()
}

type PullToRead = PullOf & { readonly projectId: string }
type ToRead = {
  readonly pull: PullToRead
  readonly marks: PullMarks | undefined
  readonly polled: Exclude<Polled, { kind: 'gone' }>
  readonly listed: Listed
}
type Stored = { readonly marks: PullMarks; readonly isNew: boolean }

async function storeRead(context: LookContext, { pull, marks, polled, listed }: ToRead): Promise<Stored> {
  const { host, signal } = context
  const found = polled.kind === 'pull' ? polled.pull : undefined
  const base = found?.base ?? marks?.base ?? ''
  const head = found?.head.commit ?? marks?.head ?? ''
  const read = await host.activity.ofPull({ number: pull.number, head }, marks?.lists ?? {}, signal)
  const shown = polled.kind === 'pull' ? polled.shown : undefined
  const entries = [...(shown?.entries ?? []), ...read.entries]
  const added = [...(listed.added.get(pull.jobId) ?? []), ...(await storeSeen(context, pull, entries))]
  await blankEntries(context.db, pull, [...(shown?.deleted ?? []), ...(read.deleted ?? [])])
  const comments = polled.kind === 'pull' ? polled.comments : (marks?.comments ?? null)
  const isExplained = marks !== undefined && explains({ marks, comments }, countKinds(added, host.activity.counted))
  const rest = isExplained || (comments ?? 0) > mostEntries ? [] : await storeAll(context, pull)
  return {
    marks: { lists: read.marks, comments, base, head, off: [...read.off] },
    isNew: added.length + rest.length > 0,
  }
}

/** Lists say nothing of deletions, but the number of comments does: it grows by those that are new, or all are read. */
function explains({ marks, comments }: { marks: PullMarks; comments: number | null }, added: number): boolean {
  return comments === null || comments === (marks.comments ?? 0) + added
}

function countKinds(added: Added, counted: readonly EntryKind[]): number {
  return added.filter(({ kind }) => (counted as readonly string[]).includes(kind)).length
}

/** Stores the entries, and those among the new ones that call Docent, together. */
function storeSeen({ db, names }: LookContext, pull: PullToRead, entries: readonly Entry[]): Promise<Added> {
  return db.transaction().execute(async (trx) => {
    const added = await storeEntries(trx, pull, entries)
    await noteOnPull(trx, pull, { entries, added, names })
    return added
  })
}

async function storeAll(context: LookContext, pull: PullToRead): Promise<Added> {
  const { db, host, signal } = context
  const readAt = await readExactly(db)
  const entries: readonly Entry[] | undefined = await host.activity.readAll(pull.number, signal)
  if (!entries) return []
  const added = await storeSeen(context, pull, entries)
  await blankDeleted(db, pull, { entries, readAt })
  return added
}

/** With microseconds, which a Date does not have. */
async function readExactly(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`/* activity.readAt */ select clock_timestamp()::text as now`.execute(db)
  return rows[0]?.now ?? ''
}
