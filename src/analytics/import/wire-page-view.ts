// What a line of a log becomes: a page view as the API takes it, or the reason why there is none. Knows no format and
// nothing of how page views are sent.

import type { Representation } from '../page-view.ts'

/** The page view object of `POST /v1/analytics/{projectId}/page-views`; JSON leaves out what is undefined. */
export type WirePageView = {
  readonly id?: string | undefined
  /** ISO 8601, or milliseconds since 1970. */
  readonly timestamp: number | string
  readonly url?: string | undefined
  /** Alone where no host is known. */
  readonly path?: string | undefined
  readonly userAgent?: string | undefined
  readonly address?: string | undefined
  readonly visitorId?: string | undefined
  readonly referrer?: string | undefined
  readonly representation?: Representation | undefined
  readonly method?: string | undefined
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Why a line is no page view, judged without the service. */
export const lineReasons = {
  too_long: 'it is longer than 64 KiB',
  incomplete: 'it is the last line and has no end yet; the next import reads it again',
  not_this_format: 'it is not of the format',
  no_user_agent: 'it has no field for the user agent, as in the format common',
  no_request: 'it holds no HTTP request for a path',
  bad_time: 'its time is no real time',
  not_a_visit: 'it tells of no request of a client',
  not_a_page: 'it is an asset, not a page',
} as const
export type LineReason = keyof typeof lineReasons

export type Rejected = { readonly rejected: LineReason }
export type Parsed = WirePageView | Rejected
/** Never throws. The line has no line break. */
export type ParseLine = (line: string) => Parsed

export function isRejected(parsed: Parsed): parsed is Rejected {
  return 'rejected' in parsed
}
