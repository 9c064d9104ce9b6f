// The sources of a project: repositories of the product that it reads, each with a credential of its own.

import { queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import type { Credential, NewCredential } from '../connections.ts'
import { queries } from '../queries.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'

export type Source = components['schemas']['Source']
type Named = Pick<Source, 'id' | 'name'>
export type SourceFields = Pick<Source, 'name' | 'repository' | 'branch' | 'outsidersCommit' | 'releaseStatus'> & {
  readonly paths: string[]
}

/** With what the last check of each found. */
export const sourcesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'sources'],
    queryFn: async ({ signal }) => {
      const given = { params: { path: { projectId } }, signal }
      return (await ask((api) => api.GET('/v1/projects/{projectId}/sources', given))).sources
    },
  })

/** `name` undefined: a new one. The service has checked it when it responds. */
export async function saveSource(projectId: string, name: string | undefined, body: SourceFields): Promise<Source> {
  const source = await (name === undefined
    ? ask((api) => api.POST('/v1/projects/{projectId}/sources', { params: { path: { projectId } }, body }))
    : ask((api) =>
        api.PATCH('/v1/projects/{projectId}/sources/{name}', { params: { path: { projectId, name } }, body }),
      ))
  await refresh(projectId)
  return source
}

export async function deleteSource(projectId: string, name: string): Promise<void> {
  const params = { path: { projectId, name } }
  await ask((api) => api.DELETE('/v1/projects/{projectId}/sources/{name}', { params }))
  // First, so that nobody asks for its credential.
  change(projectId, (sources) => sources.filter((one) => one.name !== name))
  await refresh(projectId)
}

export async function checkSource(projectId: string, source: Named): Promise<void> {
  const params = { path: { projectId, name: source.name } }
  await ask((api) => api.POST('/v1/projects/{projectId}/sources/{name}/check', { params }))
  await refresh(projectId)
  await queries.invalidateQueries({ queryKey: sourceCredentialQuery(projectId, source).queryKey })
}

/** Only of a source that has one: its check says so. By its id, because another source may get its name. */
export const sourceCredentialQuery = (projectId: string, { id, name }: Named) =>
  queryOptions({
    queryKey: [...sourcesQuery(projectId).queryKey, id, 'credential'],
    queryFn: ({ signal }) => {
      const given = { params: { path: { projectId, name } }, signal }
      return ask((api) => api.GET('/v1/projects/{projectId}/sources/{name}/credential', given))
    },
  })

/** The secret is only in the request. */
export async function putSourceCredential(projectId: string, source: Named, body: NewCredential): Promise<Credential> {
  const given = { params: { path: { projectId, name: source.name } }, body }
  const stored = await ask((api) => api.PUT('/v1/projects/{projectId}/sources/{name}/credential', given))
  queries.setQueryData(sourceCredentialQuery(projectId, source).queryKey, stored)
  await refresh(projectId)
  return stored
}

/** Checks the source without it. */
export async function deleteSourceCredential(projectId: string, { id, name }: Named): Promise<void> {
  const params = { path: { projectId, name } }
  await ask((api) => api.DELETE('/v1/projects/{projectId}/sources/{name}/credential', { params }))
  // First, so that nobody asks for the credential that is gone.
  change(projectId, (sources) => sources.map((one) => (one.id === id ? { ...one, access: null } : one)))
  await ask((api) => api.POST('/v1/projects/{projectId}/sources/{name}/check', { params }))
  queries.removeQueries({ queryKey: sourceCredentialQuery(projectId, { id, name }).queryKey })
  await refresh(projectId)
}

function change(projectId: string, to: (sources: readonly Source[]) => Source[]): void {
  queries.setQueryData(sourcesQuery(projectId).queryKey, (before) => before && to(before))
}

async function refresh(projectId: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: sourcesQuery(projectId).queryKey, exact: true })
}
