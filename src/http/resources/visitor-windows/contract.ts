// The operations on the windows of visitors, whose counters answer queries about unique visitors.

import { operationsOn } from '../../contract/operation.ts'
import { projectParams } from '../../contract/ids.ts'
import { body, json } from '../../contract/responses.ts'
import { rebuildSchema, rebuiltSchema, windowsSchema } from './schemas.ts'

const operations = operationsOn('Analytics')

export const windowsRoute = operations.get('admin', '/v1/analytics/{projectId}/visitor-windows', {
  operationId: 'listVisitorWindows',
  summary: 'List the visitor windows with page views',
  description: 'Visitors of different windows are never the same.',
  request: { params: projectParams },
  responses: { 200: json('The windows, the oldest first.', windowsSchema) },
})

export const rebuildRoute = operations.post('admin', '/v1/analytics/{projectId}/visitor-windows/rebuild', {
  operationId: 'rebuildVisitorWindow',
  summary: 'Count the unique visitors of a window again',
  description:
    'Counts the stored counters of the window again from its page views, and compares both. Queries are answered meanwhile. It may take seconds for each million page views.',
  request: { params: projectParams, body: body(rebuildSchema) },
  responses: { 200: json('The result.', rebuiltSchema) },
})
