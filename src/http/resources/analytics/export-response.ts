// Responds with an export. All forms share the entity tag (a caller that already has the response pays nothing), the
// caller's rate limit, the headers that say what was counted, and a query that is cancelled when the caller leaves.

import { readAutomated } from '../../../analytics/automated-days.ts'
import type { ProbablyAutomated } from '../../../analytics/counts/query/exports/visitors.ts'
import type { ExportCaller, ExportLimit, Spent } from '../../../analytics/limits.ts'
import { streamCsv, toCsv } from '../../../analytics/counts/query/csv.ts'
import { readOwnHosts } from '../../../analytics/own-hosts.ts'
import { refuseUnknownSites } from '../../../analytics/counts/query/known-sites.ts'
import type { Query } from '../../../analytics/counts/query/plan.ts'
import { type PreparedQuery, prepareQuery } from '../../../analytics/counts/query/prepare.ts'
import { type AnsweredFrom, type Question, readPage, type RowPage } from '../../../analytics/counts/query/rows.ts'
import { dayNumberOf } from '../../../analytics/zone.ts'
import type { Project } from '../../../projects/projects.ts'
import type { AppContext, AppDeps } from '../../context.ts'
import { entityTag, matchesTag } from '../../request/conditional.ts'
import { preferredType } from '../../request/negotiation.ts'
import { withRateLimitHeaders } from '../../response/rate-limit-headers.ts'
import type { DeclaredExport } from './exports.ts'
import { type Asked as AskedFilters, resolveFilters } from './asked-filters.ts'
import { fewestOfShare } from './filters.ts'

export type ExportContext = Pick<AppDeps, 'analytics' | 'version'> & {
  readonly limit: ExportLimit
  /** Resolves when it is the turn of a question about many days. */
  readonly turnOfLong: () => Promise<void>
}

/** A question about more days lets those about fewer go first: a day took four times as long beside two questions about a year. */
const daysOfShort = 31

/** A page as JSON. Clients that prefer `text/csv` get the same page as CSV; the OpenAPI document does not declare this. */
export async function respondWithPage(
  c: AppContext,
  context: ExportContext,
  declared: DeclaredExport,
  query: AskedQuery,
): Promise<Response> {
  c.header('Vary', 'Accept')
  const type = preferredType(c.req.header('Accept'), ['application/json', 'text/csv'])
  const { name, columns } = declared.query
  return respond(c, context, { form: `${name} ${type}`, query, declared }, async (prepared, signal) => {
    const page = await readPage(prepared, declared.query, signal)
    if (type === 'application/json') return () => c.json(toResponse(declared, prepared, page), 200)
    const text = toCsv(columns, page.rows)
    return () => c.body(text, 200, csvHeaders(name))
  })
}

/** All rows as CSV, in pieces. The first piece is read before the response starts, so that a failure has a status. */
export async function respondWithAllRows(
  c: AppContext,
  context: ExportContext,
  declared: DeclaredExport,
  query: AskedQuery,
): Promise<Response> {
  const { name } = declared.query
  return respond(c, context, { form: `${name}.csv`, query, declared }, async (prepared, signal) => {
    const left = new AbortController()
    const pieces = streamCsv(prepared, declared.query, AbortSignal.any([signal, left.signal]))
    const first = await pieces.next()
    if (c.req.method === 'HEAD') return () => c.body(null, 200, csvHeaders(name))
    const next = () => context.limit.spendMore(callerOf(c), () => pieces.next(), left.signal)
    return () => c.body(toBody(first.done ? '' : first.value, next, left), 200, csvHeaders(name))
  })
}

function toResponse(
  { query, field, countsVisitors }: DeclaredExport,
  { plan: { interval }, perWindow, probablyAutomated }: Prepared,
  { totals, rows, hasMore }: RowPage,
): Readonly<Record<string, unknown>> {
  const counts = {
    ...(totals ? { totals } : {}),
    ...(countsVisitors ? { perWindow } : {}),
    ...(probablyAutomated ? { probablyAutomated } : {}),
    [field]: rows,
  }
  return query.emptyRows ? { interval, ...counts } : { ...counts, hasMore }
}

type AskedQuery = Partial<Query> & AskedFilters

type Requested = {
  /** The export and its form: each has an entity tag of its own. */
  readonly form: string
  /** Without the parameters that the form does not have. */
  readonly query: AskedQuery
  /** Undefined: no export. */
  readonly declared?: DeclaredExport
}

