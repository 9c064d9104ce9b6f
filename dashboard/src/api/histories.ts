// Files that were imported from other tools, and their undo.

import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import type { components } from './types.gen.ts'

export type History = components['schemas']['History']

/** Their names, where people read them. */
export const sourceNames: Readonly<Record<History['source'], string>> = {
  plausible: 'Plausible',
  ga4: 'Google Analytics',
  goatcounter: 'GoatCounter',
  umami: 'Umami',
}

export const historiesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['histories', projectId],
    queryFn: async ({ signal }) =>
      (await ask((api) => api.GET('/v1/analytics/{projectId}/histories', { params: { path: { projectId } }, signal })))
        .histories,
  })

export function deleteHistory(projectId: string, historyId: string): Promise<unknown> {
  return ask((api) =>
    api.DELETE('/v1/analytics/{projectId}/histories/{historyId}', { params: { path: { projectId, historyId } } }),
  )
}
