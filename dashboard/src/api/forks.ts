// The fork that a project's jobs push to.

import { ask } from './client.ts'
import { accessQuery } from './connections.ts'
import { projectQuery } from './projects.ts'
import { queries } from './queries.ts'

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
