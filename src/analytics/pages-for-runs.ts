// The page views that runs of jobs are given: pages that readers and AI agents asked for and that the site does not have, and the pages
// that are read most; and later whether pages still fail. A visitor counts once for each window of salts, so the number of visitors is
// the least that it can be.

import type {
  BrokenPage,
  FailureCount,
  PageViewReader,
  ReadPage,
  WantedBroken,
  WantedFailures,
  WantedPages,
} from '../jobs/options/readings.ts'
import type { ClickHouse } from '../clickhouse/open.ts'
import type { Clock } from '../lib/clock.ts'
import { planBetween, type Plan, type QuerySettings } from './counts/query/plan.ts'
import { keptSince } from './retention.ts'
import { dayNumber, isAi, isHuman, isVisit, notFound, toParams, viewed } from './counts/query/sql.ts'

type Context = {
  readonly settingsOf: (projectId: string) => Promise<QuerySettings>
  /** Undefined: this process has no store. */
  readonly openIfThere: () => Promise<ClickHouse | undefined>
  readonly clock: Clock
}

const mostReferrers = 5

export function createPageViewReader(context: Context): PageViewReader {
  return {
    brokenPages: async (wanted, signal) =>
      await read<BrokenPage>(context, wanted, (plan) => brokenPagesSql(plan, wanted), signal),
    failures: (wanted, signal) => readFailures(context, wanted, signal),
    readPages: async (wanted, signal) =>
      await read<ReadPage>(context, wanted, (plan) => readPagesSql(plan, wanted), signal),
  }
}

async function read<Row>(
  { settingsOf, openIfThere, clock }: Context,
  { projectId, since }: WantedPages,
  toSql: (plan: Plan) => string,
  signal: AbortSignal,
): Promise<readonly Row[] | undefined> {
  const store = await openIfThere()
  if (!store) return undefined
  const plan = planBetween(projectId, await settingsOf(projectId), [since.getTime(), clock.now().getTime()])
  return await store.read<Row>(toSql(plan), toParams(plan), signal)
}

async function readFailures(
  { settingsOf, openIfThere, clock }: Context,
  { projectId, paths, from, to }: WantedFailures,
  signal: AbortSignal,
) {
  const store = await openIfThere()
  if (!store) return undefined
  const settings = await settingsOf(projectId)
  const plan = planBetween(projectId, settings, [from.getTime(), to.getTime()])
  const pages = await store.read<FailureCount>(failuresSql(plan), { ...toParams(plan), paths: [...paths] }, signal)
  return { isKept: from.getTime() >= keptSince(settings, clock.now().getTime()), pages }
}

function failuresSql(plan: Plan): string {
  return `/* page_views.failures_for_runs */ SELECT path, max(ofWindow) AS visitors, sum(seen) AS views
    FROM (SELECT toString(path) AS path, salt_window, uniqExact(visitor) AS ofWindow, count() AS seen
      FROM page_views WHERE ${notFound(plan)} AND ${isVisit(plan)} AND path IN {paths:Array(String)}
      GROUP BY path, salt_window)
    GROUP BY path ORDER BY visitors DESC, path`
}

function brokenPagesSql(plan: Plan, { limit, fewestVisitors, fewestDays }: WantedBroken): string {
  return `/* page_views.broken_for_runs */ SELECT path, max(ofWindow) AS visitors, uniqExactMerge(seenOn) AS days,
      sum(human) AS viewsOfPeople, sum(ai) AS viewsOfAiAgents, groupUniqArrayArray(${mostReferrers})(hosts) AS referrers
    FROM (SELECT toString(path) AS path, salt_window, uniqExact(visitor) AS ofWindow,
        uniqExactState(${dayNumber(plan)}) AS seenOn, countIf(${isHuman}) AS human, countIf(${isAi(plan)}) AS ai,
        groupUniqArrayIf(${mostReferrers})(toString(referrer), referrer != '') AS hosts
      FROM page_views WHERE ${notFound(plan)} AND ${isVisit(plan)} GROUP BY path, salt_window)
    GROUP BY path HAVING visitors >= ${fewestVisitors} AND days >= ${fewestDays}
    ORDER BY visitors DESC, path LIMIT ${limit}`
}

function readPagesSql(plan: Plan, { limit }: WantedPages): string {
  return `/* page_views.read_for_runs */ SELECT path, max(ofWindow) AS visitors
    FROM (SELECT toString(path) AS path, salt_window, uniqExact(visitor) AS ofWindow
      FROM page_views WHERE ${viewed(plan)} AND ${isVisit(plan)} GROUP BY path, salt_window)
    GROUP BY path ORDER BY visitors DESC, path LIMIT ${limit}`
}
