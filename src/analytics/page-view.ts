// The types of a page view, one per stage: RawPageView (as parsed, with address and user agent) → LabelledPageView
// (with its category) → PageView (as stored). PageView has no field for the address: after `identify`, no code can
// store it.

import type { Category } from './category.ts'

/** Who reported it: a page in a browser, a server or edge function, an access log. */
export const pageViewSources = ['browser', 'server', 'log'] as const
export type PageViewSource = (typeof pageViewSources)[number]

export type Representation = 'html' | 'markdown'

/** Request headers that tell clients apart; all else that is sent is dropped. Lower case. */
export const signalHeaders = [
  'accept',
  'accept-language',
  'purpose',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-purpose',
  'signature-agent',
  'x-conversation-id',
  'x-moz',
] as const
export type SignalHeader = (typeof signalHeaders)[number]
export type Signals = { readonly [Name in SignalHeader]?: string }

/** `1` in one of them: the visitor asks not to be counted. Looked at and dropped. */
export const optOutHeaders = ['dnt', 'sec-gpc'] as const

/** Longest that is kept of each, in UTF-16 code units: what is longer is cut before any pattern sees it. */
export const maxUserAgentLength = 1_024
export const maxSignalLength = 512

/** Parsed and bounded, not yet judged. */
export type RawPageView = {
  /** The caller's, or the natural one of a log; undefined: it is never sent again. */
  readonly id: string | undefined
  /** Milliseconds since 1970, an integer. */
  readonly time: number
  readonly source: PageViewSource
  /** `site_…` when it came through the public endpoint of a site. */
  readonly siteId: string | undefined
  readonly scheme: 'http' | 'https' | undefined
  /** Lower case, without port; undefined: only a path was said. */
  readonly host: string | undefined
  /** As it was sent, without query and fragment: `normalisePath` makes it the path of a page. */
  readonly path: string
  /** At most `maxUserAgentLength`; empty when none was sent. */
  readonly userAgent: string
  readonly address: string | undefined
  /** The caller's own word for the visitor. */
  readonly visitorId: string | undefined
  /** The host of the referring page, lower case; undefined: none, or this very site. */
  readonly referrer: string | undefined
  /** What was answered; undefined: the path and the `Accept` header decide. */
  readonly representation: Representation | undefined
  /** Upper case. */
  readonly method: string | undefined
  readonly status: number | undefined
  /** Did the visitor ask not to be tracked (`Sec-GPC: 1`, `DNT: 1`)? */
  readonly optedOut: boolean
  readonly signals: Signals
}

/** Does the address belong to the operator that the client claims? `none`: nothing is published, or nothing claimed. */
export const verifications = ['none', 'address', 'failed'] as const
export type Verification = (typeof verifications)[number]

export type Label = {
  readonly category: Category
  /** `ChatGPT-User`, `Googlebot`; empty: it has no name. */
  readonly agent: string
  /** `OpenAI`; empty: not known. */
  readonly operator: string
  /** Id of the rule that held. */
  readonly rule: string
}

/** What is stored. */
export type PageView = Label & {
  readonly projectId: string
  readonly siteId: string
  /** 64 bits of a hash of project and id; of a random number where there is no id. */
  readonly viewId: bigint
  readonly time: number
  /** Normalised. */
  readonly path: string
  readonly representation: Representation
  /** 404 is kept for the broken pages and counts nowhere else. */
  readonly status: number
  readonly source: PageViewSource
  /** 64 bits of an HMAC; 0: it makes no visitor. */
  readonly visitor: bigint
  readonly verified: Verification
  /** `2026-11-01`: of the list of rules that labelled it. */
  readonly listDate: string
  /** Host; empty: none. */
  readonly referrer: string
  /** Empty once the project's signal retention is over. */
  readonly userAgent: string
  readonly signals: Signals
}

/** Why a page view is not stored. Counted by reason; callers with a key get the sentence too. */
export const dropReasons = {
  too_old: "the time is before the project's retention",
  in_future: 'the time is more than 5 minutes in the future',
  foreign_host: 'the host is not a site of the project',
  path_too_long: 'the path is longer than 2,048 bytes',
  not_a_page: 'the path is an asset, not a page',
  method: 'the method is not GET',
  status: 'the status is not 2xx, 304 or 404',
  prefetch: 'the page was prefetched or prerendered, not viewed',
  opted_out: 'the visitor asked not to be counted',
} as const
export type DropReason = keyof typeof dropReasons

/** Answers with a page, one that the client has already, or none at the address. */
export function statusCounted(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304 || status === 404
}
