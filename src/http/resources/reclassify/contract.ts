// The operation that reclassifies page views.

import { operationsOn } from '../../contract/operation.ts'
import { projectParams } from '../../contract/ids.ts'
import { reclassifiedSchema, reclassifySchema } from './schemas.ts'
import { body, json } from '../../contract/responses.ts'

export const reclassifyRoute = operationsOn('Analytics').post('admin', '/v1/analytics/{projectId}/reclassify', {
  operationId: 'reclassify',
  summary: 'Reclassify page views',
  description:
    'Applies the rules of this release to the page views of a range of days; counts change accordingly. Page views whose user agent was deleted by the signal retention keep their class. Repeating a request changes nothing more. It may take minutes: send one month at a time.',
  request: { params: projectParams, body: body(reclassifySchema) },
  responses: { 200: json('The result.', reclassifiedSchema) },
})
