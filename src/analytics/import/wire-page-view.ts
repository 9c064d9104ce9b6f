// The result of parsing one line of a log: a page view in the form of the API, or the reason why the line is not a page
// view. Knows no log format, and not how page views are sent.

import { dropReasons, type Representation } from '../page-view.ts'

/** The page view object of `POST /v1/analytics/{projectId}/page-views`; JSON leaves out what is undefined. */
export type WirePageView = {
  readonly id?: string | undefined
  /** Other ids under which the page view may be stored. */
  readonly sameAs?: readonly string[] | undefined
  /** ISO 8601, or milliseconds since 1970. */
  readonly timestamp: number | string
  readonly url?: string | undefined
  /** Instead of `url` if the host is unknown. */
  readonly path?: string | undefined
  readonly userAgent?: string | undefined
  readonly address?: string | undefined
  readonly visitorId?: string | undefined
  readonly referrer?: string | undefined
  /** ISO 3166-1, from a CDN. */
  readonly country?: string | undefined
  readonly title?: string | undefined
  readonly representation?: Representation | undefined
  readonly method?: string | undefined
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Those that a log may have itself. */
export const wireFields = Object.keys({
  id: true,
  timestamp: true,
  url: true,
  path: true,
  userAgent: true,
  address: true,
  visitorId: true,
  referrer: true,
  country: true,
  title: true,
  representation: true,
  method: true,
  status: true,
  headers: true,
} satisfies Record<LoggedField, true>) as readonly LoggedField[]

type LoggedField = Exclude<keyof WirePageView, 'sameAs'>

/** Why a line is not sent to the service. */
export const lineReasons = {
  too_long: 'the line is longer than 64 KiB',
  incomplete: 'the last line is incomplete; the next import reads it again',
  not_this_format: 'the line could not be parsed',
  no_user_agent: 'the line has no user agent: the format is "common", or the server leaves it out',
  not_an_address: 'the line begins with a name, or something else that is neither an address nor “-”',
  no_request: 'the line has no HTTP request for a path',
  no_status: 'the line has no HTTP status: the server sent no response',
  bad_time: 'the line has no valid time',
  no_host: 'the line names no host, and the project has several sites: name the host',
  not_a_visit: 'the line does not describe a request of a client',
  counted_as_bot: 'the other tool counted it as a bot',
  not_a_page: dropReasons.not_a_page,
} as const
export type LineReason = keyof typeof lineReasons

export type Rejected = { readonly rejected: LineReason }
export type Parsed = WirePageView | Rejected
/** Never throws. The line has no line break. */
export type ParseLine = (line: string) => Parsed

export function isRejected(parsed: Parsed): parsed is Rejected {
  return 'rejected' in parsed
}
