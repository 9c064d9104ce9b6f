// The kept events of a job, page by page, and where in them its last run begins.

import type { EventResponse } from '../../jobs/events/events.ts'
import type { Api } from '../api/api.ts'

type Page = { readonly events: readonly EventResponse[]; readonly nextCursor: string | null }

/** In order, from the first one. Throws as `send`. */
export async function* keptEvents(api: Api, path: string): AsyncGenerator<EventResponse, void> {
  const headers = { Accept: 'application/json' }
  for (let query = '?limit=1000'; query !== '';) {
    const page = JSON.parse((await api.send('GET', `${path}/events${query}`, undefined, headers)).body) as Page
    yield* page.events
    query = page.nextCursor === null ? '' : `?limit=1000&cursor=${encodeURIComponent(page.nextCursor)}`
  }
}

/** The last event of what was over before what the job did last, or does: 0 for a job that was never over. */
export async function startOfLast(api: Api, path: string): Promise<number> {
  let start = 0
  let end = 0
  for await (const event of keptEvents(api, path)) {
    if (end > 0 && event.type !== 'archived') start = end
    end = event.type === 'job_ended' ? event.id : event.type === 'archived' ? end : 0
  }
  return start
}
