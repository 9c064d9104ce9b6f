// The operations on models and on the keys of their providers.

import { operation } from '../../contract/operation.ts'
import { ignoreBody, readJson } from '../../request/body.ts'
import { body, guarded, headers, json, problems, withBody, withoutBody } from '../../contract/responses.ts'
import {
  checkQuery,
  modelKeyCheckSchema,
  modelKeySchema,
  modelKeysSchema,
  modelsSchema,
  newModelKeySchema,
  providerParams,
} from './schemas.ts'

const tags = ['Models']

export const listModelsRoute = operation('read', {
  method: 'get',
  path: '/v1/models',
  operationId: 'listModels',
  tags,
  summary: 'List models',
  description:
    'Returns the models that can be used now, with price and context: the built-in one, and the known models of the providers that have a key. You can also use other models of such a provider by name.',
  responses: { 200: json('The models.', modelsSchema), ...problems('unauthenticated', 'forbidden') },
})

export const listModelKeysRoute = operation('all projects', {
  method: 'get',
  path: '/v1/model-keys',
  operationId: 'listModelKeys',
  tags,
  summary: 'List model keys',
  description:
    'Returns one entry for each provider that has a key in the environment of the service or in its database. The keys themselves are never shown.',
  responses: { 200: json('The keys.', modelKeysSchema), ...problems('unauthenticated', 'forbidden') },
})

export const putModelKeyRoute = operation('all projects', {
  method: 'put',
  path: '/v1/model-keys/{provider}',
  operationId: 'putModelKey',
  tags,
  summary: 'Store a model key',
  description:
    'Stores the key encrypted, and replaces the previous one. Runs that start afterwards use it, unless the environment of the service has a key for the provider.',
  middleware: readJson,
  request: { params: providerParams, body: body(newModelKeySchema) },
  responses: { 200: json('The key, without its text.', modelKeySchema), ...problems(...guarded, ...withBody) },
})

export const deleteModelKeyRoute = operation('all projects', {
  method: 'delete',
  path: '/v1/model-keys/{provider}',
  operationId: 'deleteModelKey',
  tags,
  summary: 'Delete a model key',
  description: 'Deletes the stored key of the provider. A key in the environment stays.',
  middleware: ignoreBody,
  request: { params: providerParams },
  responses: {
    204: { description: 'The key is deleted.', headers: headers() },
    ...problems(...guarded, ...withoutBody),
  },
})

export const checkModelKeyRoute = operation('all projects', {
  method: 'post',
  path: '/v1/model-keys/{provider}/check',
  operationId: 'checkModelKey',
  tags,
  summary: 'Check a model key',
  description: `Requests a response of one token from a model of the provider (16 for OpenAI, its minimum), which the provider charges. \`problem\` in the response says why the model did not respond.`,
  middleware: ignoreBody,
  request: { params: providerParams, query: checkQuery },
  responses: {
    200: json('The result of the check.', modelKeyCheckSchema),
    ...problems(...guarded, 'invalid_input', ...withoutBody),
  },
})
