// The operations on the saved segments of a project, and what requests and responses of them look like.

import { z } from '@hono/zod-openapi'
import type { Segment } from '../../../analytics/counts/query/segments.ts'
import { time } from '../../contract/fields.ts'
import { projectParams, segmentParams } from '../../contract/ids.ts'
import { operationsOn } from '../../contract/operation.ts'
import { body, empty, json } from '../../contract/responses.ts'
import { exactObject, schemaOf } from '../../contract/schema-of.ts'
import { text } from '../../contract/text.ts'
import { filtersObject } from '../analytics/filters.ts'

const operations = operationsOn('Segments')

const example = {
  id: 'seg_0123456789abcdefghij',
  name: 'Readers of the guides',
  filters: { section: ['/guides'], class: ['human'] },
  createdAt: '2026-11-20T08:00:00.000Z',
}

/** The filters as callers write them. */
export type ShownSegment = Omit<Segment, 'filters'> & { readonly filters: Readonly<Record<string, readonly string[]>> }

const segmentSchema = schemaOf<ShownSegment>()(
  z
    .object({
      id: z.string(),
      name: z.string(),
      filters: z
        .record(z.string(), z.array(z.string()).readonly())
        .openapi({ description: 'The values of each filter, as in the query of an export.' }),
      createdAt: time(),
    })
    .openapi('Segment', { example }),
)

const newSegmentSchema = exactObject({
  name: text({ max: 100, description: 'Unique in the project, upper and lower case alike.', example: example.name }),
  filters: filtersObject.openapi({ description: 'At least one filter, with values as in the query of an export.' }),
}).openapi('NewSegment', { example: { name: example.name, filters: example.filters } })

export const listSegmentsRoute = operations.get('read', '/v1/projects/{projectId}/segments', {
  operationId: 'listSegments',
  summary: 'List saved segments',
  description: 'Lists the filters that the project has under a name.',
  request: { params: projectParams },
  responses: {
    200: json('By name.', z.object({ segments: z.array(segmentSchema).readonly() }).openapi('Segments')),
  },
})

export const createSegmentRoute = operations.post('write', '/v1/projects/{projectId}/segments', {
  operationId: 'createSegment',
  summary: 'Save a segment',
  description:
    'Saves filters under a name, for `segment` of the exports. Its counters are kept on disk like those of all page views, so it is answered in milliseconds also after a restart.',
  request: { params: projectParams, body: body(newSegmentSchema) },
  responses: { 201: json('The segment.', segmentSchema) },
  codes: ['segment_exists', 'too_many_segments'],
})

export const deleteSegmentRoute = operations.delete('write', '/v1/projects/{projectId}/segments/{segmentId}', {
  operationId: 'deleteSegment',
  summary: 'Delete a segment',
  description: 'Deletes the name and the counters. Page views stay, and their filters work as before.',
  request: { params: segmentParams },
  responses: { 204: empty('The segment is deleted.') },
})
