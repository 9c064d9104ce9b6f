// The operations that erase page views.

import { operationsOn } from '../../contract/operation.ts'
import { erasedImportedSchema, erasedSchema, importedToEraseSchema, whoToEraseSchema } from './schemas.ts'
import { projectParams } from '../../contract/ids.ts'
import { body, json } from '../../contract/responses.ts'

const operations = operationsOn('Analytics')

export const eraseVisitorRoute = operations.post('admin', '/v1/analytics/{projectId}/visitors/erase', {
  operationId: 'eraseVisitor',
  summary: 'Erase a visitor',
  description:
    'Deletes the page views of a `visitorId`, or those that can still be linked to an `address`: in visitor windows whose salt still exists, for every user agent that is still stored. Counts change at once; the bytes leave the disk within minutes. Page views recorded later are not affected.',
  request: { params: projectParams, body: body(whoToEraseSchema) },
  responses: { 202: json('The number of visitors and page views that were erased.', erasedSchema) },
})

export const eraseImportedRoute = operations.post('admin', '/v1/analytics/{projectId}/imports/erase', {
  operationId: 'eraseImported',
  summary: 'Erase imported page views',
  description:
    'Deletes the page views of a range of days that came from imported logs, so that the logs can be imported again with other options. Page views that a browser or a server sent stay. Counts change at once; the bytes leave the disk within minutes.',
  request: { params: projectParams, body: body(importedToEraseSchema) },
  responses: { 202: json('The number of page views that were erased.', erasedImportedSchema) },
})
