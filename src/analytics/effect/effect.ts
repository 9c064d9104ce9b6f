// Readers, AI agents and failures of pages by day, before and after a merge. The numbers are those of the exports: the visitors of a
// page on each day, and the requests for it that returned 404. Says nothing about causes.

import type { ProjectSettings } from '../../projects/settings.ts'
import type { AnalyticsContext } from '../context.ts'
import { brokenPages } from '../counts/query/exports/requests.ts'
import { timeseries } from '../counts/query/exports/timeseries.ts'
import { visitors } from '../counts/query/exports/visitors.ts'
import { toFilters } from '../counts/query/filters.ts'
import { planQuery } from '../counts/query/plan.ts'
import { prepareQuery } from '../counts/query/prepare.ts'
import { type Export, type Question, readPage } from '../counts/query/rows.ts'
import { firstDayOf, readWindows } from '../counts/query/version.ts'
import { firstDayKept } from '../retention.ts'
import { addDays, dayOf } from '../zone.ts'
import { compareDays, type ComparedDays } from './days.ts'

/** The counts of a page on a day. */
export type DayCounts = {
  /** Unique human visitors. */
  readonly readers: number
  /** Unique visitors through AI agents. */
  readonly agents: number
  /** Requests of people and AI agents that returned 404. */
  readonly failures: number
}

export type PageEffect = {
  readonly path: string
  /** Sums over the days: a reader who came on two days counts on both. */
  readonly before: DayCounts
  readonly after: DayCounts
  readonly days: readonly ({ readonly date: string } & DayCounts)[]
}

/** `dateTo` is the day after the last one. */
type DayRange = { readonly dateFrom: string; readonly dateTo: string }

export type Effect = ComparedDays & {
  readonly timeZone: string
  /** The day of the merge, which is in neither range. */
  readonly mergedOn: string
  /** Null: there is no day to compare. */
  readonly before: DayRange | null
  readonly after: DayRange | null
  /** Those with the most readers and agents first. */
  readonly pages: readonly PageEffect[]
  /** Further pages, with fewer of them. */
  readonly pagesLeftOut: number
}

const mostPages = 20
/** More rows than a project has pages. */
const whole = { limit: 1_000_000, offset: 0, interval: 'day' } as const

type Wanted = {
  readonly project: ProjectSettings & { readonly id: string }
  readonly mergedAt: Date
  /** In the normal form of stored paths. */
  readonly paths: readonly string[]
}

/** Throws `unavailable`, and the reason of an aborted `signal`. */
export async function readEffect(context: AnalyticsContext, wanted: Wanted, signal: AbortSignal): Promise<Effect> {
  const { project, mergedAt, paths } = wanted
  const { timeZone } = project
  const now = context.clock.now()
  // All queries are about one version of the page views.
  const prepared = await prepareQuery(context, { projectId: project.id, settings: project, query: whole }, signal)
  const mergedOn = dayOf(timeZone, mergedAt.getTime())
  const compared = compareDays({
    mergedOn,
    today: dayOf(timeZone, now.getTime()),
    firstDayKept: firstDayKept(project, now.getTime()),
    firstPageView: firstDayOf(await readWindows(prepared.store, project.id, signal), timeZone),
  })
  const { days } = compared
  const before = { dateFrom: addDays(mergedOn, -days), dateTo: mergedOn }
  const after = { dateFrom: addDays(mergedOn, 1), dateTo: addDays(mergedOn, 1 + days) }
  const questionOf = ({ dateFrom, dateTo }: DayRange, some: readonly string[]): Question => {
    const query = { ...whole, filters: toFilters({ path: some }), dateFrom, dateTo }
    return { ...prepared, plan: planQuery({ projectId: project.id, settings: project, query, now }) }
  }
  const span = { dateFrom: before.dateFrom, dateTo: after.dateTo }
  const isEmpty = days === 0 || paths.length === 0
  const found = isEmpty ? undefined : await findMost(questionOf, { span, paths }, signal)
  const counted = found && (await countDays(questionOf, { span, ...found }, signal))
  const dates = [...daysIn(before), ...daysIn(after)]
  return {
    ...compared,
    timeZone,
    mergedOn,
    before: days === 0 ? null : before,
    after: days === 0 ? null : after,
    pages: (found?.most ?? paths.slice(0, mostPages)).map((path) =>
      toPage(path, mergedOn, (date) => counted?.get(`${date} ${path}`) ?? nothing, dates),
    ),
    pagesLeftOut: Math.max(0, paths.length - mostPages),
  }
}

