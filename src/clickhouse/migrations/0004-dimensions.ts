// Counters of more dimensions: referring sites, AI agents, and page views, which are added up like visitors who never
// return. `lengths` replaces `pairs`: the number of counters of each dimension, as JSON.

export const statements = [
  `ALTER TABLE counters MODIFY COLUMN dimension Enum8('site' = 1, 'page' = 2, 'referrer' = 3, 'agent' = 4,
    'verified_agent' = 5, 'unverified_agent' = 6, 'page_views' = 7, 'agent_views' = 8, 'crawler_views' = 9)`,
  `ALTER TABLE seals ADD COLUMN IF NOT EXISTS lengths String`,
  `ALTER TABLE seals DROP COLUMN IF EXISTS pairs`,
] as const
