// Marks page views whose id is that of a line of a log. Those of earlier releases have other ids for the same lines.

export const statements = [`ALTER TABLE page_views ADD COLUMN IF NOT EXISTS has_line_id UInt8 DEFAULT 0`] as const
