// Stores raw page views, sorted the way queries read them: by project, day and page. Each part contains two projections of
// its rows, so they never get out of step. `versions` detects changes to a project's page views. `ids` finds out whether a
// page view is already stored. `paths` has the first day of each path that browsers reported, to limit new paths per day.
// ClickHouse deletes a replaced part once it is 10 seconds old (`old_parts_lifetime`). It first checks for such parts after
// about 30 seconds, then less often. A finished mutation's text may contain what it erased, so only the last one is kept.

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
