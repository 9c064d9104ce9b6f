// AI agents and crawlers by name: the visitors and views of each, and the page that an agent viewed most.

import type { Counted } from '../../uniques/counted.ts'
import type { Dimension } from '../../uniques/dimensions.ts'
import type { Plan } from '../plan.ts'
import { compareBytes, type Export } from '../rows.ts'
import { countViews, isAi, isCrawler, verification, verifiedViews, viewed } from '../sql.ts'
import { type Counts, ofTotal, sumByValue } from '../sums.ts'

export type AiAgent = {
  /** Empty: the client has no name. */
  readonly agent: string
  /** Empty: unknown. */
  readonly operator: string
  readonly visitors: number
  /** Visitors from an address that the operator publishes. */
  readonly verified: number
  /** Visitors from any other address of an operator that publishes its addresses. */
  readonly unverified: number
  readonly views: number
  readonly topPath: string
}
export type AiAgentsResponse = { readonly agents: readonly AiAgent[]; readonly hasMore: boolean }

export type Crawler = {
  readonly agent: string
  readonly operator: string
  readonly category: string
  readonly views: number
  /** Views from an address that the operator publishes. */
  readonly verified: number
  /** Views from any other address of an operator that publishes its addresses: the name may be false. */
  readonly unverified: number
}

const keys = 'agent, operator, path'
const also = `max(verified = 'address') AS isVerified, max(verified = 'failed') AS isUnverified`

/** `topPath`: if several paths have the most views, the first by bytes. */
export const aiAgents: Export<AiAgent> = {
  name: 'ai-agents',
  columns: ['agent', 'operator', 'visitors', 'verified', 'unverified', 'views', 'topPath'],
  order: ['-visitors', '-views', 'agent', 'operator'],
  sql: (plan) => countAgents(plan, 'argMin(path, (-toInt64(ofPath), path)) AS topPath'),
  counters: {
    dimensions: ['agent', 'verified_agent', 'unverified_agent', 'agent_views'],
    rest: (plan) => countAgents(plan, 'groupArray(toString(path)) AS paths, groupArray(ofPath) AS viewsOfPaths'),
    add: (counted, plan, rows) => ({
      rows: addAgents(counted, plan, rows as readonly unknown[] as readonly AgentOfRows[]),
    }),
  },
}

/** `paths`: aggregates over the views of each path (`ofPath`). */
function countAgents(plan: Plan, paths: string): string {
  return `SELECT 0 AS isTotal, agent, operator, uniqExactIfMerge(ids) AS visitors,
      uniqExactIfMerge(verifiedIds) AS verified, uniqExactIfMerge(unverifiedIds) AS unverified, sum(ofPath) AS views,
      ${paths}
    FROM (
      SELECT agent, operator, path, sum(counted) AS ofPath, uniqExactIfState(visitor, visitor != 0) AS ids,
        uniqExactIfState(visitor, visitor != 0 AND isVerified) AS verifiedIds,
        uniqExactIfState(visitor, visitor != 0 AND isUnverified) AS unverifiedIds
      FROM (${countViews(plan, { keys, also, where: `${viewed(plan)} AND ${isAi(plan)}` })})
      GROUP BY agent, operator, path
    ) GROUP BY agent, operator`
}

type AgentOfRows = Omit<AiAgent, 'topPath'> & {
  readonly paths: readonly string[]
  readonly viewsOfPaths: readonly number[]
}

function addAgents(counted: Counted, plan: Plan, rows: readonly AgentOfRows[]): readonly AiAgent[] {
  const visitorsOf = (dimension: Dimension, column: 'visitors' | 'verified' | 'unverified') =>
    sumByValue(counted, dimension, plan, new Map(rows.map((row) => [nameOf(row), ofTotal(row[column])])))
  const visitors = visitorsOf('agent', 'visitors')
  const verified = visitorsOf('verified_agent', 'verified')
  const unverified = visitorsOf('unverified_agent', 'unverified')
  const stored = new Map<string, Counts>()
  for (const { agent, operator, paths, viewsOfPaths } of rows) {
    for (const [at, path] of paths.entries()) {
      const value = [agent, operator, path].join('\n')
      stored.set(value, ofTotal((stored.get(value)?.total ?? 0) + (viewsOfPaths[at] ?? 0)))
    }
  }
  const agents = new Map<string, { views: number; topPath: string; mostViews: number }>()
  for (const [value, { total }] of sumByValue(counted, 'agent_views', plan, stored)) {
    const [agent = '', operator = '', path = ''] = value.split('\n')
    const name = nameOf({ agent, operator })
    const one = agents.get(name) ?? { views: 0, topPath: path, mostViews: 0 }
    agents.set(name, one)
    one.views += total
    if (total < one.mostViews || (total === one.mostViews && compareBytes(one.topPath, path) <= 0)) continue
    one.topPath = path
    one.mostViews = total
  }
  return Array.from(agents, ([name, { views, topPath }]) => {
    const [agent = '', operator = ''] = name.split('\n')
    const [all, known, failed] = [visitors, verified, unverified].map((of) => of.get(name)?.total ?? 0)
    return { agent, operator, visitors: all ?? 0, verified: known ?? 0, unverified: failed ?? 0, views, topPath }
  })
}

/** Equals the values of the dimensions of agents. */
function nameOf({ agent, operator }: Pick<AiAgent, 'agent' | 'operator'>): string {
  return [agent, operator].join('\n')
}

/** Includes crawlers that the project counts as human or AI. */
export const crawlers: Export<Crawler> = {
  name: 'crawlers',
  columns: ['agent', 'operator', 'category', 'views', 'verified', 'unverified'],
  order: ['-views', 'agent', 'operator', 'category'],
  sql: (plan) => `SELECT 0 AS isTotal, agent, operator, category, sum(counted) AS views,
      ${verifiedViews[0]} AS verified, ${verifiedViews[1]} AS unverified
    FROM (${countViews(plan, {
      keys: 'agent, operator, category, path',
      also: verification,
      where: `${viewed(plan)} AND ${isCrawler}`,
    })})
    GROUP BY agent, operator, category`,
  counters: {
    dimensions: ['crawler_views'],
    add: (counted, plan, rows) => {
      const key = ({ agent, operator, category }: Crawler) => [agent, operator, category].join('\n')
      // The counters of crawlers have verified views in the place of people's, and unverified ones in that of agents'.
      const stored = rows.map(
        (row) => [key(row), { human: row.verified, ai: row.unverified, total: row.views }] as const,
      )
      const found = sumByValue(counted, 'crawler_views', plan, new Map(stored))
      return {
        rows: Array.from(found, ([value, { human: verified, ai: unverified, total: views }]) => {
          const [agent = '', operator = '', category = ''] = value.split('\n')
          return { agent, operator, category, views, verified, unverified }
        }),
      }
    },
  },
}
