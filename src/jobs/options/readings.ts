// Data that the service reads for a run before the model is asked: their names, and where page views come from.

import type { ModelMessage } from '../../agent/model/types.ts'

export const readingNames = ['broken_pages', 'read_pages', 'outdated_translations'] as const
export type ReadingName = (typeof readingNames)[number]

/** Whether the data are words of outsiders: addresses that anybody may ask for, and hosts that anybody may name. */
export function isOfOutsiders(name: ReadingName): boolean {
  return name === 'broken_pages' || name === 'read_pages'
}

/** `nothing`: a sentence that says why there are no data. `given`: the failing pages among the data. */
export type Reading =
  | { readonly notice: ModelMessage; readonly given?: readonly GivenPage[] }
  | { readonly nothing: string }

/** `visitors`: at least so many. Addresses are without query, referrers are hosts. */
export type BrokenPage = {
  readonly path: string
  readonly visitors: number
  readonly days: number
  readonly viewsOfPeople: number
  readonly viewsOfAiAgents: number
  readonly referrers: readonly string[]
}
/** A failing page as a run was given it, with its counts of then. */
export type GivenPage = Pick<BrokenPage, 'path' | 'visitors' | 'days'>
/** `visitors`: at least so many. `views`: of people and AI agents. */
export type FailureCount = Pick<BrokenPage, 'path' | 'visitors'> & { readonly views: number }
export type ReadPage = Pick<BrokenPage, 'path' | 'visitors'>

export type WantedPages = { readonly projectId: string; readonly since: Date; readonly limit: number }
/** Pages that fewer visitors asked for, or on fewer days, are left out. */
export type WantedBroken = WantedPages & { readonly fewestVisitors: number; readonly fewestDays: number }

/** Pages, and a range of time whose end is not in it. */
export type WantedFailures = {
  readonly projectId: string
  readonly paths: readonly string[]
  readonly from: Date
  readonly to: Date
}

/** `isKept`: whether the page views of the whole range are still stored. Pages without a failure are left out. */
export type Failures = { readonly isKept: boolean; readonly pages: readonly FailureCount[] }

/** The most visitors first. Undefined: this machine has no page views. Throws `unavailable`. */
export type PageViewReader = {
  readonly brokenPages: (wanted: WantedBroken, signal: AbortSignal) => Promise<readonly BrokenPage[] | undefined>
  readonly failures: (wanted: WantedFailures, signal: AbortSignal) => Promise<Failures | undefined>
  readonly readPages: (wanted: WantedPages, signal: AbortSignal) => Promise<readonly ReadPage[] | undefined>
}
