// The webhooks of a project, their deliveries, and the types of events that they and people may choose.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import { queries } from '../queries.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'

export type Webhook = components['schemas']['Webhook']
export type Delivery = components['schemas']['Delivery']
export type EventType = components['schemas']['EventType']
export type NewWebhook = components['schemas']['NewWebhook']
export type WebhookChange = components['schemas']['WebhookChange']

export const eventNames: Readonly<Record<EventType, string>> = {
  'job.completed': 'Job completed',
  'job.failed': 'Job failed',
  'job.needs_input': 'Job asks a question',
  'pull_request.opened': 'Pull request opened',
  'pull_request.merged': 'Pull request merged',
  'pull_request.closed': 'Pull request closed',
  'pull_request.waiting': 'Pull request waits for a review for three days',
  'automation.paused': 'Automation paused',
  'automation.failed': 'Automation failed three times in a row',
}

const types = Object.keys(eventNames) as EventType[]

/** For lists in which people choose by name. */
export function toTypes(names: ReadonlySet<string>): EventType[] {
  return types.filter((type) => names.has(eventNames[type]))
}

export const allEvents: readonly EventType[] = types

const refetchMs = 5_000
const pageSize = 20

export const webhooksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'webhooks'],
    queryFn: async ({ signal }) => {
      const given = { params: { path: { projectId } }, signal }
      return (await ask((api) => api.GET('/v1/projects/{projectId}/webhooks', given))).webhooks
    },
    refetchInterval: refetchMs,
  })

/** The newest first. */
export const deliveriesQuery = (projectId: string, webhookId: string) =>
  infiniteQueryOptions({
    queryKey: ['project', projectId, 'webhook', webhookId, 'deliveries'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      const given = { params: { path: { projectId, webhookId }, query }, signal }
      return ask((api) => api.GET('/v1/projects/{projectId}/webhooks/{webhookId}/deliveries', given))
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchOnMount: 'always',
    refetchInterval: refetchMs,
  })

export async function createWebhook(projectId: string, body: NewWebhook): Promise<Webhook> {
  const given = { params: { path: { projectId } }, body }
  const made = await ask((api) => api.POST('/v1/projects/{projectId}/webhooks', given))
  await refresh(projectId)
  return made
}

export async function updateWebhook(projectId: string, webhookId: string, body: WebhookChange): Promise<Webhook> {
  const given = { params: { path: { projectId, webhookId } }, body }
  const changed = await ask((api) => api.PATCH('/v1/projects/{projectId}/webhooks/{webhookId}', given))
  await refresh(projectId)
  return changed
}

/** The response has the new secret, which is kept nowhere. */
export function rotateWebhookSecret(projectId: string, webhookId: string): Promise<Webhook> {
  const given = { params: { path: { projectId, webhookId } } }
  return ask((api) => api.POST('/v1/projects/{projectId}/webhooks/{webhookId}/secret', given))
}

export async function deleteWebhook(projectId: string, webhookId: string): Promise<void> {
  const given = { params: { path: { projectId, webhookId } } }
  await ask((api) => api.DELETE('/v1/projects/{projectId}/webhooks/{webhookId}', given))
  await refresh(projectId)
}

export async function redeliver(projectId: string, webhookId: string, deliveryId: string): Promise<void> {
  const given = { params: { path: { projectId, webhookId, deliveryId } } }
  const path = '/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver' as const
  await ask((api) => api.POST(path, given))
  await queries.invalidateQueries({ queryKey: deliveriesQuery(projectId, webhookId).queryKey })
}

/** The list of deliveries shows whether it arrives. */
export async function testWebhook(projectId: string, webhookId: string): Promise<void> {
  const given = { params: { path: { projectId, webhookId } } }
  await ask((api) => api.POST('/v1/projects/{projectId}/webhooks/{webhookId}/test', given))
  await queries.invalidateQueries({ queryKey: deliveriesQuery(projectId, webhookId).queryKey })
}

async function refresh(projectId: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey })
}
