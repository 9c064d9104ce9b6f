// Saved segments over HTTP: passes requests on to src/analytics/counts/query/segments.ts.

import { refuseUnknownSites } from '../../../analytics/counts/query/known-sites.ts'
import { createSegment, deleteSegment, listSegments, type Segment } from '../../../analytics/counts/query/segments.ts'
import { Failure } from '../../../lib/failure.ts'
import type { App, AppDeps } from '../../context.ts'
import { filtersIn, toValues } from '../analytics/filters.ts'
import { createSegmentRoute, deleteSegmentRoute, listSegmentsRoute, type ShownSegment } from './contract.ts'

export function addSegmentRoutes(app: App, deps: AppDeps): void {
  const { db, openStore } = deps.analytics
  app.openapi(listSegmentsRoute, async (c) => {
    const segments = await listSegments(db, c.get('projectId'))
    return c.json({ segments: segments.map(show) }, 200)
  })
  app.openapi(createSegmentRoute, async (c) => {
    const { name, filters: given } = c.req.valid('json')
    const filters = filtersIn(given)
    if (filters.length === 0) throw new Failure('invalid_input', '`filters` must have at least one filter.')
    const projectId = c.get('projectId')
    if (filters.some((filter) => filter.name === 'site')) {
      const question = { store: await openStore(), plan: { projectId, filters }, pointer: '#/filters/site' }
      await refuseUnknownSites(db, question, c.req.raw.signal)
    }
    const segment = await createSegment(db, { projectId, name, filters })
    c.set('subject', segment.id)
    return c.json(show(segment), 201)
  })
  app.openapi(deleteSegmentRoute, async (c) => {
    await deleteSegment(db, c.get('projectId'), c.req.valid('param').segmentId)
    return c.body(null, 204)
  })
}

function show({ filters, ...segment }: Segment): ShownSegment {
  return { ...segment, filters: toValues(filters) }
}
