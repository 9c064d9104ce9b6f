// The dimensions of counters: what they count, and for which values. Most count visitors. Page views have no previous day,
// so the same sums give the page views of a range.

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
] as const
export type Dimension = (typeof dimensions)[number]
