// Where forges send the deliveries of webhooks.

/** The forges whose webhooks this service takes. Forgejo is `gitea`. */
export const hookedForges = ['github', 'gitlab', 'gitea'] as const
export type HookedForge = (typeof hookedForges)[number]

/** `id`: of a webhook, or of a GitHub App. */
export function deliveryPath(forge: HookedForge, id: string): string {
  return `/v1/hooks/${forge}/${id}`
}
