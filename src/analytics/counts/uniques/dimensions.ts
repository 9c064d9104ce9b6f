// The dimensions of counters: what they count, and for which values. Most count visitors. Page views have no previous day,
// so the same sums give the page views of a range.

import { viewDimensions } from '../../dimensions/view-dimensions.ts'

export const dimensions = [
  'site',
  'page',
  'referrer',
  'agent',
  'verified_agent',
  'unverified_agent',
  'page_views',
  'agent_views',
  'crawler_views',
  // Visitors by site; of the pages of each site, where a window has several; and of sections, as `count-rows.ts` says.
  'of_site',
  'page_of_site',
  'section',
  // Visitors by what their page views say of them; and by day, by the page that each saw first.
  ...viewDimensions,
  'entry',
] as const
export type Dimension = (typeof dimensions)[number]
