// Labelling page views anew.

import { createRoute } from '@hono/zod-openapi'
import { requireAdmin } from '../../request/auth.ts'
import { readJson } from '../../request/body.ts'
import { projectParams } from '../../contract/ids.ts'
import { reclassifiedSchema, reclassifySchema } from './schemas.ts'
import { body, guarded, json, problems, withBody } from '../../contract/responses.ts'

export const reclassifyRoute = createRoute({
  method: 'post',
  path: '/v1/analytics/{projectId}/reclassify',
  operationId: 'reclassify',
  tags: ['Analytics'],
  summary: 'Label page views anew',
  description:
    'Needs the scope `admin`. Labels the page views of a range of days by the rules of this release, and counts follow. Those that lost their user agent to the signal retention keep their label. Asking twice changes nothing. It may take minutes: ask for a month at a time.',
  middleware: [requireAdmin, readJson] as const,
  request: { params: projectParams, body: body(reclassifySchema) },
  responses: { 200: json('What was changed.', reclassifiedSchema), ...problems(...guarded, ...withBody) },
})
