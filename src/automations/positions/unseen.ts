// Commits that were skipped by their scores, and that no model has seen since.

import { sql } from 'kysely'

/** A condition on the row `c` of `automation_commits`. */
export const isUnseen = sql<boolean>`c.state = 'skipped' and c.score is not null and c.run_id is null
  and c.triaged_at is null and c.left_at is null`
