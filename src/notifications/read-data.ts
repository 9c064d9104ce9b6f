// The data of a notification as it is sent: without secrets that a text may have, and with whole links.

import { mapStrings } from '../lib/outbound/map-strings.ts'
import type { ClaimedDelivery } from './deliveries/queue.ts'
import { type NotificationData, withLinks } from './notification.ts'

export type NotifyingContext = {
  /** Knows the secrets of this process, which may be more than those of the one that stored the notification. */
  readonly redact: (text: string) => string
  /** Without a trailing slash. */
  readonly publicUrl: string
}

export function readData(
  { redact, publicUrl }: NotifyingContext,
  { notification }: Pick<ClaimedDelivery, 'notification'>,
): NotificationData {
  return withLinks(mapStrings(JSON.parse(notification.data) as NotificationData, redact), publicUrl)
}
