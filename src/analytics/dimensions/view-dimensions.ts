// The dimensions of a page view: facts about its visitor and the way to the page, besides the page and the class of the client. Each is a
// column of the table of page views and a filter of every export; a project can switch each of them off.

export const viewDimensions = ['country', 'language', 'device', 'browser', 'os', 'campaign', 'title'] as const
export type ViewDimension = (typeof viewDimensions)[number]

/** Texts; empty: unknown, because the source cannot say it, or the project does not keep it. */
export type ViewDimensions = Readonly<Record<ViewDimension, string>>

/** Visitors can be counted by these, by site, and by the page that each saw first on a day. */
export const breakdownNames = [...viewDimensions, 'site', 'entry'] as const
export type BreakdownName = (typeof breakdownNames)[number]

/** Callers write it for the empty text. */
export const unknownValue = 'unknown'
