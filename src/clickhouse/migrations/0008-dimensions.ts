// Adds counters of the dimensions of page views, and of entry pages.

export const statements = [
  `ALTER TABLE counters MODIFY COLUMN dimension Enum8('site' = 1, 'page' = 2, 'referrer' = 3, 'agent' = 4,
    'verified_agent' = 5, 'unverified_agent' = 6, 'page_views' = 7, 'agent_views' = 8, 'crawler_views' = 9,
    'of_site' = 10, 'page_of_site' = 11, 'section' = 12, 'country' = 13, 'language' = 14, 'device' = 15, 'browser' = 16,
    'os' = 17, 'campaign' = 18, 'title' = 19, 'entry' = 20)`,
] as const
