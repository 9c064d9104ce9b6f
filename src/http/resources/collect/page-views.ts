// Page views from servers, edge functions and logs, with a key that has the scope `write`: up to 1,000 per request, or
// 2,000 as columns. Valid ones are stored even if others are rejected.

import { dropReasons, type RawPageView } from '../../../analytics/page-view.ts'
import { parsePageView } from '../../../analytics/collect/parse.ts'
import { columnsType } from '../../../analytics/import/columns/columns.ts'
import { findHistoryOf, openImportOf } from '../../../analytics/histories/import-views.ts'
import { findOpenImport, finishImport, recordProgress } from '../../../analytics/import/import-records.ts'
import { readLineFacts } from '../../../analytics/import/ids/line-facts.ts'
import type { CollectingProject } from '../../../analytics/collect/collect.ts'
import { Failure, invalidInput } from '../../../lib/failure.ts'
import type { App, AppContext, AppDeps } from '../../context.ts'
import { describePageViews, finishImportRoute, importRoute } from './contract.ts'
import { importIdPattern } from '../../contract/ids.ts'
import { mediaType, readBody } from '../../request/body.ts'
import { maxBatchBytes, parseBatch } from './parse-batch.ts'

const bodyRule = {
  maxBytes: maxBatchBytes,
  types: ['application/json', 'application/x-ndjson', columnsType],
  gzip: true,
}

/** Why a page view was rejected: a code, and a sentence. */
type Rejected = { readonly index: number; readonly reason: string; readonly message: string }

export function addPageViewRoutes(app: App, deps: AppDeps): void {
  const { db, openStore } = deps.analytics
  describePageViews(app)
  app.post('/v1/analytics/:projectId/page-views', async (c) => {
    const project = await findProject(deps, c.get('projectId'))
    const importing = await findImport(c, deps)
    const body = await readBody(c, bodyRule)
    deps.ingest.checkRoom()
    const batch = { project, body, type: mediaType(c.req.header('Content-Type')), importing }
    const { accepted, rejected } = await collectBatch(deps, batch)
    if (importing) {
      const progress = { position: importing.position, accepted, rejected: rejected.length }
      await recordProgress(db, { projectId: project.id, importId: importing.importId }, progress)
    }
    return c.json({ accepted, rejected }, 202)
  })
  app.openapi(importRoute, async (c) => {
    await findProject(deps, c.get('projectId'))
    const { host, ...given } = c.req.valid('json')
    const lines = await readLineFacts({ db, store: await openStore() }, c.get('projectId'), host ?? undefined)
    return c.json({ ...(await openImportOf(db, c.get('projectId'), given)), lines }, 200)
  })
  app.openapi(finishImportRoute, async (c) => {
    const { automated } = c.req.valid('json')
    return c.json(await finishImport(db, c.req.valid('param'), automated), 200)
  })
}

async function findProject({ ingest }: AppDeps, id: string): Promise<CollectingProject> {
  const project = await ingest.findProject(id)
  if (!project) throw new Failure('not_found', 'There is no such project.')
  return project
}

type Importing = {
  readonly importId: string
  readonly group: string
  /** Undefined: the import of a log. */
  readonly history: RawPageView['history']
  readonly position: number | undefined
}

/** `?import=imp_…&position=N`: with this batch, everything in the file before byte N is stored. */
async function findImport(c: AppContext, { analytics }: AppDeps): Promise<Importing | undefined> {
  const importId = c.req.query('import')
  if (importId === undefined) return undefined
  if (!importIdPattern.test(importId)) throw new Failure('not_found', 'There is no such import in this project.')
  const found = await findOpenImport(analytics.db, { projectId: c.get('projectId'), importId })
  const { group } = found
  const history = await findHistoryOf(analytics.db, found)
  const position = c.req.query('position')
  if (position === undefined) return { importId, group, history, position }
  if (!/^\d{1,15}$/.test(position)) throw invalidInput('#/query/position', 'must be a number of bytes')
  return { importId, group, history, position: Number(position) }
}

type Batch = {
  readonly project: CollectingProject
  readonly body: Uint8Array
  readonly type: string
  readonly importing: Importing | undefined
}

/** Not `async`: while the store is awaited, nothing keeps the parsed page views. */
function collectBatch({ ingest }: AppDeps, { project, body, type, importing }: Batch) {
  const { views, places, rejected } = parseViews(parseBatch(body, type), importing)
  return ingest.collect(project, views, importing?.group).then(({ accepted, dropped }) => {
    for (const { index, reason } of dropped) {
      const message = `The page view is rejected: ${dropReasons[reason]}.`
      rejected.push({ index: places[index] ?? index, reason, message })
    }
    return { accepted, rejected: rejected.toSorted((a, b) => a.index - b.index) }
  })
}

/** `places`: for each valid page view, its index in the batch. */
function parseViews(items: readonly unknown[], importing: Importing | undefined) {
  const history = importing?.history
  // Pages reported themselves to the other tool.
  const source = importing === undefined ? 'server' : history ? 'browser' : 'log'
  const views: RawPageView[] = []
  const places: number[] = []
  const rejected: Rejected[] = []
  for (const [index, item] of items.entries()) {
    const parsed = parsePageView(item, source)
    if ('invalid' in parsed) {
      rejected.push({ index, reason: 'invalid', message: `The page view is rejected: ${parsed.invalid}.` })
      continue
    }
    places.push(index)
    views.push(history ? { ...parsed.view, history } : parsed.view)
  }
  return { views, places, rejected }
}
