// A request in the generated log before it becomes a line of text, and the page view that Docent should record for it.
// Does not decide which clients come, and when.

import { type Category, defaultClasses, type VisitorClass } from '../../src/analytics/category.ts'
import type { Representation } from '../../src/analytics/page-view.ts'
import type { TrafficClient } from './clients.ts'

export type LoggedRequest = {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly address: string
  readonly method: 'GET' | 'HEAD'
  /** The request target in the log, including its query. */
  readonly target: string
  readonly status: number
  readonly bytes: number
  /** Empty if there is no referrer. */
  readonly referrer: string
  readonly client: TrafficClient
  /** The normalised path of the requested page; undefined if the request is not for a page. */
  readonly page: string | undefined
  readonly representation: Representation
}

export type IntendedView = {
  readonly time: number
  readonly address: string
  readonly userAgent: string
  readonly page: string
  readonly category: Category
  readonly agent: string
  readonly class: VisitorClass
  /** A 404 counts as a broken page and nowhere else. */
  readonly status: number
}

/** Returns the page view that Docent should record for the log line of a request; undefined if it should drop the line. */
export function toIntendedView(request: LoggedRequest): IntendedView | undefined {
  const { time, address, client, page, status } = request
  if (page === undefined || request.method !== 'GET' || ![200, 304, 404].includes(status)) return undefined
  const category = intendedCategory(request)
  const { agent, userAgent } = client
  return { time, address, userAgent, page, category, agent, status, class: defaultClasses[category] }
}

/** A log has no `Accept` header, so only the path shows that an editor with a browser's user agent reads Markdown. */
function intendedCategory({ client, representation }: LoggedRequest): Category {
  const isPlain = client.category === 'browser' || client.category === 'library' || client.category === 'unknown'
  return representation === 'markdown' && isPlain ? 'markdown' : client.category
}
