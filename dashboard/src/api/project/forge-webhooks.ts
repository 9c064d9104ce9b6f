// The webhooks with which forges say that something happened in the repositories of a project.

import { queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import { queries } from '../queries.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'

export type ForgeWebhook = components['schemas']['ForgeWebhook']
export type HookedForge = components['schemas']['HookedForge']

export const forgeNames: Readonly<Record<HookedForge, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea or Forgejo',
}

const refetchMs = 5_000

export const forgeWebhooksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'forge-webhooks'],
    queryFn: async ({ signal }) => {
      const given = { params: { path: { projectId } }, signal }
      return (await ask((api) => api.GET('/v1/projects/{projectId}/forge-webhooks', given))).forgeWebhooks
    },
    refetchInterval: refetchMs,
  })

export async function createForgeWebhook(projectId: string, forge: HookedForge): Promise<ForgeWebhook> {
  const given = { params: { path: { projectId } }, body: { forge } }
  const made = await ask((api) => api.POST('/v1/projects/{projectId}/forge-webhooks', given))
  await refresh(projectId)
  return made
}

/** The response has the new secret, which is kept nowhere. */
export function rotateForgeWebhookSecret(projectId: string, forgeWebhookId: string): Promise<ForgeWebhook> {
  const given = { params: { path: { projectId, forgeWebhookId } } }
  return ask((api) => api.POST('/v1/projects/{projectId}/forge-webhooks/{forgeWebhookId}/secret', given))
}

export async function deleteForgeWebhook(projectId: string, forgeWebhookId: string): Promise<void> {
  const given = { params: { path: { projectId, forgeWebhookId } } }
  await ask((api) => api.DELETE('/v1/projects/{projectId}/forge-webhooks/{forgeWebhookId}', given))
  await refresh(projectId)
}

async function refresh(projectId: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: forgeWebhooksQuery(projectId).queryKey })
}
