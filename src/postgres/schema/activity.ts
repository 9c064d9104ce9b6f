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

/** A comment or a review of people that calls Docent. `jobs/comments` has its states. */
interface MentionTable {
  readonly id: string
  readonly project_id: string
  readonly forge: string
  /** The kind of page that it was written on. */
  readonly thread: 'pull' | 'issue'
  readonly number: number
  /** The thing that acts, once: a submitted review acts with all of its comments. */
  readonly kind: 'comment' | 'review' | 'review_comment'
  readonly forge_id: string
  /** The entry that calls; another one than what acts if it belongs to a review. */
  readonly entry_kind: 'comment' | 'review' | 'review_comment'
  readonly entry_id: string
  readonly author_id: string
  readonly author: string
  readonly at: Date
  /** As it was when it was first read. */
  readonly text: string
  readonly path: string | null
  readonly line: number | null
  readonly link: string
  /** That of the pull request; of an issue, once there is one. */
  job_id: string | null
  message_id: string | null
  state: Generated<'new' | 'accepted' | 'refused' | 'ignored'>
  /** Why it was not accepted, as a sentence. */
  reason: string | null
  /** Whether the reaction was tried. */
  is_seen: Generated<boolean>
  /** The comment that says what became of it, and its words. */
  comment_id: string | null
  said: string | null
  claimed_until: Date | null
  try_after: Generated<Date>
  decided_at: Date | null
  /** Nothing is left to do. */
  ended_at: Date | null
  readonly seen_at: Generated<Date>
}

/** When the comments on the issues of a project are read, and since when they count. */
interface IssuePollTable {
  readonly project_id: string
  /** The times of another repository are void. */
  repository: string
  since: Generated<Date>
  check_after: Generated<Date>
  claimed_until: Date | null
  checked_at: Date | null
  /** Why the last look failed, as a sentence. */
  error: string | null
}

/** A head of a job's pull request whose checks failed. `jobs/forge-checks` says what follows from it. */
interface ForgeCheckTable {
  readonly job_id: string
  readonly head_commit: string
  /** `given`: to the agent, in the message. `left`: to people. */
  readonly state: 'given' | 'left'
  /** Why it was left, as a sentence. */
  readonly reason: string | null
  readonly message_id: string | null
  /** The number of the last message to the job then: a later one of a person counts as an answer. */
  readonly after_message: number
  /** JSON: the names of the checks. */
  readonly failed: string
  /** The comment on the pull request. */
  said: string | null
  readonly seen_at: Date
}

export interface ActivitySchema {
  forge_checks: ForgeCheckTable
  mentions: MentionTable
  issue_polls: IssuePollTable
  pull_activity: PullActivityTable
  forge_people: ForgePeopleTable
  repository_marks: RepositoryMarksTable
}
