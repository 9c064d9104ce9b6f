// The types of a page view, one per stage: RawPageView (as parsed, with address and user agent) → LabelledPageView
// (with its category) → PageView (as stored). PageView has no field for the address: after `identify`, no code can
// store it.

import type { Category } from './category.ts'
import type { ViewDimensions } from './dimensions/view-dimensions.ts'

/** The reporter: a page in a browser, a server or edge function, or an access log. */
const pageViewSources = ['browser', 'server', 'log'] as const
export type PageViewSource = (typeof pageViewSources)[number]

export type Representation = 'html' | 'markdown'

/** Request headers that identify clients, in lower case. Any other header is dropped. */
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

/** With the value `1`, the visitor asks not to be counted. Read, never stored. */
export const optOutHeaders = ['dnt', 'sec-gpc'] as const

/** In UTF-16 code units. Longer values are cut before any pattern reads them. */
export const maxUserAgentLength = 1_024
export const maxSignalLength = 512

/** Parsed and bounded, not yet admitted. */
export type RawPageView = {
  /** From the caller or the log. Undefined: it is never sent again. */
  readonly id: string | undefined
  /** 64 bits: the id of a line of a log, instead of `id`. */
  readonly lineId: bigint | undefined
  /** Other ids under which it may be stored. */
  readonly sameAs: readonly string[]
  /** Milliseconds since 1970, an integer. */
  readonly time: number
  readonly source: PageViewSource
  /** `site_…` if it came through the public endpoint of a site. */
  readonly siteId: string | undefined
  readonly scheme: 'http' | 'https' | undefined
  /** Lower case, without port. Undefined: only the path is known. */
  readonly host: string | undefined
  /** As sent, without query and fragment. `normalisePath` turns it into the path of a page. */
  readonly path: string
  /** Only what `keptQuery` keeps. */
  readonly query: string
  /** As sent. */
  readonly title: string | undefined
  /** `DE`, from a CDN. Undefined: the address may say it. */
  readonly country: string | undefined
  /** At most `maxUserAgentLength`; empty if it was not sent. */
  readonly userAgent: string
  readonly address: string | undefined
  /** The caller's id for the visitor. */
  readonly visitorId: string | undefined
  /** The export of another tool that it came from: a page view of a person, and `visitorId` is a session of the tool. */
  readonly history?: { readonly id: string; readonly tool: string } | undefined
  /** The host of the referring page, in lower case. Undefined: no referring page, or one of the same site. */
  readonly referrer: string | undefined
  /**
   * For a 404, the path of the referring page, without query and fragment: on the host `referrer`, or on the host of the page
   * itself if that is undefined. Undefined: unknown.
   */
  readonly referrerPath: string | undefined
  /** Form of the response. Undefined: the path and the `Accept` header decide. */
  readonly representation: Representation | undefined
  /** Upper case. */
  readonly method: string | undefined
  readonly status: number | undefined
  /** True if the visitor asked not to be tracked (`Sec-GPC: 1`, `DNT: 1`). */
  readonly optedOut: boolean
  readonly signals: Signals
}

/**
 * The result of comparing the address with the claimed operator's. `none`: no claim, or the operator publishes no
 * addresses.
 */
const verifications = ['none', 'address', 'failed'] as const
export type Verification = (typeof verifications)[number]

export type Label = {
  readonly category: Category
  /** `ChatGPT-User`, `Googlebot`; empty if it has no name. */
  readonly agent: string
  /** `OpenAI`; empty if unknown. */
  readonly operator: string
  /** Id of the rule that matched, or `his_…`: another tool counted it as a page view of a person. */
  readonly rule: string
}

/** As stored. */
export type PageView = Label &
  ViewDimensions & {
    readonly projectId: string
    readonly siteId: string
    /** 64 bits: a hash of project and id, or of project and line, or a random number if there is no id. */
    readonly viewId: bigint
    readonly hasLineId: boolean
    readonly time: number
    /** Normalised. */
    readonly path: string
    readonly representation: Representation
    /** 404 counts for broken pages only. */
    readonly status: number
    /** A file that is not a page: counts for downloads only. */
    readonly isDownload: boolean
    readonly source: PageViewSource
    /** 64 bits of an HMAC; 0: no visitor. */
    readonly visitor: bigint
    /** The window of the salt: visitors of different values are never the same. Empty: a visitor may return at any time. */
    readonly saltWindow: string
    readonly verified: Verification
    /** The date of the list of rules that classified it: `2026-11-01`. */
    readonly listDate: string
    /** A host, or empty. */
    readonly referrer: string
    /** For a 404 that a page of the project links to, the path of that page, normalised. Otherwise empty. */
    readonly referrerPath: string
    /** Empty after the project's signal retention. */
    readonly userAgent: string
    readonly signals: Signals
  }

/** The reasons why a page view is not stored. Counted by reason; callers with a key get the sentence too. */
export const dropReasons = {
  too_old: "the time is before the project's retention",
  in_future: 'the time is more than 5 minutes in the future',
  foreign_host: 'the host is not a site of the project',
  path_too_long: 'the path is longer than 2,048 bytes',
  not_a_page: 'the path is an asset, not a page',
  health_check: 'the request is a health check',
  method: 'the method is not GET',
  status: 'the status is not 2xx, 304 or 404',
  prefetch: 'the page was prefetched or prerendered, not viewed',
  opted_out: 'the visitor asked not to be counted',
} as const
export type DropReason = keyof typeof dropReasons

/** The response was a page, a page that the client already has, or a 404. */
export function statusCounted(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304 || status === 404
}
