// The operations on the credential of a project, as the OpenAPI document describes them and as requests are checked.

import { operationsOn } from '../../contract/operation.ts'
import { projectParams } from '../../contract/ids.ts'
import { body, empty, json, optionalBody } from '../../contract/responses.ts'
import {
  checkRequestSchema,
  checkSchema,
  credentialSchema,
  newCredentialSchema,
  signatureSchema,
  signingProofSchema,
} from './schemas.ts'

const operations = operationsOn('Credentials')
const path = '/v1/projects/{projectId}/credential'

export const getCredentialRoute = operations.get('admin', path, {
  operationId: 'getCredential',
  summary: 'Get the credential',
  description:
    'Returns what is known about the credential of the project, and never the secret. 404 if the project has no credential.',
  request: { params: projectParams },
  responses: { 200: json('The credential without its secret.', credentialSchema) },
})

export const putCredentialRoute = operations.put('admin', path, {
  operationId: 'putCredential',
  summary: 'Set the credential',
  description:
    'Replaces the credential of the project, stores the secret encrypted, and checks its rights. A credential that lacks a right is stored, too: the response says what is missing and where to grant it. The secret is only sent to the host of the repository: when the repository moves to another host, set the credential again.',
  request: { params: projectParams, body: body(newCredentialSchema) },
  responses: { 200: json('The credential without its secret.', credentialSchema) },
  codes: ['forge_refused'],
})

export const deleteCredentialRoute = operations.delete('admin', path, {
  operationId: 'deleteCredential',
  summary: 'Delete the credential',
  description: 'Runs in progress lose their access. Revoke the secret at its host, too.',
  request: { params: projectParams },
  responses: { 204: empty('The credential is deleted.') },
})

export const checkCredentialRoute = operations.post('admin', `${path}/check`, {
  operationId: 'checkCredential',
  summary: 'Check the access to the repository',
  description:
    'Finds out whether the service may read the repository, push branches and open pull requests, also for a project without a credential. With `write`, it also tries: it pushes a scratch branch, opens a draft pull request, closes it and deletes the branch.',
  request: {
    params: projectParams,
    body: optionalBody(checkRequestSchema),
  },
  responses: { 200: json('The result of the check.', checkSchema) },
})

export const putSigningKeyRoute = operations.put('admin', `${path}/signing-key`, {
  operationId: 'putSigningKey',
  summary: 'Sign commits',
  description:
    'Makes an ssh key with which the service signs the commits of the project from now on, unless there is one. Enter its public half, `signingKey.publicKey`, at `signingKey.page` as a signing key of the account of the credential; the forge shows the commits as unverified until then. The private half is stored encrypted and never leaves the service. GitHub signs the commits of a GitHub App itself.',
  request: { params: projectParams },
  responses: { 200: json('The credential without its secret.', credentialSchema) },
  codes: ['forge_refused'],
})

export const proveSigningKeyRoute = operations.post('admin', `${path}/signing-key/prove`, {
  operationId: 'proveSigningKey',
  summary: 'Prove the signing key',
  description:
    'Signs the text with which Gitea and Forgejo ask for a proof, on the page of the key: they verify no commit before. The signature counts for nothing else. 404 if commits are not signed.',
  request: { params: projectParams, body: body(signingProofSchema) },
  responses: { 200: json('The signature, to paste there.', signatureSchema) },
})

export const deleteSigningKeyRoute = operations.delete('admin', `${path}/signing-key`, {
  operationId: 'deleteSigningKey',
  summary: 'Stop signing commits',
  description: 'Deletes the key. Remove its public half at the forge, too: commits that it signed are unverified then.',
  request: { params: projectParams },
  responses: { 204: empty('Commits are not signed.') },
})
