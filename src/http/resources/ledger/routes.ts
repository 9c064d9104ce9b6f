// The ledger over HTTP: passes the question on to src/automations.

import { askForCommits } from '../../../automations/ledger/ask.ts'
import { readThreshold } from '../../../automations/ledger/calibrate.ts'
import { countFollowers } from '../../../automations/ledger/followers.ts'
import { readLedger } from '../../../automations/ledger/ledger.ts'
import { readRange } from '../../../automations/ledger/range.ts'
import { readSavings } from '../../../automations/ledger/savings.ts'
import { readReleases } from '../../../automations/releases/show.ts'
import { invalidInput } from '../../../lib/failure.ts'
import { personOf } from '../../../projects/keys.ts'
import { type RateLimit, readLimit } from '../../../requests/rate-limits.ts'
import type { App, AppDeps } from '../../context.ts'
import { toIdempotentRequest } from '../../request/idempotency.ts'
import { withRateLimitHeaders } from '../../response/rate-limit-headers.ts'
import { getLedgerRoute, lookRoute } from './contract.ts'

/** How long a client waits for a repository that was not fetched before. */
const deadlineMs = 120_000
const mostAsked = 5_000

export function addLedgerRoutes(app: App, { affected, jobs: context, limits }: AppDeps): void {
  app.openapi(getLedgerRoute, async (c) => {
    const { source: given, from, to, ...filter } = c.req.valid('query')
    const projectId = c.get('project').id
    const source = given === undefined ? undefined : toSource(given)
    if (from !== undefined && source === undefined) throw invalidInput('#/query/source', 'is missing: `from` is in it')
    if (to !== undefined && from === undefined) throw invalidInput('#/query/from', 'is missing: `to` ends its range')
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(deadlineMs)])
    const place = { projectId, source: source ?? null, pointer: '#/query' }
    const commits = from === undefined ? undefined : (await readRange(affected, place, { from, to }, signal)).commits
    const [ledger, followers, savings, threshold, releases] = await Promise.all([
      readLedger(context, projectId, { ...filter, source, commits }),
      countFollowers(context.db, projectId, source),
      readSavings(context.db, projectId, source),
      source === undefined ? null : readThreshold(context.db, projectId, source),
      readReleases(context.db, projectId, source),
    ])
    const known = Object.values(ledger.counts).reduce((sum, count) => sum + count, 0)
    const notFollowed = commits === undefined ? null : commits.length - known
    return c.json({ ...ledger, followers, notFollowed, releases, savings, threshold }, 200)
  })
  const limit: RateLimit = { name: 'creates', quota: limits.createsPerHour }
  app.openapi(lookRoute, async (c) => {
    const { source: given, from, to } = c.req.valid('json')
    const principal = c.get('principal')
    const projectId = c.get('project').id
    const source = toSource(given)
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(deadlineMs)])
    const { commits } = await readRange(affected, { projectId, source, pointer: '#' }, { from, to }, signal)
    if (commits.length > mostAsked) throw invalidInput('#/from', `must leave at most ${mostAsked} commits`)
    const by = { name: principal.name, personId: personOf(principal) }
    const { value, replayed } = await withRateLimitHeaders(
      c,
      () => readLimit(context.db, limit, projectId),
      () => askForCommits(context, { projectId, source, commits, by }, toIdempotentRequest(c), limit),
    )
    if (replayed) c.header('Idempotency-Replayed', 'true')
    return c.json(value, 202)
  })
}

/** `.`: the repository of the project itself. */
function toSource(given: string): string | null {
  return given === '.' ? null : given
}
