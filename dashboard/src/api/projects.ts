// Projects, their settings, and the sites whose page views they count.

import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import { accessQuery } from './connections.ts'
import { queries } from './queries.ts'
import type { components } from '../../../client/src/api/types.gen.ts'

export type Project = components['schemas']['Project']
export type NewProject = components['schemas']['NewProject']
export type ProjectChange = components['schemas']['ProjectChange']
export type Access = components['schemas']['Access']
export type PathVerdict = components['schemas']['PathVerdict']
export type FileVerdict = components['schemas']['FileVerdict']
export type Site = components['schemas']['Site']
export type SiteFields = Pick<Site, 'name' | 'origins' | 'honoursOptOut'>

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => readProjects(signal),
})

/** All pages. */
async function readProjects(signal: AbortSignal): Promise<Project[]> {
  const all: Project[] = []
  let cursor: string | undefined
  do {
    const query = cursor === undefined ? {} : { cursor }
    const page = await ask((api) => api.GET('/v1/projects', { params: { query }, signal }))
    all.push(...page.projects)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return all
}

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId],
    queryFn: ({ signal }) =>
      ask((api) => api.GET('/v1/projects/{projectId}', { params: { path: { projectId } }, signal })),
  })

/** The service has tried the access to the repository when it responds. */
export async function createProject(body: NewProject) {
  const { access, ...project } = await ask((api) => api.POST('/v1/projects', { body }))
  keep(project, access)
  await queries.invalidateQueries({ queryKey: projectsQuery.queryKey })
  return project
}

export async function updateProject(projectId: string, body: ProjectChange) {
  const { access, ...project } = await ask((api) =>
    api.PATCH('/v1/projects/{projectId}', { params: { path: { projectId } }, body }),
  )
  keep(project, access)
  await queries.invalidateQueries({ queryKey: projectsQuery.queryKey })
  return project
}

/** `access` is null when the repository did not change; another base branch is looked for again. */
function keep(project: Project, access: Access | null): void {
  queries.setQueryData(projectQuery(project.id).queryKey, project)
  const { queryKey } = accessQuery(project.id)
  if (access !== null) queries.setQueryData(queryKey, { ...access, steps: null })
  else void queries.invalidateQueries({ queryKey })
}

export async function deleteProject(projectId: string): Promise<void> {
  await ask((api) => api.DELETE('/v1/projects/{projectId}', { params: { path: { projectId } } }))
  await queries.invalidateQueries({ queryKey: projectsQuery.queryKey })
}

export async function testPaths(projectId: string, paths: readonly string[]): Promise<readonly PathVerdict[]> {
  const given = { params: { path: { projectId } }, body: { paths: [...paths] } }
  return (await ask((api) => api.POST('/v1/projects/{projectId}/policy/test', given))).paths
}

/** The verdict on one file, and what it rests on. */
export async function testText(projectId: string, file: { readonly path: string; readonly text: string }) {
  const given = { params: { path: { projectId } }, body: { files: [file] } }
  const { files, basis } = await ask((api) => api.POST('/v1/projects/{projectId}/policy/test', given))
  return { verdict: files[0], basis }
}

export const sitesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'sites'],
    queryFn: async ({ signal }) => {
      const given = { params: { path: { projectId } }, signal }
      return (await ask((api) => api.GET('/v1/projects/{projectId}/sites', given))).sites
    },
  })

/** `siteId` undefined: a new one. */
export async function saveSite(projectId: string, siteId: string | undefined, body: SiteFields): Promise<Site> {
  const site = await (siteId === undefined
    ? ask((api) => api.POST('/v1/projects/{projectId}/sites', { params: { path: { projectId } }, body }))
    : ask((api) =>
        api.PATCH('/v1/projects/{projectId}/sites/{siteId}', { params: { path: { projectId, siteId } }, body }),
      ))
  await queries.invalidateQueries({ queryKey: sitesQuery(projectId).queryKey })
  return site
}

/** At the address of any of its pages; its host is its name. */
export function createSite(projectId: string, address: string): Promise<Site> {
  const origin = URL.parse(address.trim())?.origin ?? address.trim()
  const name = URL.parse(origin)?.host ?? origin
  return saveSite(projectId, undefined, { name, origins: [origin], honoursOptOut: false })
}

export async function deleteSite(projectId: string, siteId: string): Promise<void> {
  const params = { path: { projectId, siteId } }
  await ask((api) => api.DELETE('/v1/projects/{projectId}/sites/{siteId}', { params }))
  await queries.invalidateQueries({ queryKey: sitesQuery(projectId).queryKey })
}

/** The forge copies the repository, which may take a minute. */
export async function makeFork(projectId: string): Promise<void> {
  await ask((api) => api.POST('/v1/projects/{projectId}/fork', { params: { path: { projectId } } }))
  await forkChanged(projectId)
}

/** The fork stays on the forge. */
export async function leaveFork(projectId: string): Promise<void> {
  await ask((api) => api.DELETE('/v1/projects/{projectId}/fork', { params: { path: { projectId } } }))
  await forkChanged(projectId)
}

async function forkChanged(projectId: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: projectQuery(projectId).queryKey })
  await queries.invalidateQueries({ queryKey: accessQuery(projectId).queryKey })
}
