// What all exports of analytics have in common over HTTP: whether the caller has the answer already (which then costs
// nothing), the limit of the project, the headers that say what was counted, and the question's end when the caller goes.

import type { ExportLimit } from '../../../analytics/limits.ts'
import { ask, type Question } from '../../../analytics/query/ask.ts'
import { toCsv } from '../../../analytics/query/csv.ts'
import type { Query } from '../../../analytics/query/plan.ts'
import type { Export, RowPage } from '../../../analytics/query/rows.ts'
import { entityTag, matchesTag } from '../../request/conditional.ts'
import type { AppContext, AppDeps } from '../../context.ts'
import { withRateLimitHeaders } from '../../response/rate-limit-headers.ts'
import { preferredType } from '../../request/negotiation.ts'

export type Exporting = Pick<AppDeps, 'analytics' | 'version'> & { readonly limit: ExportLimit }

/** An export in one of its forms; a `Query` without what the form does not take. */
export type Wanted<Row, View> = {
  /** Default: as the caller likes it. */
  readonly type?: 'text/csv'
  readonly exported: Export<Row>
  readonly query: Partial<Query>
  readonly read: (
    question: Question,
    signal: AbortSignal,
  ) => Promise<{ readonly view: View; readonly rows: readonly Row[] }>
}

/** A page of an export as JSON, or as CSV when the caller likes that better. */
export async function answerRows<Row extends object, View extends object>(
  c: AppContext,
  exporting: Exporting,
  wanted: Wanted<Row, View>,
): Promise<Response> {
  const { exported, query, read } = wanted
  if (wanted.type === undefined) c.header('Vary', 'Accept')
  const type = wanted.type ?? preferredType(c.req.header('Accept'), ['application/json', 'text/csv'])
  return answering(c, exporting, { name: exported.name, type, query }, async (question, signal) => {
    const { view, rows } = await read(question, signal)
    if (type === 'application/json') return () => c.json(view, 200)
    const text = toCsv(exported.columns, rows)
    return () => c.body(text, 200, csvHeaders(exported.name))
  })
}

/** All rows of an export as CSV, piece by piece: the first one before the answer begins, so that a refusal is one. */
export async function answerCsv<Row extends object>(
  c: AppContext,
  exporting: Exporting,
  exported: Export<Row>,
  query: Partial<Query>,
): Promise<Response> {
  const asked = { name: exported.name, type: 'csv', query }
  return answering(c, exporting, asked, async (question, signal) => {
    const gone = new AbortController()
    const pieces = question.csv(exported, AbortSignal.any([signal, gone.signal]))
    const first = await pieces.next()
    if (c.req.method === 'HEAD') return () => c.body(null, 200, csvHeaders(exported.name))
    return () => c.body(toBody(first.done ? '' : first.value, pieces, gone), 200, csvHeaders(exported.name))
  })
}

type Asked = { readonly name: string; readonly type: string; readonly query: Partial<Query> }
type Answer = (question: Question, signal: AbortSignal) => Promise<() => Response>

async function answering(c: AppContext, exporting: Exporting, asked: Asked, answer: Answer): Promise<Response> {
  const { analytics, limit, version } = exporting
  const project = c.get('project')
  const { signal } = c.req.raw
  const query: Query = { limit: 50, offset: 0, interval: 'day', ...asked.query }
  const question = await ask(analytics, { projectId: project.id, settings: project, query }, signal)
  const { name, type } = asked
  const tag = entityTag(question.version, JSON.stringify([version, name, type, project.visitorWindow, question.plan]))
  const tell = () => {
    c.header('ETag', tag)
    c.header('Cache-Control', 'private, no-cache')
    c.header('Docent-Count', 'exact')
    c.header('Docent-Visitor-Window', project.visitorWindow)
    c.header('Docent-Date-From', question.plan.dateFrom)
    c.header('Docent-Date-To', question.plan.dateTo)
  }
  if (matchesTag(c.req.header('If-None-Match'), tag)) {
    tell()
    return c.body(null, 304)
  }
  const count = async () => {
    await limit.count(project.id)
    return answer(question, signal)
  }
  const send = await withRateLimitHeaders(c, () => limit.read(project.id), count)
  // Not before: a refusal has none of these.
  tell()
  return send()
}

function csvHeaders(name: string): Record<string, string> {
  return {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
  }
}

/** Asks for a piece when the one before is taken; a reader who leaves ends the question. */
function toBody(
  first: string,
  pieces: AsyncGenerator<string, void>,
  gone: AbortController,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(first)),
      pull: async (controller) => {
        const next = await pieces.next()
        if (next.done) controller.close()
        else controller.enqueue(encoder.encode(next.value))
      },
      cancel: () => gone.abort(),
    },
    { highWaterMark: 0 },
  )
}

/** Of a ranked export: what the store gives, and the view of it. */
export function ranking<Row, View extends object>(
  exported: Export<Row>,
  query: Partial<Query>,
  toView: (page: RowPage<Row>) => View,
): Wanted<Row, View> {
  const read = async (question: Question, signal: AbortSignal) => {
    const page = await question.page(exported, signal)
    return { view: toView(page), rows: page.rows }
  }
  return { exported, query, read }
}
