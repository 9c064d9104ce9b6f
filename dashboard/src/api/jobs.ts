// Jobs: their list, one job with its messages, events and diff, and what can be done with it.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import type { components } from './types.gen.ts'

export type Job = components['schemas']['Job']
export type JobEvent = components['schemas']['Event']
export type FileDiff = components['schemas']['FileDiff']
export type Status = Job['status']

/** Milliseconds between looks while something is active. */
const soon = 2_000
const later = 15_000

export const jobsQuery = (projectId: string, status: Status | undefined) =>
  infiniteQueryOptions({
    queryKey: ['jobs', projectId, status ?? 'all'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 50, ...(status ? { status } : {}), ...(pageParam === '' ? {} : { cursor: pageParam }) }
      return ask((api) => api.GET('/v2/agent/{projectId}/jobs', { params: { path: { projectId }, query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.jobs.some((job) => job.status === 'active') === true ? soon : later,
  })

export const jobQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['job', projectId, id],
    queryFn: ({ signal }) =>
      ask((api) => api.GET('/v2/agent/{projectId}/job/{id}', { params: { path: { projectId, id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'active' ? soon : later),
  })

export const messagesQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['job', projectId, id, 'messages'],
    queryFn: async ({ signal }) => {
      const path = { projectId, id }
      return (await ask((api) => api.GET('/v2/agent/{projectId}/job/{id}/messages', { params: { path }, signal })))
        .messages
    },
  })

export const diffQuery = (projectId: string, id: string, version: string) =>
  queryOptions({
    // The diff changes with the job alone.
    queryKey: ['job', projectId, id, 'diff', version],
    queryFn: async ({ signal }) => {
      const path = { projectId, id }
      return (await ask((api) => api.GET('/v2/agent/{projectId}/job/{id}/diff.json', { params: { path }, signal })))
        .files
    },
    placeholderData: (before) => before,
  })

export const createJob = (projectId: string, prompt: string): Promise<Job> =>
  ask((api) =>
    api.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId }, header: { 'Idempotency-Key': crypto.randomUUID() } },
      body: { prompt },
    }),
  )

export const sendMessage = (projectId: string, id: string, prompt: string): Promise<Job> =>
  ask((api) =>
    api.POST('/v2/agent/{projectId}/job/{id}/message', {
      params: { path: { projectId, id }, header: { 'Idempotency-Key': crypto.randomUUID() } },
      body: { prompt },
    }),
  )

export const cancelJob = (projectId: string, id: string): Promise<Job> =>
  ask((api) => api.POST('/v2/agent/{projectId}/job/{id}/cancel', { params: { path: { projectId, id } } }))

export const archiveJob = (projectId: string, id: string): Promise<Job> =>
  ask((api) => api.POST('/v2/agent/{projectId}/job/{id}/archive', { params: { path: { projectId, id } } }))
