// The tables of what happens on the pull requests of jobs.

import type { Generated } from 'kysely'

interface PullActivityTable {
  readonly id: string
  readonly job_id: string
  readonly forge: 'docent' | 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'azure'
  /** The pull request: a job may have had several. */
  readonly number: number
  readonly kind: 'comment' | 'review' | 'review_comment' | 'check' | 'status' | 'state' | 'base' | 'head'
  readonly forge_id: string
  /** The forge's id of the account; null: not known. */
  readonly author_id: string | null
  readonly author: string | null
  readonly is_bot: boolean
  readonly at: Date
  /** Data of others, without NUL. Empty when it was deleted. */
  text: string
  path: string | null
  line: number | null
  link: string | null
  state: string | null
  deleted_at: Date | null
  readonly seen_at: Generated<Date>
}

/** The right of an account in the repository of a project; asked for at most once an hour. */
interface ForgePeopleTable {
  readonly project_id: string
  readonly forge: string
  readonly person_id: string
  /** Null: the forge did not say. */
  may_write: boolean | null
  asked_at: Date
}

/** Where the lists of the whole repository were left. */
interface RepositoryMarksTable {
  readonly project_id: string
  /** Marks of another repository are void. */
  repository: string
  /** JSON. */
  marks: string
}

export interface ActivitySchema {
  pull_activity: PullActivityTable
  forge_people: ForgePeopleTable
  repository_marks: RepositoryMarksTable
}
