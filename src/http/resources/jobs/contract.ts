// The operations on jobs, as the document describes them and as requests are checked.

import { createRoute, z } from '@hono/zod-openapi'
import { ignoreBody, readJson } from '../../request/body.ts'
import { filesSchema } from '../diff/schemas.ts'
import { jobParams, projectParams } from '../../contract/ids.ts'
import { jobListQuery, jobPageSchema, jobSchema, messagesSchema, promptSchema } from './schemas.ts'
import { body, guarded, headers, json, problems, withBody } from '../../contract/responses.ts'

const idempotencyHeaders = z.object({
  'Idempotency-Key': z.string().optional().openapi({
    description:
      '1 to 255 visible ASCII characters, in quotes or not. For 24 hours the same key with the same body gives the first answer again.',
    example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
  }),
})

const idempotent = ['request_in_flight', 'idempotency_key_reused', 'rate_limited'] as const
const repositories = ['repository_unreachable', 'repository_unauthorized', 'repository_invalid'] as const

export const createJobRoute = createRoute({
  method: 'post',
  path: '/v2/agent/{projectId}/job',
  operationId: 'createJob',
  tags: ['Jobs'],
  summary: 'Create a job',
  description:
    'Creates a job that runs in the background. Poll it at `Location` until it is not `active` any more. When the agent changed files, `prLink` is the address of the pull request.',
  middleware: readJson,
  request: { params: projectParams, headers: idempotencyHeaders, body: body(promptSchema) },
  responses: {
    201: json(
      'The job, `active`.',
      jobSchema,
      'Location',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotency-Replayed',
    ),
    ...problems(...guarded, ...withBody, ...idempotent),
  },
})

export const sendMessageRoute = createRoute({
  method: 'post',
  path: '/v2/agent/{projectId}/job/{id}/message',
  operationId: 'sendMessage',
  tags: ['Jobs'],
  summary: 'Send a follow-up message',
  description:
    'To an active job: handed to the model before its next turn. To a completed or failed one: makes it active again, on the same branch and pull request while that is open. Messages are never lost.',
  middleware: readJson,
  request: { params: jobParams, headers: idempotencyHeaders, body: body(promptSchema) },
  responses: {
    200: json('The job, `active`.', jobSchema, 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Idempotency-Replayed'),
    ...problems(...guarded, ...withBody, ...idempotent, 'job_archived', 'too_many_messages'),
  },
})

export const getJobRoute = createRoute({
  method: 'get',
  path: '/v2/agent/{projectId}/job/{id}',
  operationId: 'getJob',
  tags: ['Jobs'],
  summary: 'Get a job',
  description: 'For polling: send the `ETag` of the answer before in `If-None-Match`, and wait for `Retry-After`.',
  request: {
    params: jobParams,
    headers: z.object({
      'If-None-Match': z.string().optional().openapi({ description: 'Tags that the caller has, or `*`.' }),
    }),
  },
  responses: {
    200: json('The job.', jobSchema, 'ETag', 'Retry-After'),
    304: { description: 'Nothing changed since the answer with this tag.', headers: headers('ETag', 'Retry-After') },
    ...problems(...guarded),
  },
})

export const listJobsRoute = createRoute({
  method: 'get',
  path: '/v2/agent/{projectId}/jobs',
  operationId: 'listJobs',
  tags: ['Jobs'],
  summary: 'List jobs',
  description: 'Newest first. Go on with `nextCursor` while it is not null.',
  request: { params: projectParams, query: jobListQuery },
  responses: { 200: json('A page of jobs.', jobPageSchema), ...problems(...guarded, 'invalid_input') },
})

export const listMessagesRoute = createRoute({
  method: 'get',
  path: '/v2/agent/{projectId}/job/{id}/messages',
  operationId: 'listMessages',
  tags: ['Jobs'],
  summary: "List a job's messages",
  request: { params: jobParams },
  responses: { 200: json('All messages of the job.', messagesSchema), ...problems(...guarded) },
})

export const cancelJobRoute = createRoute({
  method: 'post',
  path: '/v2/agent/{projectId}/job/{id}/cancel',
  operationId: 'cancelJob',
  tags: ['Jobs'],
  summary: 'Cancel a job',
  description:
    'Ends the run of an active job, wherever it is. The job is `failed` with the code `cancelled`; what was edited stays visible in the diff. Messages that wait stay, unanswered: the next message takes them along.',
  middleware: ignoreBody,
  request: { params: jobParams },
  responses: {
    200: json('The job, `failed`.', jobSchema),
    ...problems(...guarded, 'job_not_active', 'payload_too_large', 'unsupported_media_type'),
  },
})

export const archiveJobRoute = createRoute({
  method: 'post',
  path: '/v2/agent/{projectId}/job/{id}/archive',
  operationId: 'archiveJob',
  tags: ['Jobs'],
  summary: 'Archive a job',
  description: 'Final: an archived job takes no more messages. Archiving twice changes nothing.',
  middleware: ignoreBody,
  request: { params: jobParams },
  responses: {
    200: json('The job, `archived`.', jobSchema),
    ...problems(...guarded, 'job_active', 'payload_too_large', 'unsupported_media_type'),
  },
})

export const diffJobRoute = createRoute({
  method: 'get',
  path: '/v2/agent/{projectId}/job/{id}/diff',
  operationId: 'getJobDiff',
  tags: ['Jobs'],
  summary: 'Get what a job changed',
  description:
    "The job's branch, or what is edited so far, against its base; also when no pull request exists. By file with `Accept: application/json`.",
  request: { params: jobParams },
  responses: { 200: diffResponses(), ...problems(...guarded, ...repositories) },
})

/** A unified diff, or the same by file. */
export function diffResponses() {
  return {
    description: 'A unified diff, empty when nothing is changed; or the same by file.',
    headers: headers(),
    content: { 'text/x-diff': { schema: z.string() }, 'application/json': { schema: filesSchema } },
  }
}
