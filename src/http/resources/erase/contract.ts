// The operations that erase page views.

import { operation } from '../../contract/operation.ts'
import { readJson } from '../../request/body.ts'
import { erasedImportedSchema, erasedSchema, importedToEraseSchema, whoToEraseSchema } from './schemas.ts'
import { projectParams } from '../../contract/ids.ts'
import { body, guarded, json, problems, withBody } from '../../contract/responses.ts'

export const eraseVisitorRoute = operation('admin', {
  method: 'post',
  path: '/v1/analytics/{projectId}/visitors/erase',
  operationId: 'eraseVisitor',
  tags: ['Analytics'],
  summary: 'Erase a visitor',
  description:
    'Deletes the page views of a `visitorId`, or those that can still be linked to an `address`: in visitor windows whose salt still exists, for every user agent that is still stored. Counts change at once; the bytes leave the disk within minutes. Page views recorded later are not affected.',
  middleware: readJson,
  request: { params: projectParams, body: body(whoToEraseSchema) },
  responses: {
    202: json('The number of visitors and page views that were erased.', erasedSchema),
    ...problems(...guarded, ...withBody),
  },
})

export const eraseImportedRoute = operation('admin', {
  method: 'post',
  path: '/v1/analytics/{projectId}/imports/erase',
  operationId: 'eraseImported',
  tags: ['Analytics'],
  summary: 'Erase imported page views',
  description:
    'Deletes the page views of a range of days that came from imported logs, so that the logs can be imported again with other options. Page views that a browser or a server sent stay. Counts change at once; the bytes leave the disk within minutes.',
  middleware: readJson,
  request: { params: projectParams, body: body(importedToEraseSchema) },
  responses: {
    202: json('The number of page views that were erased.', erasedImportedSchema),
    ...problems(...guarded, ...withBody),
  },
})
