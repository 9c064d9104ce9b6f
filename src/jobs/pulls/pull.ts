// The pull request of a job, as the columns of its row. Pure.

import type { PullKey, PullRequest } from '../../forge/forge.ts'
import type { JobRow } from '../../postgres/schema.ts'

/** Returns undefined when the job's branch never had a pull request. */
export function pullKeyOf({ pull_forge: forge, pull_number: number }: JobRow): PullKey | undefined {
  return number === null ? undefined : { forge: forge ?? 'docent', number }
}

/** Returns the columns for a pull request that was just opened or checked. */
export function pullColumns(pull: PullRequest): Partial<JobRow> {
  return {
    pull_forge: pull.forge,
    pull_number: pull.number,
    pr_link: pull.link,
    pull_state: pull.state,
    pull_draft: pull.draft,
    pull_merged_at: pull.mergedAt === null ? null : new Date(pull.mergedAt),
    pull_base: pull.base,
  }
}

/** The columns of a job whose branch has no pull request yet. */
export const noPull = {
  pull_forge: null,
  pull_number: null,
  pr_link: null,
  pull_state: null,
  pull_draft: null,
  pull_merged_at: null,
  pull_base: null,
  pull_etag: null,
  pull_checked_at: null,
  pull_check_error: null,
  pull_check_after: null,
  pull_marks: null,
  pull_claimed_until: null,
  pull_hastened: false,
  pull_waiting_after: null,
} as const satisfies Partial<JobRow>
