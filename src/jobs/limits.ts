// The rate limits of jobs, as callers are told of them. They are counted where jobs are created and messages sent.

import { type LimitState, type RateLimit, readLimit } from '../requests/rate-limits.ts'
import type { Db } from '../postgres/open.ts'

export type JobLimits = { readonly creates: RateLimit; readonly messages: RateLimit }

export function readJobLimit(db: Db, limit: RateLimit, projectId: string): Promise<LimitState> {
  return readLimit(db, limit, projectId)
}
