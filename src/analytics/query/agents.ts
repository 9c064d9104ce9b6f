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

/** Of paths that were viewed as often the first by bytes. */
export const aiAgents: Export<AiAgent> = {
  name: 'ai-agents',
  columns: ['agent', 'operator', 'visitors', 'views', 'topPath'],
  order: 'visitors DESC, views DESC, agent ASC, operator ASC',
  sql: (plan) => `SELECT 0 AS isTotal, agent, operator, uniqExactIfMerge(ids) AS visitors, sum(ofPath) AS views,
      argMin(path, (-toInt64(ofPath), path)) AS topPath
    FROM (
      SELECT agent, operator, path, uniqExactIfState(visitor, visitor != 0) AS ids, sum(counted) AS ofPath
      FROM (${countViews(plan, { keys: 'agent, operator, path', where: `${viewed(plan)} AND ${isAi(plan)}` })})
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
