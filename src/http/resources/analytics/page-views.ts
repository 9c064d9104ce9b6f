// The operation that streams the stored page views of a range, as lines of JSON.

import { z } from '@hono/zod-openapi'
import { refuseUnknownSites } from '../../../analytics/counts/query/known-sites.ts'
import { planQuery } from '../../../analytics/counts/query/plan.ts'
import type { ExportCaller } from '../../../analytics/limits.ts'
import { readStoredViews, type StoredView } from '../../../analytics/stored-views.ts'
import { Failure } from '../../../lib/failure.ts'
import { mayUse } from '../../../projects/keys.ts'
import { getProject } from '../../../projects/projects.ts'
import type { App, AppContext, AppDeps } from '../../context.ts'
import { projectParams } from '../../contract/ids.ts'
import { operationsOn } from '../../contract/operation.ts'
import { textBody } from '../../contract/responses.ts'
import { stillKnown } from '../../request/auth.ts'
import { withRateLimitHeaders } from '../../response/rate-limit-headers.ts'
import type { ExportContext } from './export-response.ts'
import { resolveFilters } from './asked-filters.ts'
import { withFilters } from './filters.ts'
import { asked, inOrder } from './parameters.ts'

const example: StoredView = {
  date: '2026-11-21',
  time: '2026-11-21T10:00:00.000Z',
  path: '/guide',
  siteId: null,
  status: 200,
  representation: 'markdown',
  isDownload: false,
  source: 'server',
  class: 'ai',
  category: 'ai_assistant',
  agent: 'ChatGPT-User',
  operator: 'OpenAI',
  verified: 'address',
  referrer: null,
  country: null,
  language: null,
  device: null,
  browser: null,
  os: null,
  campaign: null,
  title: null,
}

const visitorIds = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true')
  .openapi({
    type: 'boolean',
    default: false,
    description:
      'With `visitor`, a number as text: the same client has the same one within a visitor window. Needs `admin`.',
  })

const type = 'application/x-ndjson'

const exportPageViewsRoute = operationsOn('Analytics').get('read', '/v1/analytics/{projectId}/page-views', {
  operationId: 'exportPageViews',
  summary: 'Export page views',
  description:
    'Streams the stored page views of a range, one JSON object per line, day by day: crawlers, downloads and missing pages too, whatever `collectionSource` says, unless filters leave them out. User agents and headers are left out.',
  request: { params: projectParams, query: z.object({ ...asked, visitorIds }).superRefine(inOrder) },
  responses: {
    200: textBody(type, 'All page views of the range.', {
      example: `${JSON.stringify(example)}\n`,
      headers: ['RateLimit', 'RateLimit-Policy'],
    }),
  },
  codes: ['rate_limited', 'question_too_large'],
})

export function addPageViewExport(app: App, deps: AppDeps, { limit }: ExportContext): void {
  const { analytics } = deps
  app.openapi(exportPageViewsRoute, async (c) => {
    const { visitorIds: withVisitors, segment, filters: own, ...range } = withFilters(c.req.valid('query'))
    if (withVisitors && !mayUse(c.get('principal'), 'admin')) {
      throw new Failure('forbidden', 'Ids of visitors need the scope `admin`: leave `visitorIds` out.')
    }
    const settings = await getProject(deps.projects.db, c.get('projectId'))
    const { id: projectId, timeZone } = settings
    const { filters } = await resolveFilters(c, analytics.db, { filters: own, segment })
    const query = { ...range, limit: 0, offset: 0, interval: 'day', filters } as const
    const plan = planQuery({ projectId, settings, query, now: analytics.clock.now() })
    const left = new AbortController()
    const signal = AbortSignal.any([c.req.raw.signal, left.signal])
    const caller: ExportCaller = { projectId, principal: c.get('principal') }
    const work = async () => {
      const store = await analytics.openStore()
      await refuseUnknownSites(analytics.db, { store, plan }, signal)
      const pieces = readStoredViews({ store, plan, timeZone, withVisitors }, signal)
      // Read before the response starts, so that a failure has a status.
      return { pieces, first: await pieces.next() }
    }
    const begin = async () => (await limit.spend(caller, work, signal)).result
    const { pieces, first } = await withRateLimitHeaders(c, () => limit.read(caller), begin)
    const next = () => limit.spendMore(caller, () => pieces.next(), signal)
    const lines = toLines(first, next, stillKnown(c))
    return c.body(toStream(lines, left), 200, headersOf(c))
  })
}

function headersOf(c: AppContext): Record<string, string> {
  c.header('Cache-Control', 'no-store')
  return { 'Content-Type': type, 'Content-Disposition': 'attachment; filename="page-views.ndjson"' }
}

type Pieces = AsyncGenerator<readonly StoredView[], void>

/** Throws when the caller may no longer have the rest: the response breaks off, and nobody takes it for whole. */
async function* toLines(
  first: Awaited<ReturnType<Pieces['next']>>,
  read: Pieces['next'],
  isKnown: () => Promise<boolean>,
): AsyncGenerator<string, void> {
  for (let next = first; !next.done; next = await read()) {
    yield next.value.map((view) => `${JSON.stringify(view)}\n`).join('')
    if (!(await isKnown())) throw new Failure('unauthenticated', 'The key no longer works.')
  }
}

function toStream(lines: AsyncGenerator<string, void>, left: AbortController): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const next = await lines.next()
        if (next.done) controller.close()
        else controller.enqueue(encoder.encode(next.value))
      },
      cancel: () => left.abort(),
    },
    { highWaterMark: 0 },
  )
}
