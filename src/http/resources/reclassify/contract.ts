// The operation that reclassifies page views.

import { operation } from '../../contract/operation.ts'
import { readJson } from '../../request/body.ts'
import { projectParams } from '../../contract/ids.ts'
import { reclassifiedSchema, reclassifySchema } from './schemas.ts'
import { body, guarded, json, problems, withBody } from '../../contract/responses.ts'

export const reclassifyRoute = operation('admin', {
  method: 'post',
  path: '/v1/analytics/{projectId}/reclassify',
  operationId: 'reclassify',
  tags: ['Analytics'],
  summary: 'Reclassify page views',
  description:
    'Applies the rules of this release to the page views of a range of days; counts change accordingly. Page views whose user agent was deleted by the signal retention keep their class. Repeating a request changes nothing more. It may take minutes: send one month at a time.',
  middleware: readJson,
  request: { params: projectParams, body: body(reclassifySchema) },
  responses: { 200: json('The result.', reclassifiedSchema), ...problems(...guarded, ...withBody) },
})