function daysIn({ dateFrom, dateTo }: DayRange): readonly string[] {
  const days: string[] = []
  for (let day = dateFrom; day < dateTo; day = addDays(day, 1)) days.push(day)
  return days
}

type QuestionOf = (range: DayRange, paths: readonly string[]) => Question

type Found = {
  /** Those with the most visitors and failures first. */
  readonly most: readonly string[]
  /** Those of them with any. */
  readonly visited: readonly string[]
  readonly failing: readonly string[]
}

async function findMost(
  questionOf: QuestionOf,
  { span, paths }: { readonly span: DayRange; readonly paths: readonly string[] },
  signal: AbortSignal,
): Promise<Found> {
  const question = questionOf(span, paths)
  const visited = await sumByPath(question, visitors, signal)
  const failing = await sumByPath(question, brokenPages, signal)
  const weigh = (path: string) => (visited.get(path) ?? 0) + (failing.get(path) ?? 0)
  const most = paths.toSorted((a, b) => weigh(b) - weigh(a) || (a < b ? -1 : 1)).slice(0, mostPages)
  return {
    most,
    visited: most.filter((path) => (visited.get(path) ?? 0) > 0),
    failing: most.filter((path) => (failing.get(path) ?? 0) > 0),
  }
}

type Shared = { readonly path: string; readonly human: number; readonly ai: number }

async function sumByPath<R extends Shared>(
  question: Question,
  exported: Export<R>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await readPage(question, exported, signal)
  return new Map(rows.map(({ path, human, ai }) => [path, human + ai]))
}

const nothing: DayCounts = { readers: 0, agents: 0, failures: 0 }

/** By date and path. A series for each page, and a query for each day of the pages that fail: most never do. */
async function countDays(
  questionOf: QuestionOf,
  { span, visited, failing }: Omit<Found, 'most'> & { readonly span: DayRange },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, DayCounts>> {
  const counted = new Map<string, DayCounts>()
  const add = (date: string, path: string, some: Partial<DayCounts>) => {
    const key = `${date} ${path}`
    counted.set(key, { ...(counted.get(key) ?? nothing), ...some })
  }
  for (const path of visited) {
    const { rows } = await readPage(questionOf(span, [path]), timeseries, signal)
    for (const { date, human: readers, ai: agents } of rows) add(date, path, { readers, agents })
  }
  for (const date of failing.length === 0 ? [] : daysIn(span)) {
    const day = { dateFrom: date, dateTo: addDays(date, 1) }
    const { rows } = await readPage(questionOf(day, failing), brokenPages, signal)
    for (const { path, human, ai } of rows) add(date, path, { failures: human + ai })
  }
  return counted
}

function toPage(
  path: string,
  mergedOn: string,
  countsOn: (date: string) => DayCounts,
  dates: readonly string[],
): PageEffect {
  const days = dates.map((date) => ({ date, ...countsOn(date) }))
  return {
    path,
    before: sumOf(days.filter(({ date }) => date < mergedOn)),
    after: sumOf(days.filter(({ date }) => date > mergedOn)),
    days,
  }
}

function sumOf(days: readonly DayCounts[]): DayCounts {
  return days.reduce(
    (sum, { readers, agents, failures }) => ({
      readers: sum.readers + readers,
      agents: sum.agents + agents,
      failures: sum.failures + failures,
    }),
    nothing,
  )
}
