// The events of a job, as the document describes them and as requests are checked. OpenAPI 3.1 cannot describe what a
// stream is made of, so its words do.

import { createRoute, z } from '@hono/zod-openapi'
import { eventPageSchema, eventsQuery } from './schemas.ts'
import { jobParams } from '../../contract/ids.ts'
import { guarded, headers, problems } from '../../contract/responses.ts'

const description = `What happens to the job, as server-sent events: what is kept first, then what comes, until the job is not active any more. A comment comes every 15 seconds. The \`data\` of an event is an \`Event\` in JSON, \`event\` its \`type\`, \`id\` its \`id\`.

Come back with the id of the last event, in \`Last-Event-ID\` (browsers do) or \`lastEventId\`: the stream goes on behind it, on any server, without a gap or a repetition. When nothing is left to come, the answer is 204.

Between them come events \`text\` without an id: the text of the model while it is given, \`{ runId, turn, offset, text }\`. They are not kept; \`offset\` says where in the answer the piece stands, and 0 again that the answer begins again. The \`turn\` that follows has the whole.

With \`Accept: application/json\`: the kept events as a page. For what comes later ask again with \`lastEventId\`.`

export const listEventsRoute = createRoute({
  method: 'get',
  path: '/v2/agent/{projectId}/job/{id}/events',
  operationId: 'listEvents',
  tags: ['Jobs'],
  summary: 'Follow a job',
  description,
  request: {
    params: jobParams,
    query: eventsQuery,
    headers: z.object({
      'Last-Event-ID': z.string().optional().openapi({ description: 'The id of the last event that the caller has.' }),
    }),
  },
  responses: {
    200: {
      description: 'The events: a stream, or a page of those that are kept.',
      headers: headers(),
      content: {
        'text/event-stream': { schema: z.string().openapi({ description: 'Server-sent events.' }) },
        'application/json': { schema: eventPageSchema },
      },
    },
    204: { description: 'The job is not active and the caller has its last event.', headers: headers() },
    ...problems(...guarded, 'invalid_input', 'too_many_streams'),
  },
})
