// One line of the made-up log before it is text, and what Docent should make of it. Knows nothing of who comes when.

import { type Category, defaultClasses, type VisitorClass } from '../../src/analytics/category.ts'
import type { Representation } from '../../src/analytics/page-view.ts'
import type { TrafficClient } from './clients.ts'

export type LoggedRequest = {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly address: string
  readonly method: 'GET' | 'HEAD'
  /** As it stands in the log, with its query. */
  readonly target: string
  readonly status: number
  readonly bytes: number
  /** Empty: none. */
  readonly referrer: string
  readonly client: TrafficClient
  /** The page that it asks for, normalised; undefined: it asks for no page. */
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
  /** 404: of a broken page, and counted nowhere else. */
  readonly status: number
}

/** The page view that a request should become by what the log says of it; undefined: none. */
export function toIntendedView(request: LoggedRequest): IntendedView | undefined {
  const { time, address, client, page, status } = request
  if (page === undefined || request.method !== 'GET' || ![200, 304, 404].includes(status)) return undefined
  const category = intendedCategory(request)
  const { agent, userAgent } = client
  return { time, address, userAgent, page, category, agent, status, class: defaultClasses[category] }
}

/** A log has no `Accept`: of an editor that gives itself out for a browser only the path tells. */
function intendedCategory({ client, representation }: LoggedRequest): Category {
  const isPlain = client.category === 'browser' || client.category === 'library' || client.category === 'unknown'
  return representation === 'markdown' && isPlain ? 'markdown' : client.category
}
