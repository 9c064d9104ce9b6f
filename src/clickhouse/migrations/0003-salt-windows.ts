// Adds the salt window to page views: visitors of different windows are never the same, so uniques of a range are the sum
// of those of each window. Rows of before have an empty one. The projection `windows` replaces `versions`: it has the version of
// each window, and when its page views were. `counters` has the uniques of sealed windows, and `seals` says of which rows.

const views = `view_id, time, path, representation, status, source, visitor,
        category, agent, operator, verified, referrer`

export const statements = [
  `ALTER TABLE page_views ADD COLUMN IF NOT EXISTS salt_window LowCardinality(String)`,

  `ALTER TABLE page_views ADD PROJECTION IF NOT EXISTS windows (
    SELECT project_id, salt_window, count(), sum(cityHash64(${views})), min(time), max(time)
    GROUP BY project_id, salt_window
  )`,
  `ALTER TABLE page_views MATERIALIZE PROJECTION windows`,
  `ALTER TABLE page_views DROP PROJECTION IF EXISTS versions`,

  `CREATE TABLE IF NOT EXISTS counters (
    project_id LowCardinality(String),
    generation UInt64,
    salt_window LowCardinality(String),
    build UInt64,
    dimension Enum8('site' = 1, 'page' = 2),
    value String,
    previous Array(UInt16),
    day Array(UInt16),
    human Array(UInt32),
    ai Array(UInt32),
    total Array(UInt32)
  )
  ENGINE = MergeTree
  ORDER BY (project_id, generation, salt_window, build, dimension, value)
  SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 10, finished_mutations_to_keep = 1`,

  `CREATE TABLE IF NOT EXISTS seals (
    project_id LowCardinality(String),
    generation UInt64,
    salt_window LowCardinality(String),
    build UInt64,
    views UInt64,
    sums UInt64,
    pairs UInt64,
    sealed_at DateTime64(3, 'UTC')
  )
  ENGINE = MergeTree
  ORDER BY (project_id, generation, salt_window, build)
  SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, old_parts_lifetime = 10, finished_mutations_to_keep = 1`,
] as const
