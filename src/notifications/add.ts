// Adds a notification in the transaction that makes it true, with a delivery for each receiver that wants it: it is there if
// and only if what it says is. What sends it finds it after the commit.

import { sql } from 'kysely'
import { createId } from '../lib/id.ts'
import { notify } from '../postgres/notify.ts'
import type { Trx } from '../postgres/types.ts'
import type { NotificationData, NotificationType } from './notification.ts'

/** The senders of deliveries listen here. */
export const deliveriesChannel = 'docent_deliveries'

type Receivers = { readonly webhooks: readonly string[]; readonly people: readonly string[] }

/** `readData` is called only if somebody wants it. Links that the service serves itself are paths in it. */
export async function addNotification(
  trx: Trx,
  { projectId, type }: { readonly projectId: string; readonly type: NotificationType },
  readData: () => Promise<NotificationData>,
): Promise<void> {
  const receivers = await findReceivers(trx, projectId, type)
  if (receivers.webhooks.length + receivers.people.length === 0) return
  const id = createId('evt')
  const now = new Date()
  await trx
    .insertInto('notifications')
    .values({ id, project_id: projectId, type, data: JSON.stringify(await readData()), created_at: now })
    .execute()
  const row = { notification_id: id, state: 'waiting', due_at: now, created_at: now } as const
  await trx
    .insertInto('deliveries')
    .values([
      ...receivers.webhooks.map((one) => ({ ...row, id: createId('dlv'), webhook_id: one, person_id: null })),
      ...receivers.people.map((one) => ({ ...row, id: createId('dlv'), webhook_id: null, person_id: one })),
    ])
    .execute()
  await notify(trx, deliveriesChannel)
}

/** The locks keep the receivers until the commit; those that another transaction is deleting at this moment are left out. */
async function findReceivers(trx: Trx, projectId: string, type: NotificationType): Promise<Receivers> {
  const { rows } = await sql<{ webhook: string | null; person: string | null }>`/* notifications.receivers */
    with to_webhooks as materialized (select id from webhooks where project_id = ${projectId} and enabled
        and ${type} = any(events) and (ends_at is null or ends_at > now()) order by id for key share skip locked),
      by_mail as materialized (select people.id from people join mail_settings on person_id = people.id
        where ${type} = any(events) and (project_ids is null or ${projectId} = any(project_ids))
        order by people.id for key share of people skip locked)
    select id as webhook, null as person from to_webhooks union all select null, id from by_mail`.execute(trx)
  return {
    webhooks: rows.flatMap(({ webhook }) => webhook ?? []),
    people: rows.flatMap(({ person }) => person ?? []),
  }
}
