// The two operations that count visitors by a dimension of their page views: `by` chooses it.

import { z } from '@hono/zod-openapi'
import { breakdowns, type ValueCounts } from '../../../analytics/counts/query/exports/breakdown.ts'
import { breakdownNames, type BreakdownName } from '../../../analytics/dimensions/view-dimensions.ts'
import type { App, AppDeps } from '../../context.ts'
import { string } from '../../contract/fields.ts'
import { schemaOf } from '../../contract/schema-of.ts'
import { findProject } from '../../request/auth.ts'
import { breakdownRoutes } from './contract.ts'
import { type ExportContext, respondWithAllRows, respondWithPage } from './export-response.ts'
import { type DeclaredExport, unique, uniqueTotals } from './exports.ts'
import { withFilters } from './filters.ts'

const declare = (name: BreakdownName): DeclaredExport => ({
  query: breakdowns[name] as unknown as DeclaredExport['query'],
  id: 'Breakdown',
  title: ['Count', 'visitors by a dimension'],
  description:
    'Exact unique visitors by a dimension of their page views, sorted by `total` (descending), then by `value`. A visitor with several values counts once in each of them, and once in the totals.',
  field: 'rows',
  countsVisitors: true,
  row: schemaOf<ValueCounts>()(
    z.object({
      value: string('The value; empty: unknown, because no page view says it, or the project does not keep it.'),
      ...unique,
    }),
  ),
  totals: uniqueTotals,
  example: {
    totals: { human: 812, ai: 164, total: 958 },
    rows: [{ value: 'DE', human: 204, ai: 31, total: 230 }],
  },
})

const declared = new Map(breakdownNames.map((name) => [name, declare(name)]))

export function addBreakdownRoutes(app: App, deps: AppDeps, context: ExportContext): void {
  const first = declare('country')
  const { json, csv } = breakdownRoutes(first)
  const find = (name: BreakdownName) => declared.get(name) ?? first
  for (const form of ['breakdown', 'breakdown.csv']) {
    app.use(`/v1/analytics/:projectId/${form}`, findProject(deps.projects))
  }
  app.openapi(json, (c) => {
    const { by, ...query } = c.req.valid('query')
    return respondWithPage(c, context, find(by), withFilters(query))
  })
  app.openapi(csv, (c) => {
    const { by, ...query } = c.req.valid('query')
    return respondWithAllRows(c, context, find(by), withFilters(query))
  })
}
