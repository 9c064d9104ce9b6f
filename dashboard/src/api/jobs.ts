// Jobs: their list, one job with its messages, events and diff, and what can be done with it.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import type { components } from '../../../client/src/api/types.gen.ts'

export type Job = components['schemas']['Job']
export type ListedJob = components['schemas']['ListedJob']
export type NewJob = components['schemas']['NewJob']
export type NewMessage = components['schemas']['Prompt']
export type JobEvent = components['schemas']['Event']
export type Status = Job['status']

/** Milliseconds between looks while something is active. */
const soon = 2_000
const later = 15_000

const pageSize = 50

function listJobs(projectId: string, status: Status | undefined, cursor: string, signal: AbortSignal) {
  const query = { limit: pageSize, ...(status ? { status } : {}), ...(cursor === '' ? {} : { cursor }) }
  return ask((api) => api.GET('/v2/agent/{projectId}/jobs', { params: { path: { projectId }, query }, signal }))
}

/** All pages that somebody has scrolled to. They are not asked for again by themselves: `newestJobsQuery` is. */
export const jobsQuery = (projectId: string, status: Status | undefined) =>
  infiniteQueryOptions({
    queryKey: ['jobs', projectId, status ?? 'all', 'pages'],
    queryFn: ({ pageParam, signal }) => listJobs(projectId, status, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: Infinity,
    // Somebody who returns gets one page, not all that were read.
    gcTime: 0,
  })

/** The first page, again and again. */
export const newestJobsQuery = (projectId: string, status: Status | undefined) =>
  queryOptions({
    queryKey: ['jobs', projectId, status ?? 'all', 'newest'],
    queryFn: ({ signal }) => listJobs(projectId, status, '', signal),
    refetchInterval: ({ state }) => (state.data?.jobs.some((job) => job.status === 'active') === true ? soon : later),
  })

export const jobQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['job', projectId, id],
    queryFn: ({ signal }) =>
      ask((api) => api.GET('/v2/agent/{projectId}/job/{id}', { params: { path: { projectId, id } }, signal })),
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'active' || data?.checks?.remaining === null ? soon : later,
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

export const jobPreviewQuery = (
  projectId: string,
  job: Pick<Job, 'id' | 'updatedAt'>,
  file: { readonly path: string; readonly at: 'base' | 'head' },
) => ({
  queryKey: ['preview', projectId, job.id, job.updatedAt, file.at, file.path] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
    const params = { path: { projectId, id: job.id }, query: file }
    return ask((api) => api.GET('/v2/agent/{projectId}/job/{id}/files.html', { params, parseAs: 'text', signal }))
  },
  staleTime: Infinity,
})

/** `key` makes sending it again harmless. */
export const createJob = (projectId: string, body: NewJob, key: string): Promise<Job> =>
  ask((api) =>
    api.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId }, header: { 'Idempotency-Key': key } },
      body,
    }),
  )

export const sendMessage = (projectId: string, id: string, body: NewMessage, key: string): Promise<Job> =>
  ask((api) =>
    api.POST('/v2/agent/{projectId}/job/{id}/message', {
      params: { path: { projectId, id }, header: { 'Idempotency-Key': key } },
      body,
    }),
  )

export const cancelJob = (projectId: string, id: string): Promise<Job> =>
  ask((api) => api.POST('/v2/agent/{projectId}/job/{id}/cancel', { params: { path: { projectId, id } } }))

export const archiveJob = (projectId: string, id: string): Promise<Job> =>
  ask((api) => api.POST('/v2/agent/{projectId}/job/{id}/archive', { params: { path: { projectId, id } } }))
