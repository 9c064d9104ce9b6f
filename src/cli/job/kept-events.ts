// Reads the stored events of a job page by page, and finds where its latest activity starts.

import type { EventResponse } from '../../jobs/events/events.ts'
import type { Api } from '../api/api.ts'

type Page = { readonly events: readonly EventResponse[]; readonly nextCursor: string | null }

/** Yields all events in order. Throws like `api.send`. */
export async function* keptEvents(api: Api, path: string): AsyncGenerator<EventResponse, void> {
  const headers = { Accept: 'application/json' }
  for (let query = '?limit=1000'; query !== '';) {
    const page = JSON.parse((await api.send('GET', `${path}/events${query}`, undefined, headers)).body) as Page
    yield* page.events
    query = page.nextCursor === null ? '' : `?limit=1000&cursor=${encodeURIComponent(page.nextCursor)}`
  }
}

/** Returns the id of the event that ended the activity before the latest one: 0 if the job never ended before. */
export async function startOfLast(api: Api, path: string): Promise<number> {
  let start = 0
  let end = 0
  for await (const event of keptEvents(api, path)) {
    if (end > 0 && event.type !== 'archived') start = end
    end = event.type === 'job_ended' ? event.id : event.type === 'archived' ? end : 0
  }
  return start
}
