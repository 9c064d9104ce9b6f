// The operations on the sources of a project, as the OpenAPI document describes them and as requests are checked.

import { projectParams, sourceParams } from '../../contract/ids.ts'
import { operationsOn } from '../../contract/operation.ts'
import { body, empty, json } from '../../contract/responses.ts'
import { mostSources } from '../../../projects/sources/sources.ts'
import { credentialSchema, newCredentialSchema } from '../credential/schemas.ts'
import { accessSchema, newSourceSchema, sourceChangeSchema, sourceSchema, sourcesSchema } from './schemas.ts'

const operations = operationsOn('Sources')
const all = '/v1/projects/{projectId}/sources'
const path = `${all}/{name}` as const

export const listSourcesRoute = operations.get('read', all, {
  operationId: 'listSources',
  summary: 'List sources',
  description:
    'Returns the sources of a project, by name. With the scope `admin`, also what the last check of each found.',
  request: { params: projectParams },
  responses: { 200: json('The sources.', sourcesSchema) },
})

export const createSourceRoute = operations.post('admin', all, {
  operationId: 'createSource',
  summary: 'Create a source',
  description: `Adds a repository of the product that the project reads, and never writes, except for a commit status of a release if \`releaseStatus\` is on. A project has at most ${mostSources}. The response says whether it can be read, and how to give it a credential if it needs one: the credential of the project is never used for it. The source is created even if it cannot be read yet. A folder of the machine needs a key for all projects.`,
  request: { params: projectParams, body: body(newSourceSchema) },
  responses: { 201: json('The source, and whether it can be read.', sourceSchema, 'Location') },
  codes: ['source_exists', 'too_many_sources'],
})

export const getSourceRoute = operations.get('read', path, {
  operationId: 'getSource',
  summary: 'Get a source',
  description: 'Returns the source. With the scope `admin`, also what its last check found.',
  request: { params: sourceParams },
  responses: { 200: json('The source.', sourceSchema) },
})

export const updateSourceRoute = operations.patch('admin', path, {
  operationId: 'updateSource',
  summary: 'Update a source',
  description:
    'A missing field stays unchanged, and null restores the default. A new repository or branch is checked. If the source has a credential, or the new repository is a folder of the machine, another repository needs a key for all projects.',
  request: { params: sourceParams, body: body(sourceChangeSchema) },
  responses: { 200: json('The source.', sourceSchema) },
  codes: ['source_exists'],
})

export const deleteSourceRoute = operations.delete('admin', path, {
  operationId: 'deleteSource',
  summary: 'Delete a source',
  description: 'Deletes the source with its credential. Its repository stays as it is.',
  request: { params: sourceParams },
  responses: { 204: empty('The source is deleted.') },
})

export const checkSourceRoute = operations.post('admin', `${path}/check`, {
  operationId: 'checkSource',
  summary: 'Check a source',
  description:
    'Finds out whether the source can be read, under its credential or without one, and at which commit it is.',
  request: { params: sourceParams },
  responses: { 200: json('The result of the check.', accessSchema) },
})

export const getSourceCredentialRoute = operations.get('admin', `${path}/credential`, {
  operationId: 'getSourceCredential',
  summary: 'Get the credential of a source',
  description:
    'Returns what is known about the credential of the source, and never the secret. Only the right to read is checked; the others stay `unknown`. 404 if the source has no credential.',
  request: { params: sourceParams },
  responses: { 200: json('The credential without its secret.', credentialSchema) },
})

export const putSourceCredentialRoute = operations.put('admin', `${path}/credential`, {
  operationId: 'putSourceCredential',
  summary: 'Set the credential of a source',
  description:
    'Replaces the credential of the source, stores the secret encrypted, and checks whether the source can be read. It is only used for this source, and only to read, or to set the commit status of a release if `releaseStatus` is on: give it no other right. The secret is only sent to the host of the repository. An installation of a GitHub App needs a key for all projects.',
  request: { params: sourceParams, body: body(newCredentialSchema) },
  responses: { 200: json('The credential without its secret.', credentialSchema) },
  codes: ['forge_refused'],
})

export const deleteSourceCredentialRoute = operations.delete('admin', `${path}/credential`, {
  operationId: 'deleteSourceCredential',
  summary: 'Delete the credential of a source',
  description: 'The source is read without a credential from now on. Revoke the secret at its host, too.',
  request: { params: sourceParams },
  responses: { 204: empty('The credential is deleted.') },
})
