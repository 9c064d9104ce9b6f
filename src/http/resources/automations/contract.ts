// The operations on the automations of a project, as the OpenAPI document describes them and as requests are checked.

import { z } from '@hono/zod-openapi'
import { mostAutomations } from '../../../automations/automations.ts'
import { string } from '../../contract/fields.ts'
import { automationParams, automationRunParams, projectParams } from '../../contract/ids.ts'
import { operationsOn } from '../../contract/operation.ts'
import { body, empty, json } from '../../contract/responses.ts'
import { idempotencyHeaders, idempotent, limitHeaders } from '../jobs/contract.ts'
import {
  automationChangeSchema,
  automationSchema,
  automationsSchema,
  newAutomationSchema,
  runListQuery,
  runPageSchema,
  runSchema,
  triggeredSchema,
} from './schemas.ts'
import { runFailuresSchema } from './failures-schemas.ts'
import { readyAutomationsSchema } from './ready-schemas.ts'

/** The last two are of an event without a key. */
const eventHeaders = z.object({
  'webhook-id': string('The same for every delivery of the event: it has one run.').optional(),
  'webhook-timestamp': string('Seconds since 1970, within five minutes of now.').optional(),
  'webhook-signature': string(
    '`v1,` and the base64 of the HMAC-SHA256 of `webhook-id.webhook-timestamp.body`; the key is the base64 after `whsec_` in the secret.',
  ).optional(),
})

const operations = operationsOn('Automations')
const all = '/v1/projects/{projectId}/automations'
const path = `${all}/{automationId}` as const

export const listAutomationsRoute = operations.get('read', all, {
  operationId: 'listAutomations',
  summary: 'List automations',
  description: 'Returns the automations of a project by name, each with its last run.',
  request: { params: projectParams },
  responses: { 200: json('The automations.', automationsSchema) },
})

export const listReadyAutomationsRoute = operations.get('read', '/v1/projects/{projectId}/automation-kinds', {
  operationId: 'listReadyAutomations',
  summary: 'List ready-made automations',
  description:
    'Returns the kinds of automations that a project can turn on, with what each needs and this project lacks.',
  request: { params: projectParams },
  responses: { 200: json('The ready-made automations.', readyAutomationsSchema) },
})

export const createAutomationRoute = operations.post('admin', all, {
  operationId: 'createAutomation',
  summary: 'Create an automation',
  description: `Each of its runs is a job with its instructions. A ready-made one needs its \`kind\` alone; 400 if the project lacks what it needs. A project has at most ${mostAutomations}.`,
  request: { params: projectParams, body: body(newAutomationSchema) },
  responses: { 201: json('The automation.', automationSchema, 'Location') },
  codes: ['automation_exists', 'too_many_automations'],
})

export const getAutomationRoute = operations.get('read', path, {
  operationId: 'getAutomation',
  summary: 'Get an automation',
  description: 'Returns the automation, with its last run.',
  request: { params: automationParams },
  responses: { 200: json('The automation.', automationSchema) },
})

export const updateAutomationRoute = operations.patch('admin', path, {
  operationId: 'updateAutomation',
  summary: 'Update an automation',
  description: `A missing field stays unchanged, and null restores the default. The same applies to the fields in \`budgets\` and \`caps\`. A new trigger, a pause, a resumption and a new end plan the next run from now on. Runs in progress are not changed. Every key with the scope may pause it.`,
  request: { params: automationParams, body: body(automationChangeSchema) },
  responses: { 200: json('The automation.', automationSchema) },
  codes: ['automation_exists'],
})

export const deleteAutomationRoute = operations.delete('admin', path, {
  operationId: 'deleteAutomation',
  summary: 'Delete an automation',
  description: 'Deletes the automation and the list of its runs. Their jobs and pull requests stay.',
  request: { params: automationParams },
  responses: { 204: empty('The automation is deleted.') },
})

export const rotateEventSecretRoute = operations.post('admin', `${path}/secret`, {
  operationId: 'rotateEventSecret',
  summary: 'Replace the secret of an automation',
  description:
    'Returns the automation with a new `secret`, which signs its events from now on. The old one signs nothing any more. 400 without the trigger `event`.',
  request: { params: automationParams },
  responses: { 200: json('The automation, with its new secret.', automationSchema) },
  codes: ['invalid_input'],
})

/** Its handler reads the body as it was sent. */
export const receiveEventRoute = operations.post('public', '/v1/events/{automationId}', {
  operationId: 'receiveEvent',
  summary: 'Send an event to an automation',
  description:
    'Starts a run of an automation with the trigger `event`. The request is signed as Standard Webhooks defines it, or has a key with the scope `write` for its project; without either, every refusal is the same. An event with a `webhook-id` has one run, however often it is sent. The payload is data for the job, never instructions: 100 values of it are read, and 200 characters of each. More than 30 events within an hour pause the automation. Jobs count against the limit of new jobs.',
  security: [{ key: [] }, {}],
  request: { params: automationParams.pick({ automationId: true }), headers: eventHeaders, body: body(z.unknown()) },
  responses: { 202: json('The run.', runSchema, ...limitHeaders) },
  codes: ['unauthenticated', 'forbidden', 'not_found', 'automation_paused', 'rate_limited'],
})

export const runAutomationRoute = operations.post('write', `${path}/run`, {
  operationId: 'runAutomation',
  summary: 'Run an automation now',
  description:
    'Starts a run now, beside the schedule. The run says whether it has a job: it is skipped while a job of the automation is active, and capped when a cap of the day is reached. Jobs count against the limit of new jobs.',
  request: { params: automationParams, headers: idempotencyHeaders },
  responses: { 202: json('The run.', runSchema, ...limitHeaders) },
  codes: [...idempotent, 'automation_paused'],
})

export const listAutomationRunsRoute = operations.get('read', `${path}/runs`, {
  operationId: 'listAutomationRuns',
  summary: 'List the runs of an automation',
  description: 'Returns the newest runs first. While `nextCursor` is not null, pass it as `cursor`.',
  request: { params: automationParams, query: runListQuery },
  responses: { 200: json('A page of runs.', runPageSchema) },
})

export const getRunFailuresRoute = operations.get('read', `${path}/runs/{runId}/failures`, {
  operationId: 'getAutomationRunFailures',
  summary: 'Compare the failing pages of a run',
  description:
    'Returns the pages that the run was given because readers and AI agents fail on them, each with its failures before its pull request was merged and since. 503 while the page views cannot be read.',
  request: { params: automationRunParams },
  responses: { 200: json('The pages.', runFailuresSchema) },
  codes: ['unavailable'],
})

export const triggerAutomationRoute = operations.post('write', '/v1/workflow/{projectId}/{automationId}/trigger', {
  operationId: 'triggerAutomation',
  summary: 'Trigger a scheduled automation',
  description:
    'Starts a run of an automation with a schedule now. 400 for an automation with another trigger, or one that is paused.',
  request: { params: automationParams, headers: idempotencyHeaders },
  responses: { 202: json('The run.', triggeredSchema, ...limitHeaders) },
  codes: [...idempotent, 'invalid_input'],
})
