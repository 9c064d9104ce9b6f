// Reads the stored events of a job in pages.

import type { JobsContext } from '../context.ts'
import { createCursor, toPage } from '../../requests/cursor.ts'
import { type EventResponse, readEvents } from './events.ts'

export type EventPage = { readonly events: readonly EventResponse[]; readonly nextCursor: string | null }
export type EventFilter = {
  readonly jobId: string
  readonly after: number
  readonly limit: number
  /** Takes precedence over `after`. */
  readonly cursor: string | undefined
}

const cursor = createCursor('e', String.raw`\d{1,9}`)

/** In order. The caller has checked that the job may be seen. Throws `invalid_input` for an invalid cursor. */
export async function pageEvents(context: JobsContext, filter: EventFilter): Promise<EventPage> {
  const after = filter.cursor === undefined ? filter.after : Number(cursor.read(filter.cursor))
  const range = { jobId: filter.jobId, after, limit: filter.limit + 1 }
  const found = await readEvents(context.db, range, context.publicUrl)
  const { page, nextCursor } = toPage(found, { limit: filter.limit, cursor, keyOf: ({ id }) => String(id) })
  return { events: page, nextCursor }
}
