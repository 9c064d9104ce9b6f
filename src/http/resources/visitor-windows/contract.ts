// The operations on the windows of visitors, whose counters answer queries about unique visitors.

import { operation } from '../../contract/operation.ts'
import { readJson } from '../../request/body.ts'
import { projectParams } from '../../contract/ids.ts'
import { body, guarded, json, problems, withBody } from '../../contract/responses.ts'
import { rebuildSchema, rebuiltSchema, windowsSchema } from './schemas.ts'

const tags = ['Analytics']

export const windowsRoute = operation('admin', {
  method: 'get',
  path: '/v1/analytics/{projectId}/visitor-windows',
  operationId: 'listVisitorWindows',
  tags,
  summary: 'List the visitor windows with page views',
  description: 'Visitors of different windows are never the same.',
  request: { params: projectParams },
  responses: { 200: json('The windows, the oldest first.', windowsSchema), ...problems(...guarded) },
})

export const rebuildRoute = operation('admin', {
  method: 'post',
  path: '/v1/analytics/{projectId}/visitor-windows/rebuild',
  operationId: 'rebuildVisitorWindow',
  tags,
  summary: 'Count the unique visitors of a window again',
  description:
    'Counts the stored counters of the window again from its page views, and compares both. Queries are answered meanwhile. It may take seconds for each million page views.',
  middleware: readJson,
  request: { params: projectParams, body: body(rebuildSchema) },
  responses: { 200: json('The result.', rebuiltSchema), ...problems(...guarded, ...withBody) },
})
