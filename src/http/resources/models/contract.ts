// The operations on models and on the keys of their providers.

import { operationsOn } from '../../contract/operation.ts'
import { body, empty, json } from '../../contract/responses.ts'
import {
  checkQuery,
  modelKeyCheckSchema,
  modelKeySchema,
  modelKeysSchema,
  modelsSchema,
  newModelKeySchema,
  providerParams,
} from './schemas.ts'

const operations = operationsOn('Models')

export const listModelsRoute = operations.get('read', '/v1/models', {
  operationId: 'listModels',
  summary: 'List models',
  description:
    'Returns the models that can be used now, with price and context: the built-in one, and the known models of the providers that have a key. You can also use other models of such a provider by name.',
  responses: { 200: json('The models.', modelsSchema) },
})

export const listModelKeysRoute = operations.get('all projects', '/v1/model-keys', {
  operationId: 'listModelKeys',
  summary: 'List model keys',
  description:
    'Returns one entry for each provider that has a key in the environment of the service or in its database. The keys themselves are never shown.',
  responses: { 200: json('The keys.', modelKeysSchema) },
})

export const putModelKeyRoute = operations.put('all projects', '/v1/model-keys/{provider}', {
  operationId: 'putModelKey',
  summary: 'Store a model key',
  description:
    'Stores the key encrypted, and replaces the previous one. Runs that start afterwards use it, unless the environment of the service has a key for the provider.',
  request: { params: providerParams, body: body(newModelKeySchema) },
  responses: { 200: json('The key, without its text.', modelKeySchema) },
})

export const deleteModelKeyRoute = operations.delete('all projects', '/v1/model-keys/{provider}', {
  operationId: 'deleteModelKey',
  summary: 'Delete a model key',
  description: 'Deletes the stored key of the provider. A key in the environment stays.',
  request: { params: providerParams },
  responses: { 204: empty('The key is deleted.') },
})

export const checkModelKeyRoute = operations.post('all projects', '/v1/model-keys/{provider}/check', {
  operationId: 'checkModelKey',
  summary: 'Check a model key',
  description: `Requests a response of one token from a model of the provider (16 for OpenAI, its minimum), which the provider charges. \`problem\` in the response says why the model did not respond.`,
  request: { params: providerParams, query: checkQuery },
  responses: { 200: json('The result of the check.', modelKeyCheckSchema) },
})
