// The operation that erases a visitor.

import { createRoute } from '@hono/zod-openapi'
import { requireAdmin } from '../../request/auth.ts'
import { readJson } from '../../request/body.ts'
import { erasedSchema, whoToEraseSchema } from './schemas.ts'
import { projectParams } from '../../contract/ids.ts'
import { body, guarded, json, problems, withBody } from '../../contract/responses.ts'

export const eraseVisitorRoute = createRoute({
  method: 'post',
  path: '/v1/analytics/{projectId}/visitors/erase',
  operationId: 'eraseVisitor',
  tags: ['Analytics'],
  summary: 'Erase a visitor',
  description:
    'Needs the scope `admin`. Deletes the page views of a `visitorId`, or those that can still be linked to an `address`: in visitor windows whose salt still exists, for every user agent that is still stored. Counts change at once; the bytes leave the disk within minutes. Page views recorded later are not affected.',
  middleware: [requireAdmin, readJson] as const,
  request: { params: projectParams, body: body(whoToEraseSchema) },
  responses: {
    202: json('The number of visitors and page views that were erased.', erasedSchema),
    ...problems(...guarded, ...withBody),
  },
})
