// The operations on the credential of a project, as the OpenAPI document describes them and as requests are checked.

import { operation } from '../../contract/operation.ts'
import { projectParams } from '../../contract/ids.ts'
import { body, guarded, headers, json, problems, withBody, withoutBody } from '../../contract/responses.ts'
import { ignoreBody, readJson, readOptionalJson } from '../../request/body.ts'
import { checkRequestSchema, checkSchema, credentialSchema, newCredentialSchema } from './schemas.ts'

const tags = ['Credentials']
const path = '/v1/projects/{projectId}/credential'

export const getCredentialRoute = operation('admin', {
  method: 'get',
  path,
  operationId: 'getCredential',
  tags,
  summary: 'Get the credential',
  description:
    'Returns what is known about the credential of the project, and never the secret. 404 if the project has no credential.',
  request: { params: projectParams },
  responses: { 200: json('The credential without its secret.', credentialSchema), ...problems(...guarded) },
})

export const putCredentialRoute = operation('admin', {
  method: 'put',
  path,
  operationId: 'putCredential',
  tags,
  summary: 'Set the credential',
  description:
    'Replaces the credential of the project, stores the secret encrypted, and checks its rights. A credential that lacks a right is stored, too: the response says what is missing and where to grant it. The secret is only sent to the host of the repository: when the repository moves to another host, set the credential again.',
  middleware: readJson,
  request: { params: projectParams, body: body(newCredentialSchema) },
  responses: {
    200: json('The credential without its secret.', credentialSchema),
    ...problems(...guarded, ...withBody, 'forge_refused'),
  },
})

export const deleteCredentialRoute = operation('admin', {
  method: 'delete',
  path,
  operationId: 'deleteCredential',
  tags,
  summary: 'Delete the credential',
  description: 'Runs in progress lose their access. Revoke the secret at its host, too.',
  middleware: ignoreBody,
  request: { params: projectParams },
  responses: {
    204: { description: 'The credential is deleted.', headers: headers() },
    ...problems(...guarded, ...withoutBody),
  },
})

export const checkCredentialRoute = operation('admin', {
  method: 'post',
  path: `${path}/check`,
  operationId: 'checkCredential',
  tags,
  summary: 'Check the access to the repository',
  description:
    'Finds out whether the service may read the repository, push branches and open pull requests, also for a project without a credential. With `write`, it also tries: it pushes a scratch branch, opens a draft pull request, closes it and deletes the branch.',
  middleware: readOptionalJson,
  request: {
    params: projectParams,
    body: { required: false, content: { 'application/json': { schema: checkRequestSchema } } },
  },
  responses: { 200: json('The result of the check.', checkSchema), ...problems(...guarded, ...withBody) },
})
