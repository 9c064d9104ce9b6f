// A webhook that a person sets up at a forge for a project, as the service knows it: its address here, its secret, and what came.

import { deliveryPath, type HookedForge } from '../../forge/deliveries/address.ts'
import type { ForgeAppRow, ForgeWebhookRow } from '../../postgres/schema/secrets.ts'
import type { SecretPlace } from '../../secrets/signing-secret.ts'

/** Facts about the deliveries to an address. */
export type Delivered = {
  /** When the last genuine delivery came; null: never. */
  readonly deliveredAt: string | null
  /** The number of deliveries that were not genuine. */
  readonly refused: number
  /** When the last one of them came; null: never. */
  readonly refusedAt: string | null
}

export type ForgeWebhook = Delivered & {
  readonly id: string
  readonly forge: HookedForge
  /** The address that the forge sends deliveries to. */
  readonly url: string
  readonly createdAt: string
  readonly updatedAt: string
}

export function toForgeWebhook(row: ForgeWebhookRow, publicUrl: string): ForgeWebhook {
  return {
    id: row.id,
    forge: row.forge,
    url: `${publicUrl}${deliveryPath(row.forge, row.id)}`,
    ...toDelivered(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function toDelivered(row: Pick<ForgeAppRow, 'delivered_at' | 'refused' | 'refused_at'>): Delivered {
  return {
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    refused: row.refused,
    refusedAt: row.refused_at?.toISOString() ?? null,
  }
}

export function secretPlace(id: string): SecretPlace {
  return { owner: id, purpose: 'forge webhook' }
}