/** `probablyAutomated`: only for exports with totals of humans, and if any import of the range judged page views. */
type Prepared = Question &
  Pick<PreparedQuery, 'version' | 'perWindow'> & { readonly probablyAutomated: ProbablyAutomated | undefined }

/** Runs the query; the function that it returns creates the response once all headers are set. */
type Run = (prepared: Prepared, signal: AbortSignal) => Promise<() => Response>

/** Throws `rate_limited`, and what the query throws. */
export async function respond(
  c: AppContext,
  { analytics, limit, version, turnOfLong }: ExportContext,
  requested: Requested,
  run: Run,
): Promise<Response> {
  const project = c.get('project')
  const { signal } = c.req.raw
  const { segment, filters: own, ...asked } = requested.query
  const { filters, segments } = await resolveFilters(c, analytics.db, { filters: own, segment })
  const least = c.get('principal').kind === 'share' ? { atLeast: fewestOfShare } : {}
  const query: Query = { limit: 50, offset: 0, interval: 'day', ...asked, filters, ...least }
  if (countDays(query, analytics.clock.now()) > daysOfShort) await turnOfLong()
  const prepared = await prepare(analytics, requested.declared, { project, query, segments }, signal)
  const salt = [version, requested.form, project.visitorWindow, prepared.plan, prepared.probablyAutomated]
  const tag = entityTag(prepared.version, JSON.stringify(salt))
  const setHeaders = () => {
    c.header('ETag', tag)
    c.header('Cache-Control', 'private, no-cache')
    c.header('Docent-Count', 'exact')
    c.header('Docent-Visitor-Window', project.visitorWindow)
    c.header('Docent-Visitor-Windows', String(prepared.perWindow?.windows ?? 1))
    c.header('Docent-Date-From', prepared.plan.dateFrom)
    c.header('Docent-Date-To', prepared.plan.dateTo)
  }
  if (matchesTag(c.req.header('If-None-Match'), tag)) {
    setHeaders()
    return c.body(null, 304)
  }
  const spent: { state?: Spent<unknown>['limit']; from?: AnsweredFrom } = {}
  const onAnswer = (from: AnsweredFrom) => void (spent.from = from)
  const spend = async () => {
    const work = async () => {
      await refuseUnknownSites(analytics.db, prepared, signal)
      return run({ ...prepared, onAnswer }, signal)
    }
    const { result, limit: state } = await limit.spend(callerOf(c), work, signal)
    spent.state = state
    return result
  }
  const readLimit = async () => spent.state ?? (await limit.read(callerOf(c)))
  const send = await withRateLimitHeaders(c, readLimit, spend)
  // Set only after the query, so that a failure has no such headers.
  setHeaders()
  if (spent.from) c.header('Docent-Answered-From', spent.from)
  return send()
}

export function callerOf(c: AppContext): ExportCaller {
  return { projectId: c.get('project').id, principal: c.get('principal') }
}

/** The time zone does not matter here. */
function countDays({ dateFrom, dateTo }: Query, now: Date): number {
  if (dateFrom === undefined) return Infinity
  return dayNumberOf(dateTo ?? now.toISOString().slice(0, 10)) - dayNumberOf(dateFrom)
}

type Asked = { readonly project: Project; readonly query: Query; readonly segments: ReadonlySet<string> }

async function prepare(
  analytics: ExportContext['analytics'],
  declared: DeclaredExport | undefined,
  { project, query, segments }: Asked,
  signal: AbortSignal,
): Promise<Prepared> {
  const { leavesOutOwnSites } = declared?.query ?? {}
  const ownHosts = leavesOutOwnSites === true ? await readOwnHosts(analytics.db, project.id) : new Set<string>()
  const prepared = await prepareQuery(
    analytics,
    { projectId: project.id, settings: project, query, ownHosts, segments },
    signal,
  )
  return { ...prepared, probablyAutomated: declared?.totals && (await readAutomated(analytics.db, prepared.plan)) }
}

function csvHeaders(name: string): Record<string, string> {
  return {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
  }
}

/** Reads a piece when the one before is taken. `left` is aborted when the reader leaves, even in the middle of a piece. */
function toBody(
  first: string,
  readNext: () => Promise<IteratorResult<string, void>>,
  left: AbortController,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(first)),
      pull: async (controller) => {
        const next = await readNext()
        if (next.done) controller.close()
        else controller.enqueue(encoder.encode(next.value))
      },
      cancel: () => left.abort(),
    },
    { highWaterMark: 0 },
  )
}
