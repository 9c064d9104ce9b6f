// How the service signs in at the hosts of repositories: the credential of a project, and GitHub Apps.

import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import { queries } from './queries.ts'
import type { components } from '../../../client/src/api/types.gen.ts'

export type Credential = components['schemas']['Credential']
export type NewCredential = components['schemas']['NewCredential']
export type AccessCheck = components['schemas']['AccessCheck']
export type ForgeApp = components['schemas']['ForgeApp']
export type ForgeAppCheck = components['schemas']['ForgeAppCheck']

/** An exhaustive record: a new forge is a type error here. */
export const forgeNames: Readonly<Record<NonNullable<AccessCheck['forge']>, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
  bitbucket: 'Bitbucket',
  azure: 'Azure DevOps',
}

/** Only of a project that has one: `accessQuery` says so. */
export const credentialQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'credential'],
    queryFn: ({ signal }) => {
      const given = { params: { path: { projectId } }, signal }
      return ask((api) => api.GET('/v1/projects/{projectId}/credential', given))
    },
  })

/** The secret is only in the request: the response tells what it allows. */
export async function putCredential(projectId: string, body: NewCredential): Promise<Credential> {
  const stored = await ask((api) =>
    api.PUT('/v1/projects/{projectId}/credential', { params: { path: { projectId } }, body }),
  )
  queries.setQueryData(credentialQuery(projectId).queryKey, stored)
  await queries.invalidateQueries({ queryKey: accessQuery(projectId).queryKey })
  return stored
}

export async function deleteCredential(projectId: string): Promise<void> {
  await ask((api) => api.DELETE('/v1/projects/{projectId}/credential', { params: { path: { projectId } } }))
  const { queryKey } = accessQuery(projectId)
  // First, so that nobody asks for the credential that is gone.
  queries.setQueryData(queryKey, (before) => before && { ...before, credential: null })
  queries.removeQueries({ queryKey: credentialQuery(projectId).queryKey, type: 'inactive' })
  await queries.invalidateQueries({ queryKey })
}

export async function makeSigningKey(projectId: string): Promise<void> {
  const given = { params: { path: { projectId } } }
  const stored = await ask((api) => api.PUT('/v1/projects/{projectId}/credential/signing-key', given))
  queries.setQueryData(credentialQuery(projectId).queryKey, stored)
}

export async function dropSigningKey(projectId: string): Promise<void> {
  const given = { params: { path: { projectId } } }
  await ask((api) => api.DELETE('/v1/projects/{projectId}/credential/signing-key', given))
  await queries.invalidateQueries({ queryKey: credentialQuery(projectId).queryKey })
}

/** Asks the host of the repository. It stays until it is asked again. */
export const accessQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'access'],
    queryFn: (): Promise<AccessCheck> => checkAccess(projectId, false),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** Also pushes a scratch branch and opens a draft, and removes both. */
export async function proveAccess(projectId: string): Promise<void> {
  queries.setQueryData(accessQuery(projectId).queryKey, await checkAccess(projectId, true))
  await queries.invalidateQueries({ queryKey: credentialQuery(projectId).queryKey })
}

function checkAccess(projectId: string, write: boolean): Promise<AccessCheck> {
  const given = { params: { path: { projectId } }, body: { write } }
  return ask((api) => api.POST('/v1/projects/{projectId}/credential/check', given))
}

export const forgeAppsQuery = queryOptions({
  queryKey: ['forge-apps'],
  queryFn: async ({ signal }) => (await ask((api) => api.GET('/v1/forge-apps', { signal }))).forgeApps,
})

/** Asks GitHub where the App is installed. */
export const forgeAppCheckQuery = (forgeAppId: string) =>
  queryOptions({
    queryKey: ['forge-apps', forgeAppId, 'check'],
    queryFn: () => ask((api) => api.POST('/v1/forge-apps/{forgeAppId}/check', { params: { path: { forgeAppId } } })),
    retry: false,
  })

/** The projects keep their installation, which leads nowhere without the App. */
export async function deleteForgeApp(forgeAppId: string): Promise<void> {
  await ask((api) => api.DELETE('/v1/forge-apps/{forgeAppId}', { params: { path: { forgeAppId } } }))
  await queries.invalidateQueries({ queryKey: forgeAppsQuery.queryKey, exact: true })
  // The results of earlier checks of projects may be wrong now.
  await queries.invalidateQueries({ queryKey: ['project'] })
}

/** Returns the page that leads to GitHub and back. */
export const beginForgeApp = (body: components['schemas']['NewForgeApp']) =>
  ask((api) => api.POST('/v1/forge-apps', { body }))
