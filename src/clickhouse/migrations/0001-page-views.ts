// The raw page views, in the order of the queries: by project, day and page. Every part also holds two projections of
// its rows, which therefore always match them: `versions` shows whether the page views of a project changed, `ids`
// whether a page view is already stored.
// Deleted rows leave the disk soon: ClickHouse removes an old part after the part that replaces it is synced. It checks
// first after about 30 seconds, then less and less often, and removes parts that are more than 10 seconds old.

export const statements = [
  `CREATE TABLE IF NOT EXISTS page_views (
    project_id LowCardinality(String),
    site_id LowCardinality(String),
    view_id UInt64,
    time DateTime64(3, 'UTC'),
    path LowCardinality(String),
    representation Enum8('html' = 1, 'markdown' = 2),
    status UInt16,
    source Enum8('browser' = 1, 'server' = 2, 'log' = 3),
    visitor UInt64,
    category LowCardinality(String),
    agent LowCardinality(String),
    operator LowCardinality(String),
    verified Enum8('none' = 1, 'address' = 2, 'failed' = 3),
    rule LowCardinality(String),
    list_date Date,
    referrer LowCardinality(String),
    user_agent LowCardinality(String),
    signals LowCardinality(String),
    PROJECTION versions (
      SELECT project_id, count(), sum(cityHash64(view_id, time, path, representation, status, source, visitor,
        category, agent, operator, verified, referrer)) GROUP BY project_id
    ),
    PROJECTION ids (SELECT project_id, view_id ORDER BY project_id, view_id)
  )
  ENGINE = MergeTree
  PARTITION BY toYYYYMM(time)
  ORDER BY (project_id, toDate(time), path, time)
  SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 10, finished_mutations_to_keep = 1`,

  `CREATE TABLE IF NOT EXISTS paths (
    project_id LowCardinality(String),
    path String,
    first_day SimpleAggregateFunction(min, Date)
  )
  ENGINE = AggregatingMergeTree
  ORDER BY (project_id, path)`,
] as const
