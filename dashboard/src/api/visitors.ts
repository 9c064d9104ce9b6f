// The exports of the statistics, for a range of days.

import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import type { components } from './types.gen.ts'

type Range = { readonly dateFrom: string; readonly dateTo: string }
export type Visitors = components['schemas']['Visitors']
export type Timeseries = components['schemas']['Timeseries']
export type AiAgents = components['schemas']['AiAgents']

/** Today still grows. */
const refetchInterval = 30_000

export const visitorsQuery = (
  projectId: string,
  range: Range,
  page: { readonly limit: number; readonly offset: number },
) =>
  queryOptions({
    queryKey: ['visitors', projectId, range, page],
    queryFn: ({ signal }) =>
      ask((api) =>
        api.GET('/v1/analytics/{projectId}/visitors', {
          params: { path: { projectId }, query: { ...range, ...page } },
          signal,
        }),
      ),
    refetchInterval,
    placeholderData: (before) => before,
  })

export const timeseriesQuery = (projectId: string, range: Range, interval: 'day' | 'week' | 'month') =>
  queryOptions({
    queryKey: ['timeseries', projectId, range, interval],
    queryFn: ({ signal }) =>
      ask((api) =>
        api.GET('/v1/analytics/{projectId}/timeseries', {
          params: { path: { projectId }, query: { ...range, interval } },
          signal,
        }),
      ),
    refetchInterval,
    placeholderData: (before) => before,
  })

export const agentsQuery = (projectId: string, range: Range) =>
  queryOptions({
    queryKey: ['ai-agents', projectId, range],
    queryFn: ({ signal }) =>
      ask((api) =>
        api.GET('/v1/analytics/{projectId}/ai-agents', {
          params: { path: { projectId }, query: { ...range } },
          signal,
        }),
      ),
  })

export const referrersQuery = (projectId: string, range: Range) =>
  queryOptions({
    queryKey: ['referrers', projectId, range],
    queryFn: ({ signal }) =>
      ask((api) =>
        api.GET('/v1/analytics/{projectId}/referrers', {
          params: { path: { projectId }, query: { ...range } },
          signal,
        }),
      ),
  })

export const crawlersQuery = (projectId: string, range: Range) =>
  queryOptions({
    queryKey: ['crawlers', projectId, range],
    queryFn: ({ signal }) =>
      ask((api) =>
        api.GET('/v1/analytics/{projectId}/crawlers', { params: { path: { projectId }, query: { ...range } }, signal }),
      ),
  })

export const brokenPagesQuery = (projectId: string, range: Range) =>
  queryOptions({
    queryKey: ['broken-pages', projectId, range],
    queryFn: ({ signal }) =>
      ask((api) =>
        api.GET('/v1/analytics/{projectId}/broken-pages', {
          params: { path: { projectId }, query: { ...range } },
          signal,
        }),
      ),
  })
