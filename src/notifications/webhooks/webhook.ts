// A webhook: an address that gets the notifications of a project. Its types, its row, and which addresses it may have.

import { refusedHost, webHost } from '../../lib/outbound/web-host.ts'
import type { WebhookRow } from '../../postgres/schema/notifications.ts'
import type { SecretPlace } from '../../secrets/signing-secret.ts'
import type { NotificationType } from '../notification.ts'

export const webhookFormats = ['standard', 'slack'] as const

export type Webhook = {
  readonly id: string
  /** If the format is `slack`, the path is a secret, and `…` here. */
  readonly url: string
  readonly events: readonly NotificationType[]
  readonly format: (typeof webhookFormats)[number]
  readonly enabled: boolean
  /** Why the service disabled it; null if it is on, or a person turned it off. */
  readonly disabledBecause: string | null
  /** Nothing is sent from then on; null: never. */
  readonly endsAt: string | null
  /** When it last took a notification; null: never. */
  readonly deliveredAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.format === 'slack' ? `${row.url}/…` : row.url,
    events: row.events as NotificationType[],
    format: row.format,
    enabled: row.enabled,
    disabledBecause: row.disabled_because,
    endsAt: row.ends_at?.toISOString() ?? null,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** The place of the secret that signs its requests, or of the path of its address. */
export function secretPlace(id: string): SecretPlace {
  return { owner: id, purpose: 'webhook secret' }
}

/** Explains why the text is no address of a webhook, as words after "`url` …"; null if it is. `privateHosts`: those that the service allows. */
export function urlProblem(text: string, privateHosts: readonly string[]): string | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an https address'
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return 'must be without a user name, a password and a fragment'
  }
  const reason = refusedHost(url, webHost(url, privateHosts))
  return reason === undefined ? null : `is not allowed: ${reason}`
}

/** Splits the address of an incoming webhook of Slack: who knows its path may post. */
export function splitUrl(text: string): { readonly origin: string; readonly path: string } {
  const { origin, pathname, search } = new URL(text)
  return { origin, path: `${pathname}${search}` }
}
