// Saved segments over HTTP: passes requests on to src/analytics/counts/query/segments.ts.

import { createSegment, deleteSegment, listSegments, type Segment } from '../../../analytics/counts/query/segments.ts'
import { Failure } from '../../../lib/failure.ts'
import type { App, AppDeps } from '../../context.ts'
import { filtersIn, toValues } from '../analytics/filters.ts'
import { createSegmentRoute, deleteSegmentRoute, listSegmentsRoute, type ShownSegment } from './contract.ts'

export function addSegmentRoutes(app: App, deps: AppDeps): void {
  const { db } = deps.analytics
  app.openapi(listSegmentsRoute, async (c) => {
    const segments = await listSegments(db, c.get('projectId'))
    return c.json({ segments: segments.map(show) }, 200)
  })
  app.openapi(createSegmentRoute, async (c) => {
    const { name, filters: given } = c.req.valid('json')
    const filters = filtersIn(given)
    if (filters.length === 0) throw new Failure('invalid_input', '`filters` must have at least one filter.')
    const segment = await createSegment(db, { projectId: c.get('projectId'), name, filters })
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
