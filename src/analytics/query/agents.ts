// AI agents and crawlers by name: the visitors and views of each, and the page that an agent viewed most.

import { crawlerCategories } from '../category.ts'
import type { Export } from './rows.ts'
import { isAi, viewed } from './sql.ts'
import { countViews } from './views.ts'

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
}

const keys = 'agent, operator, path'
const also = `max(verified = 'address') AS isVerified, max(verified = 'failed') AS isUnverified`

/** `topPath`: if several paths have the most views, the first by bytes. */
export const aiAgents: Export<AiAgent> = {
  name: 'ai-agents',
  columns: ['agent', 'operator', 'visitors', 'verified', 'unverified', 'views', 'topPath'],
  order: 'visitors DESC, views DESC, agent ASC, operator ASC',
  sql: (plan) => `SELECT 0 AS isTotal, agent, operator, uniqExactIfMerge(ids) AS visitors,
      uniqExactIfMerge(verifiedIds) AS verified, uniqExactIfMerge(unverifiedIds) AS unverified, sum(ofPath) AS views,
      argMin(path, (-toInt64(ofPath), path)) AS topPath
    FROM (
      SELECT agent, operator, path, sum(counted) AS ofPath, uniqExactIfState(visitor, visitor != 0) AS ids,
        uniqExactIfState(visitor, visitor != 0 AND isVerified) AS verifiedIds,
        uniqExactIfState(visitor, visitor != 0 AND isUnverified) AS unverifiedIds
      FROM (${countViews(plan, { keys, also, where: `${viewed(plan)} AND ${isAi(plan)}` })})
      GROUP BY agent, operator, path
    ) GROUP BY agent, operator`,
}

/** Includes crawlers that the project counts as human or AI. */
export const crawlers: Export<Crawler> = {
  name: 'crawlers',
  columns: ['agent', 'operator', 'category', 'views'],
  order: 'views DESC, agent ASC, operator ASC, category ASC',
  sql: (plan) => `SELECT 0 AS isTotal, agent, operator, category, sum(counted) AS views
    FROM (${countViews(plan, { keys: 'agent, operator, category, path', where: `${viewed(plan)} AND ${isCrawler}` })})
    GROUP BY agent, operator, category`,
}

const isCrawler = `category IN (${crawlerCategories.map((name) => `'${name}'`).join(', ')})`
