// The events of a job, as the OpenAPI document describes them and as requests are checked.

import { operationsOn } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import { jobParams } from '../../contract/ids.ts'
import { empty, headers, json } from '../../contract/responses.ts'
import { eventPageSchema, eventsQuery, streamedEventSchema, streamQuery } from './schemas.ts'
import { string } from '../../contract/fields.ts'

const operations = operationsOn('Jobs')

const description = `Streams what happens to the job as server-sent events: first the events so far, then new ones, until the job is no longer active. A comment is sent every 15 seconds. The \`data\` of an event is an \`Event\` as JSON; \`event\` is its \`type\` and \`id\` its \`id\`.

To resume, send the id of the last event that you have in \`Last-Event-ID\` (browsers do this) or \`lastEventId\`. The stream continues after it, on any server, without a gap or a repetition. If no more events will come, the response is 204.

Events named \`text\`, without an id, carry the text of the model while it is generated: \`{ runId, turn, offset, text }\`. They are not kept. \`offset\` is the position of the piece in the text; 0 again means that the model starts over. The \`turn\` event that follows has the complete text.`

const resumeHeaders = z.object({
  'Last-Event-ID': string('The id of the last event that you have.').optional(),
})

export const streamEventsRoute = operations.get('read', '/v2/agent/{projectId}/job/{id}/events', {
  operationId: 'streamEvents',
  summary: 'Stream the events of a job',
  description,
  request: { params: jobParams, query: streamQuery, headers: resumeHeaders },
  responses: {
    200: {
      description: 'The stream of events. The schema is that of the `data` of one event.',
      headers: headers(),
      content: { 'text/event-stream': { schema: streamedEventSchema } },
    },
    204: empty('The job is not active, and you have its last event.'),
  },
  codes: ['too_many_streams'],
})

export const listEventsRoute = operations.get('read', '/v2/agent/{projectId}/job/{id}/events.json', {
  operationId: 'listEvents',
  summary: 'List the events of a job',
  description:
    'Returns a page of the events that are kept, in order. While `nextCursor` is not null, pass it as `cursor`. For events that come later, pass the last id as `lastEventId`.',
  request: { params: jobParams, query: eventsQuery, headers: resumeHeaders },
  responses: { 200: json('A page of events.', eventPageSchema) },
})
