// The operations on the automations of a project, as the OpenAPI document describes them and as requests are checked.

import { mostAutomations } from '../../../automations/automations.ts'
import { automationParams, projectParams } from '../../contract/ids.ts'
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

export const createAutomationRoute = operations.post('admin', all, {
  operationId: 'createAutomation',
  summary: 'Create an automation',
  description: `Each of its runs is a job with its instructions. A project has at most ${mostAutomations}.`,
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

export const triggerAutomationRoute = operations.post('write', '/v1/workflow/{projectId}/{automationId}/trigger', {
  operationId: 'triggerAutomation',
  summary: 'Trigger a scheduled automation',
  description:
    'Starts a run of an automation with a schedule now. 400 for an automation with another trigger, or one that is paused.',
  request: { params: automationParams, headers: idempotencyHeaders },
  responses: { 202: json('The run.', triggeredSchema, ...limitHeaders) },
  codes: [...idempotent, 'invalid_input'],
})
