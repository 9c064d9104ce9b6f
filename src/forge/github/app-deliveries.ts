// Reads GitHub's list of the deliveries to the webhook of an App, the newest first, and chooses those that are worth asking for
// again. Pure; `app-api.ts` sends the requests. GitHub keeps the list for three days, and repeats nothing by itself.
// https://docs.github.com/en/webhooks/using-webhooks/automatically-redelivering-failed-deliveries-for-a-github-app-webhook

import { z } from 'zod'

export type ListedDelivery = {
  readonly id: number
  /** The same for all attempts of one event. */
  readonly guid: string
  readonly deliveredAt: Date
  readonly isRedelivery: boolean
  /** The status of the response; 0: there was no response. */
  readonly status: number
  /** The event and the id of the repository. */
  readonly subject: string
}

const deliverySchema = z.object({
  id: z.int().positive(),
  guid: z.string().max(100),
  delivered_at: z.iso.datetime({ offset: true }),
  redelivery: z.boolean(),
  status_code: z.int(),
  event: z.string().max(100),
  repository_id: z.number().nullish(),
})

/** Leaves out entries of another form. */
export function toDeliveries(entries: readonly unknown[]): readonly ListedDelivery[] {
  return entries.flatMap((entry) => {
    const { data } = deliverySchema.safeParse(entry)
    if (data === undefined) return []
    const { id, guid, delivered_at, redelivery, status_code: status, event, repository_id } = data
    const subject = `${event} ${repository_id ?? ''}`
    return [{ id, guid, deliveredAt: new Date(delivered_at), isRedelivery: redelivery, status, subject }]
  })
}

/** The cursor of the next page in the header `Link`. */
export function nextCursor(link: string | undefined): string | undefined {
  return /[?&]cursor=([\w.~%-]{1,300})[^>]*>; rel="next"/.exec(link ?? '')?.[1]
}

/** Deliveries that this service refused as forged would be refused again. */
const refusedStatus = 401

/**
 * Returns the failed ones, the newest first: one for each event and repository, because a delivery is only a hint. One that was
 * asked for before is left alone, whatever became of it.
 */
export function chooseFailed(deliveries: readonly ListedDelivery[], most: number): readonly ListedDelivery[] {
  const settled = new Set(
    deliveries.filter((one) => one.isRedelivery || isTaken(one.status) || one.status === refusedStatus).map(guidOf),
  )
  const bySubject = new Map<string, ListedDelivery>()
  for (const one of deliveries)
    if (!settled.has(one.guid) && !bySubject.has(one.subject)) bySubject.set(one.subject, one)
  return [...bySubject.values()].slice(0, most)
}

const isTaken = (status: number) => status >= 200 && status < 300
const guidOf = ({ guid }: ListedDelivery) => guid
