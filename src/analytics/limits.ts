// The rate limit of exports. Each query that reads the store counts as one, regardless of its cost.

import { consume, type LimitState, type RateLimit, readLimit } from '../requests/rate-limits.ts'
import type { AnalyticsContext } from './context.ts'

export type ExportLimit = {
  /** Returns what is left. Throws `rate_limited`. */
  readonly count: (projectId: string) => Promise<LimitState>
  readonly read: (projectId: string) => Promise<LimitState>
}

export function createExportLimit({ db }: Pick<AnalyticsContext, 'db'>, quota: number): ExportLimit {
  const limit: RateLimit = { name: 'exports', quota }
  return {
    count: (projectId) => consume(db, limit, projectId),
    read: (projectId) => readLimit(db, limit, projectId),
  }
}
