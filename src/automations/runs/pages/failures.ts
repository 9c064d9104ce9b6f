// Whether readers still fail on the pages that a run was given: counts before the pull request was merged and since, from the page
// views. Says what is not known, and does not judge before enough days have passed.

import type { Failures, GivenPage, PageViewReader } from '../../../jobs/options/readings.ts'
import { Failure } from '../../../lib/failure.ts'
import type { Db } from '../../../postgres/types.ts'
import { readGiven } from './given-pages.ts'
import { toRuns } from '../list.ts'

/** The days before the merge, and the last ones since, that are compared. */
export const comparedDays = 7
/** Fewer days since the merge say too little. */
export const fewestDays = 3
const dayMs = 86_400_000

/** `stopped`: nobody failed on it since. `unknown`: too few days have passed, or its failures before the merge are not known or there were no failures. */
export const verdicts = ['stopped', 'fewer', 'continues', 'unknown'] as const
export type Verdict = (typeof verdicts)[number]

/** `visitors`: at least so many. */
export type Counted = { readonly visitors: number; readonly views: number }

export type PageOutcome = {
  readonly path: string
  /** When the run was given the page: of the 28 days before. */
  readonly given: Pick<GivenPage, 'visitors' | 'days'>
  /** In the 7 days before the merge; null: not merged, or its page views are deleted. */
  readonly before: Counted | null
  /** Since the merge, in the last 7 days at most; null: not merged. */
  readonly since: Counted | null
  readonly verdict: Verdict
  /** The same in words, for people. */
  readonly text: string
}

export type RunFailures = {
  readonly mergedAt: string | null
  /** A sentence: why something is not known yet; null: everything is known. */
  readonly note: string | null
  readonly pages: readonly PageOutcome[]
}

type Context = {
  readonly db: Db
  readonly publicUrl: string
  readonly now: Date
  readonly pageViews: Pick<PageViewReader, 'failures'>
}
type Wanted = { readonly projectId: string; readonly automationId: string; readonly runId: string }

/** Throws `not_found` and `unavailable`. */
export async function readRunFailures(context: Context, wanted: Wanted, signal: AbortSignal): Promise<RunFailures> {
  const { db, now, pageViews } = context
  const { projectId, automationId, runId } = wanted
  const query = db.selectFrom('automation_runs').selectAll().where('automation_id', '=', automationId)
  const row = await query.where('id', '=', runId).executeTakeFirst()
  if (!row) throw new Failure('not_found', 'The automation has no such run.')
  const given = (await readGiven(db, [runId])).get(runId) ?? []
  const [run] = await toRuns(context, [row])
  const mergedAt = run?.status === 'accepted' ? await readMerge(db, run.jobId ?? '') : null
  if (mergedAt === null || given.length === 0) return toOutcome(given, undefined)
  const paths = given.map(({ path }) => path)
  const compared = comparedDays * dayMs
  const latest = new Date(Math.max(mergedAt.getTime(), now.getTime() - compared))
  const from = new Date(mergedAt.getTime() - compared)
  const before = await pageViews.failures({ projectId, paths, from, to: mergedAt }, signal)
  const since = await pageViews.failures({ projectId, paths, from: latest, to: now }, signal)
  return toOutcome(given, { mergedAt, now, before, since })
}

async function readMerge(db: Db, jobId: string): Promise<Date | null> {
  const row = await db.selectFrom('jobs').select('pull_merged_at').where('id', '=', jobId).executeTakeFirst()
  return row?.pull_merged_at ?? null
}

type Compared = {
  readonly mergedAt: Date
  readonly now: Date
  /** Undefined: the service has no page views. */
  readonly before: Failures | undefined
  readonly since: Failures | undefined
}

/** `compared` undefined: the pull request is not merged. Pure. */
export function toOutcome(given: readonly GivenPage[], compared: Compared | undefined): RunFailures {
  const mergedAt = compared?.mergedAt.toISOString() ?? null
  const days = compared ? Math.floor((compared.now.getTime() - compared.mergedAt.getTime()) / dayMs) : 0
  const pages = given.map(({ path, visitors, days: on }) => {
    const before = compared?.before?.isKept === true ? countOf(compared.before, path) : null
    const since = compared?.since ? countOf(compared.since, path) : null
    const verdict = judge(before, since, days)
    const text = sayOutcome({ given: { visitors, days: on }, before, since, days })
    return { path, given: { visitors, days: on }, before, since, verdict, text }
  })
  return { mergedAt, note: given.length === 0 ? null : sayNote(compared, days), pages }
}

function countOf({ pages }: Failures, path: string): Counted {
  const found = pages.find((one) => one.path === path)
  return { visitors: found?.visitors ?? 0, views: found?.views ?? 0 }
}

/** Both are rates: fewer days have passed since than before. */
function judge(before: Counted | null, since: Counted | null, days: number): Verdict {
  if (before === null || since === null || days < fewestDays || before.views === 0) return 'unknown'
  if (since.views === 0) return 'stopped'
  return since.views / Math.min(days, comparedDays) < before.views / comparedDays ? 'fewer' : 'continues'
}

function sayNote(compared: Compared | undefined, days: number): string | null {
  if (!compared) return 'The pull request of the run is not merged.'
  if (!compared.since) return 'The service has no page views.'
  const kept = compared.before?.isKept === true ? '' : 'The page views before the merge are no longer kept.'
  const missing = fewestDays - days
  const early = missing > 0 ? `It needs ${missing} more ${missing === 1 ? 'day' : 'days'} since the merge.` : ''
  return [kept, early].filter((text) => text !== '').join(' ') || null
}

type Said = Pick<PageOutcome, 'given' | 'before' | 'since'> & { readonly days: number }

/** `14 visitors in the 7 days before, 0 since (3 days)` */
function sayOutcome({ given, before, since, days }: Said): string {
  const first =
    before === null
      ? `${sayVisitors(given.visitors)} on ${given.days} days when the run was given it`
      : `${sayVisitors(before.visitors)} in the ${comparedDays} days before`
  if (since === null) return first
  const span =
    days > comparedDays ? `in the last ${comparedDays} days` : `since (${days === 1 ? '1 day' : `${days} days`})`
  return `${first}, ${since.visitors} ${span}`
}

function sayVisitors(count: number): string {
  return count === 1 ? '1 visitor' : `${count} visitors`
}
