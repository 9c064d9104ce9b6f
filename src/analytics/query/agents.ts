// AI agents and crawlers by name: who came, how often, and what they read most.

import { crawlerCategories } from '../category.ts'
import type { Export } from './rows.ts'
import { isAi, viewed } from './sql.ts'
import { countViews } from './views.ts'

export type AiAgent = {
  /** Empty: it has no name. */
  readonly agent: string
  /** Empty: not known. */
  readonly operator: string
  readonly visitors: number
  /** Of these, those that came from an address that the operator publishes. */
  readonly verified: number
  /** Those that came from another one, though the operator publishes its addresses. */
  readonly unverified: number
  readonly views: number
  readonly topPath: string
}
export type AiAgentsView = { readonly agents: readonly AiAgent[]; readonly hasMore: boolean }

export type Crawler = {
  readonly agent: string
  readonly operator: string
  readonly category: string
  readonly views: number
}
export type CrawlersView = { readonly crawlers: readonly Crawler[]; readonly hasMore: boolean }

const keys = 'agent, operator, path'
const also = `max(verified = 'address') AS isVerified, max(verified = 'failed') AS isUnverified`

/** Of paths that were viewed as often the first by bytes. */
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

/** Whatever the project counts them as. */
export const crawlers: Export<Crawler> = {
  name: 'crawlers',
  columns: ['agent', 'operator', 'category', 'views'],
  order: 'views DESC, agent ASC, operator ASC, category ASC',
  sql: (plan) => `SELECT 0 AS isTotal, agent, operator, category, sum(counted) AS views
    FROM (${countViews(plan, { keys: 'agent, operator, category, path', where: `${viewed(plan)} AND ${isCrawler}` })})
    GROUP BY agent, operator, category`,
}

const isCrawler = `category IN (${crawlerCategories.map((name) => `'${name}'`).join(', ')})`
