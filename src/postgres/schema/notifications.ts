// The tables of notifications, of their receivers and of their deliveries.

import type { Generated, Selectable } from 'kysely'

interface WebhookTable {
  readonly id: string
  readonly project_id: string
  /** Without its path if the format is `slack`. */
  url: string
  readonly format: 'standard' | 'slack'
  /** The types of notifications that it gets. */
  events: string[]
  /** Encrypted. `standard`: signs the requests. `slack`: the path of the address, with which anyone could post. */
  secret: string
  enabled: boolean
  /** Why the service disabled it; null if it is on, or a person turned it off. */
  disabled_because: string | null
  /** When it last took a notification; null: never. */
  delivered_at: Date | null
  /** Nothing is sent from then on; null: never. */
  ends_at: Date | null
  readonly created_at: Date
  updated_at: Date
}

/** The notifications that a person gets by mail. */
interface MailSettingsTable {
  readonly person_id: string
  events: string[]
  /** null: all projects. */
  project_ids: string[] | null
  updated_at: Date
}

interface NotificationTable {
  /** Receivers get it as `webhook-id`. */
  readonly id: string
  readonly project_id: string
  readonly type: string
  /** JSON. Links that this service serves are paths. */
  readonly data: string
  readonly created_at: Date
}

/** One notification for one receiver: a webhook or a person. */
interface DeliveryTable {
  readonly id: string
  /** The order in which they were added. */
  readonly ordinal: Generated<number>
  readonly notification_id: string
  readonly webhook_id: string | null
  readonly person_id: string | null
  state: 'waiting' | 'delivered' | 'failed'
  /** Since it was added, or since somebody asked for it again. */
  attempts: Generated<number>
  /** null unless it waits. */
  due_at: Date | null
  /** A process is sending it until then. */
  claimed_until: Date | null
  /** The last attempt, as the fields below; null: there was no attempt yet. */
  attempted_at: Date | null
  /** null: there was no response. */
  response_status: number | null
  /** The beginning of the response, without secrets. */
  excerpt: string | null
  /** Why the last attempt did not succeed. */
  error: string | null
  milliseconds: number | null
  readonly created_at: Date
}

export interface NotificationsSchema {
  webhooks: WebhookTable
  mail_settings: MailSettingsTable
  notifications: NotificationTable
  deliveries: DeliveryTable
}

export type WebhookRow = Selectable<WebhookTable>
export type DeliveryRow = Selectable<DeliveryTable>
