// The operations on jobs, as the OpenAPI document describes them and as requests are checked.

import { operationsOn } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import { jobParams, projectParams } from '../../contract/ids.ts'
import { body, conditional, type HeaderName, json, notModified } from '../../contract/responses.ts'
import { describeChange } from '../change.ts'
import {
  activeJobExample,
  jobListQuery,
  jobPageSchema,
  jobSchema,
  messagesSchema,
  newJobSchema,
  overviewSchema,
  promptSchema,
} from './schemas.ts'
import { activityPageSchema, activityQuery } from './activity-schemas.ts'
import { reviewSchema, sarifBody } from './review-schemas.ts'
import { transcriptPageSchema, transcriptQuery } from './transcript-schemas.ts'

const operations = operationsOn('Jobs')

export const idempotencyHeaders = z.object({
  'Idempotency-Key': z.string().optional().openapi({
    description:
      '1 to 255 visible ASCII characters, with or without quotes. For 24 hours, a request with the same key and the same body gets the first response again.',
    example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
  }),
})

export const idempotent = ['request_in_flight', 'idempotency_key_reused', 'rate_limited'] as const
export const limitHeaders = ['RateLimit', 'RateLimit-Policy', 'Idempotency-Replayed'] as const

function activeJob(description: string, ...names: readonly HeaderName[]) {
  const content = { 'application/json': { schema: jobSchema, example: activeJobExample } }
  return { ...json(description, jobSchema, ...names), content }
}

export const createJobRoute = operations.post('write', '/v2/agent/{projectId}/job', {
  operationId: 'createJob',
  summary: 'Create a job',
  description:
    'Creates a job that runs in the background. Poll `Location` until `status` is no longer `active`. If the agent changed files, `prLink` is then the address of the pull request.',
  request: { params: projectParams, headers: idempotencyHeaders, body: body(newJobSchema) },
  responses: { 201: activeJob('The new job, `active`.', 'Location', 'Retry-After', ...limitHeaders) },
  codes: idempotent,
})

export const sendMessageRoute = operations.post('write', '/v2/agent/{projectId}/job/{id}/message', {
  operationId: 'sendMessage',
  summary: 'Send a follow-up message',
  description:
    'The model receives a message to an active job before its next turn. A message to a completed or failed job makes the job active again; it continues on the same branch and pull request while that is open. `model` applies from its next turn on.',
  request: { params: jobParams, headers: idempotencyHeaders, body: body(promptSchema) },
  responses: { 200: activeJob('The job, `active`.', 'Retry-After', ...limitHeaders) },
  codes: [...idempotent, 'job_archived', 'too_many_messages', 'branch_fixed'],
})

export const getJobRoute = operations.get('read', '/v2/agent/{projectId}/job/{id}', {
  operationId: 'getJob',
  summary: 'Get a job',
  description:
    'To poll a job, wait for `Retry-After` seconds and send the last `ETag` in `If-None-Match`: the response is 304 until the job changes.',
  request: { params: jobParams, headers: conditional },
  responses: { 200: json('The job.', jobSchema, 'ETag', 'Retry-After'), ...notModified('Retry-After') },
})

export const listJobsRoute = operations.get('read', '/v2/agent/{projectId}/jobs', {
  operationId: 'listJobs',
  summary: 'List jobs',
  description:
    'Returns the newest jobs first. While `nextCursor` is not null, pass it as `cursor` to get the next page.',
  request: { params: projectParams, query: jobListQuery },
  responses: { 200: json('A page of jobs.', jobPageSchema) },
})

export const overviewRoute = operations.get('read', '/v1/overview', {
  operationId: 'getOverview',
  summary: 'Show what needs attention',
  description:
    'Returns what needs attention in all projects that the key can see, and their newest jobs: at most 10 of each.',
  responses: { 200: json('The overview.', overviewSchema) },
})

export const listMessagesRoute = operations.get('read', '/v2/agent/{projectId}/job/{id}/messages', {
  operationId: 'listMessages',
  summary: 'List the messages of a job',
  description: "Returns all messages in order. The first one is the job's own prompt.",
  request: { params: jobParams },
  responses: { 200: json('All messages of the job.', messagesSchema) },
})

export const listTurnsRoute = operations.get('read', '/v2/agent/{projectId}/job/{id}/turns', {
  operationId: 'listTurns',
  summary: 'Get the transcript of a job',
  description:
    'Returns a page of the turns of all runs: what the model was given, what it responded, and the results of its tool calls, whole. Secrets are removed. While `nextCursor` is not null, pass it as `cursor`. `runs` and `edits` have what `docent job replay` compares.',
  request: { params: jobParams, query: transcriptQuery },
  responses: { 200: json('A page of turns.', transcriptPageSchema) },
})

export const listActivityRoute = operations.get('read', '/v2/agent/{projectId}/job/{id}/activity', {
  operationId: 'listActivity',
  summary: 'List what happened on the pull request',
  description:
    'Returns comments, reviews, checks and changes of the pull requests of the job, the oldest first, as the service last read them: at most 5,000 of a pull request. An edit on the forge replaces the text of an entry, a deletion empties it. While `nextCursor` is not null, pass it as `cursor`.',
  request: { params: jobParams, query: activityQuery },
  responses: { 200: json('A page of entries.', activityPageSchema) },
})

export const cancelJobRoute = operations.post('write', '/v2/agent/{projectId}/job/{id}/cancel', {
  operationId: 'cancelJob',
  summary: 'Cancel a job',
  description:
    'Ends the run of an active job. The job becomes `failed` with the error code `cancelled`; its edits stay visible in the diff. Waiting messages are kept, and the next message takes them along.',
  request: { params: jobParams },
  responses: { 200: json('The job, `failed`.', jobSchema) },
  codes: ['job_not_active'],
})

export const archiveJobRoute = operations.post('write', '/v2/agent/{projectId}/job/{id}/archive', {
  operationId: 'archiveJob',
  summary: 'Archive a job',
  description:
    'Archives a job permanently: it accepts no more messages. Archiving an archived job changes nothing. A job that the service archived, because it was idle, becomes active again with a message.',
  request: { params: jobParams },
  responses: { 200: json('The job, `archived`.', jobSchema) },
  codes: ['job_active'],
})

export const changeRoutes = describeChange({
  of: 'Job',
  path: '/v2/agent/{projectId}/job/{id}',
  params: jobParams,
  about:
    "Compares the job's branch, or the unpublished edits of its last run, with the base branch. Works without a pull request, too.",
})

const checksDescription =
  'Compares the problems of the documentation before and after the change of the last run that was checked.'

export const getJobChecksRoute = operations.get('read', '/v2/agent/{projectId}/job/{id}/checks', {
  operationId: 'getJobChecks',
  summary: 'Get the checks of a job',
  description: `${checksDescription} Also returns what the change lost, and what a reviewer must know. 404 before the first run was checked. For SARIF, use \`/checks.sarif\`.`,
  request: { params: jobParams },
  responses: { 200: json('The checks.', reviewSchema) },
})

export const getJobSarifRoute = operations.get('read', '/v2/agent/{projectId}/job/{id}/checks.sarif', {
  operationId: 'getJobChecksSarif',
  summary: 'Get the checks of a job as SARIF',
  description: `${checksDescription} Contains the problems that the change introduced, as a SARIF 2.1.0 log, and as notes the names and values that it adds and that are not found in the sources.`,
  request: { params: jobParams },
  responses: { 200: sarifBody },
})
