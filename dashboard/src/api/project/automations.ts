// The automations of a project and their runs.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import { queries } from '../queries.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'

export type Automation = components['schemas']['Automation']
export type AutomationRun = components['schemas']['AutomationRun']
export type RunFailures = components['schemas']['AutomationRunFailures']
export type ReadyAutomation = components['schemas']['ReadyAutomations']['kinds'][number]
export type NewAutomation = components['schemas']['NewAutomation']
export type AutomationChange = components['schemas']['AutomationChange']

/** Milliseconds between looks while a run is active. */
const soon = 2_000
const later = 15_000
const pageSize = 20

function isActive(run: Pick<AutomationRun, 'status'> | null | undefined): boolean {
  return run?.status === 'queued' || run?.status === 'running'
}

/** By name. */
export const automationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'automations'],
    queryFn: async ({ signal }) => {
      const given = { params: { path: { projectId } }, signal }
      return (await ask((api) => api.GET('/v1/projects/{projectId}/automations', given))).automations
    },
    refetchInterval: ({ state }) => (state.data?.some(({ lastRun }) => isActive(lastRun)) === true ? soon : later),
  })

/** Other pages add what a project lacks for one. */
export const readyAutomationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'automation-kinds'],
    queryFn: async ({ signal }) => {
      const given = { params: { path: { projectId } }, signal }
      return (await ask((api) => api.GET('/v1/projects/{projectId}/automation-kinds', given))).kinds
    },
    refetchOnMount: 'always',
  })

export const automationQuery = (projectId: string, automationId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'automation', automationId],
    queryFn: ({ signal }) => {
      const given = { params: { path: { projectId, automationId } }, signal }
      return ask((api) => api.GET('/v1/projects/{projectId}/automations/{automationId}', given))
    },
    refetchInterval: ({ state }) => (isActive(state.data?.lastRun) ? soon : later),
  })

/** The newest first. All pages that were read are asked for again: what becomes of an old pull request changes its run. */
export const automationRunsQuery = (projectId: string, automationId: string) =>
  infiniteQueryOptions({
    queryKey: ['project', projectId, 'automation', automationId, 'runs'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      const given = { params: { path: { projectId, automationId }, query }, signal }
      return ask((api) => api.GET('/v1/projects/{projectId}/automations/{automationId}/runs', given))
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (isActive(state.data?.pages[0]?.runs[0]) ? soon : later),
  })

/** Page views arrive all the time, so it is asked for again each time that it is shown. */
export const runFailuresQuery = (projectId: string, automationId: string, runId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'automation', automationId, 'runs', runId, 'failures'],
    queryFn: ({ signal }) => {
      const given = { params: { path: { projectId, automationId, runId } }, signal }
      return ask((api) => api.GET('/v1/projects/{projectId}/automations/{automationId}/runs/{runId}/failures', given))
    },
    refetchOnMount: 'always',
  })

export async function createAutomation(projectId: string, body: NewAutomation): Promise<Automation> {
  const given = { params: { path: { projectId } }, body }
  const made = await ask((api) => api.POST('/v1/projects/{projectId}/automations', given))
  await refresh(projectId)
  return made
}

export async function updateAutomation(projectId: string, id: string, body: AutomationChange): Promise<Automation> {
  const given = { params: { path: { projectId, automationId: id } }, body }
  const changed = await ask((api) => api.PATCH('/v1/projects/{projectId}/automations/{automationId}', given))
  queries.setQueryData(automationQuery(projectId, id).queryKey, withoutSecret(changed))
  await refresh(projectId)
  return changed
}

/** The response has the new secret, which is kept nowhere. */
export async function rotateEventSecret(projectId: string, id: string): Promise<Automation> {
  const given = { params: { path: { projectId, automationId: id } } }
  const changed = await ask((api) => api.POST('/v1/projects/{projectId}/automations/{automationId}/secret', given))
  queries.setQueryData(automationQuery(projectId, id).queryKey, withoutSecret(changed))
  return changed
}

function withoutSecret(automation: Automation): Automation {
  return { ...automation, secret: null }
}

export async function deleteAutomation(projectId: string, id: string): Promise<void> {
  const given = { params: { path: { projectId, automationId: id } } }
  await ask((api) => api.DELETE('/v1/projects/{projectId}/automations/{automationId}', given))
  await refresh(projectId)
}

/** `key` makes sending it again harmless. */
export async function runAutomation(projectId: string, id: string, key: string): Promise<AutomationRun> {
  const params = { path: { projectId, automationId: id }, header: { 'Idempotency-Key': key } }
  const run = await ask((api) => api.POST('/v1/projects/{projectId}/automations/{automationId}/run', { params }))
  await Promise.all([
    refresh(projectId),
    queries.invalidateQueries({ queryKey: automationQuery(projectId, id).queryKey }),
  ])
  return run
}

async function refresh(projectId: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: automationsQuery(projectId).queryKey })
}
