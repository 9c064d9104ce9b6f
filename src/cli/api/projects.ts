// Reads all projects that the caller may see, page by page.

import type { Api } from './api.ts'

export async function readProjects<Project>(api: Pick<Api, 'send'>): Promise<readonly Project[]> {
  const all: Project[] = []
  let query = ''
  for (;;) {
    const { body } = await api.send('GET', `/v1/projects${query}`)
    const { projects, nextCursor } = JSON.parse(body) as ProjectPage<Project>
    all.push(...projects)
    // A service of the previous release sends all projects at once, without a cursor.
    if (!nextCursor) return all
    query = `?cursor=${nextCursor}`
  }
}

type ProjectPage<Project> = { readonly projects: readonly Project[]; readonly nextCursor?: string | null }
