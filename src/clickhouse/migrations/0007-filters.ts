// Adds what filters read of a page view. Rows of before have empty values: unknown. The projection `filtered_windows` has the
// version of each window over these columns and the site, beside `windows`, whose versions hold until the parts of before have it. Counters
// of sites, of the pages of each of several sites, and of sections.

const columns = ['referrer_path', 'country', 'language', 'device', 'browser', 'os', 'campaign', 'title']

const views = `view_id, time, path, representation, status, source, visitor, category, agent, operator, verified,
        referrer, site_id, ${columns.join(', ')}`

export const statements = [
  `ALTER TABLE page_views ${columns
    .map((name) => `ADD COLUMN IF NOT EXISTS ${name} LowCardinality(String)`)
    .join(', ')}`,

  `ALTER TABLE page_views ADD PROJECTION IF NOT EXISTS filtered_windows (
    SELECT project_id, salt_window, count(), sum(cityHash64(${views})), min(time), max(time)
    GROUP BY project_id, salt_window
  )`,

  `ALTER TABLE counters MODIFY COLUMN dimension Enum8('site' = 1, 'page' = 2, 'referrer' = 3, 'agent' = 4,
    'verified_agent' = 5, 'unverified_agent' = 6, 'page_views' = 7, 'agent_views' = 8, 'crawler_views' = 9,
    'of_site' = 10, 'page_of_site' = 11, 'section' = 12)`,
] as const
