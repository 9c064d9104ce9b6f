// Pull requests: their list, one with its change and comments, and what can be done with it.

import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import { createRequestKey } from './job/request-key.ts'
import type { components } from '../../../client/src/api/types.gen.ts'

export type Pull = components['schemas']['PullRequest']
export type PullNow = components['schemas']['PullRequestNow']
export type PullComment = components['schemas']['Comment']
export type PullState = Pull['state']

type Place = { readonly path: string; readonly at: 'base' | 'head'; readonly line: number }

const often = 15_000

export const pullsQuery = (projectId: string, state: PullState | undefined) =>
  queryOptions({
    queryKey: ['pulls', projectId, state ?? 'all'],
    queryFn: async ({ signal }) => {
      const query = state ? { state } : {}
      return (
        await ask((api) =>
          api.GET('/v1/projects/{projectId}/pulls', { params: { path: { projectId }, query }, signal }),
        )
      ).pulls
    },
    refetchInterval: often,
  })

/** Those that were merged on these days of the project. `dateTo` is the day after the last one. */
export const mergedPullsQuery = (
  projectId: string,
  { dateFrom, dateTo }: Readonly<Record<'dateFrom' | 'dateTo', string>>,
) =>
  queryOptions({
    queryKey: ['pulls', projectId, 'merged', dateFrom, dateTo],
    queryFn: async ({ signal }) => {
      const query = { mergedFrom: dateFrom, mergedTo: dateTo }
      return (
        await ask((api) =>
          api.GET('/v1/projects/{projectId}/pulls', { params: { path: { projectId }, query }, signal }),
        )
      ).pulls
    },
    staleTime: often,
  })

export const pullQuery = (projectId: string, number: number) =>
  queryOptions({
    queryKey: ['pull', projectId, number],
    queryFn: ({ signal }) =>
      ask((api) =>
        api.GET('/v1/projects/{projectId}/pulls/{number}', { params: { path: { projectId, number } }, signal }),
      ),
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? often : false),
  })

/** The change and its pages stay the same as long as the head of the branch does. */
export const pullDiffQuery = (projectId: string, number: number, head: string) =>
  queryOptions({
    queryKey: ['pull', projectId, number, 'diff', head],
    queryFn: async ({ signal }) => {
      const path = { projectId, number }
      return (
        await ask((api) => api.GET('/v1/projects/{projectId}/pulls/{number}/diff.json', { params: { path }, signal }))
      ).files
    },
    placeholderData: (before) => before,
    staleTime: Infinity,
  })

export const pullPreviewQuery = (pull: Pull, projectId: string, { path: file, at }: Omit<Place, 'line'>) => ({
  queryKey: ['preview', projectId, String(pull.number), pull.headCommit, at, file] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
    const params = { path: { projectId, number: pull.number }, query: { path: file, at } }
    return ask((api) =>
      api.GET('/v1/projects/{projectId}/pulls/{number}/files.html', { params, parseAs: 'text', signal }),
    )
  },
  staleTime: Infinity,
})

/** The text of the agent as safe HTML. The key has the text, which a later run replaces. */
export const pullTextQuery = (projectId: string, number: number, body: string) => ({
  queryKey: ['pull', projectId, String(number), 'text', body] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
    const params = { path: { projectId, number } }
    return ask((api) =>
      api.GET('/v1/projects/{projectId}/pulls/{number}/text.html', { params, parseAs: 'text', signal }),
    )
  },
  staleTime: Infinity,
})

export const commentsQuery = (projectId: string, number: number) =>
  queryOptions({
    queryKey: ['pull', projectId, number, 'comments'],
    queryFn: async ({ signal }) => {
      const path = { projectId, number }
      return (
        await ask((api) => api.GET('/v1/projects/{projectId}/pulls/{number}/comments', { params: { path }, signal }))
      ).comments
    },
    refetchInterval: often,
  })

export function addComment(projectId: string, number: number, comment: Place & { readonly text: string }) {
  const header = { 'Idempotency-Key': createRequestKey() }
  const params = { path: { projectId, number }, header }
  return ask((api) => api.POST('/v1/projects/{projectId}/pulls/{number}/comments', { params, body: comment }))
}

export function mergePull(projectId: string, number: number): Promise<Pull> {
  return ask((api) =>
    api.POST('/v1/projects/{projectId}/pulls/{number}/merge', { params: { path: { projectId, number } } }),
  )
}

export function closePull(projectId: string, number: number): Promise<Pull> {
  return ask((api) =>
    api.POST('/v1/projects/{projectId}/pulls/{number}/close', { params: { path: { projectId, number } } }),
  )
}

export function updatePull(projectId: string, number: number): Promise<PullNow> {
  return ask((api) =>
    api.POST('/v1/projects/{projectId}/pulls/{number}/update', { params: { path: { projectId, number } } }),
  )
}
