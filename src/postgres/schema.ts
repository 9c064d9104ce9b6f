// The types of the tables of the jobs database, for Kysely. The migrations create the tables.
// JSON that must be read back byte for byte is in `text` columns, because it may contain \u0000 and lone surrogates.

import type { Generated, Selectable } from 'kysely'
import type { ActivitySchema } from './schema/activity.ts'
import type { AutomationsSchema } from './schema/automations.ts'
import type { HistoriesSchema } from './schema/histories.ts'
import type { NotificationsSchema } from './schema/notifications.ts'
import type { PeopleSchema } from './schema/people.ts'
import type { ProjectsSchema } from './schema/projects.ts'
import type { RequestsSchema } from './schema/requests.ts'
import type { SecretsSchema } from './schema/secrets.ts'

/** Digests of titles and texts that the service wrote into the pull requests of a branch: `bitbucket/written.ts`. */
interface WrittenTextTable {
  readonly branch: string
  readonly digest: string
  readonly job_id: string
  readonly created_at: Date
}

interface JobTable {
  readonly id: string
  readonly project_id: string
  /** The order of creation, which the cursor of the list contains. */
  readonly ordinal: Generated<number>
  status: 'active' | 'completed' | 'failed' | 'archived'
  phase: 'queued' | 'preparing' | 'editing' | 'checking' | 'publishing' | null
  /** The project's address and branch when the job last became active. */
  repository: string
  branch: string
  /** 1 for the first branch; grows when a pull request was merged or closed before a follow-up. */
  branch_number: Generated<number>
  /** The model of the last run. */
  model: string
  outcome: 'pull_request' | 'no_changes' | 'needs_input' | 'partial' | null
  /** JSON: what the agent said at the end of the last run that ended well. Null on jobs of earlier releases. */
  result: string | null
  error_code: string | null
  error_message: string | null
  pull_number: number | null
  pr_link: string | null
  /** The forge of `pull_number`; null: Docent's own, or no pull request. */
  pull_forge: 'docent' | 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'azure' | null
  /** The pull request as its forge last showed it; `pull_checked_at` and later only for hosted ones. */
  pull_state: 'open' | 'merged' | 'closed' | null
  pull_draft: boolean | null
  pull_merged_at: Date | null
  /** Null also for a pull request that was recorded by an earlier release and not polled since. */
  pull_base: string | null
  pull_etag: string | null
  pull_checked_at: Date | null
  /** Why the last look failed, `{ code, message }` as JSON. Null: it did not. */
  pull_check_error: string | null
  /** The time of the next check of the pull request; null: never. */
  pull_check_after: Date | null
  /** Until then a process checks it; null: no process does. */
  pull_claimed_until: Date | null
  /** The forge says that something happened, so the next check is due now. */
  pull_hastened: Generated<boolean>
  /** From then on the open pull request has waited for a review for a long time; null: it does not, or people were notified. */
  pull_waiting_after: Date | null
  /** JSON: where the lists about the pull request were left, and its base and head then. */
  pull_marks: string | null
  /** JSON: whether the service merges the pull request, and what it waits for; null: its automation does not merge. */
  merging: string | null
  /** JSON: the last failed checks of the forge that led to something; null: no check failed. */
  forge_checks: string | null
  /** The job's branch as last published, and the commit of the base branch that it is shown against. */
  base_commit: string | null
  head_commit: string | null
  /** JSON: the number of problems that the branch introduced, fixed and left; null if it was not checked. */
  checks: string | null
  input_tokens: Generated<number>
  /** The part of the input that providers read from their caches; 0 in jobs of earlier releases. */
  cached_input_tokens: Generated<number>
  output_tokens: Generated<number>
  turns: Generated<number>
  /** US dollars; null after a response of the model whose price is not known. */
  cost_usd: Generated<number | null>
  /** JSON: the last pages outside of the repository that its runs requested; null: they requested no page. */
  pages_read: string | null
  /** JSON: who created the job. Null on jobs of earlier releases. */
  origin: string | null
  /** The choices of the creator of the job; null: as in the project. */
  base_branch: string | null
  draft: boolean | null
  /** The model that the job or a message to it chose; null: that of the project. */
  chosen_model: string | null
  /** JSON: the names of the sources that the job needs; null: all of the project. */
  context: string | null
  /** JSON: the sources that its last run read, `RunSource[]`. */
  sources: string | null
  /** JSON: budgets of its runs, each at most the project's; null: those of the project. */
  budget: string | null
  /** JSON: the globs of the paths that it may change; null: all that the project allows. */
  scope: string | null
  /** How many redirects a run may add; null: as many as the policy allows. */
  readonly most_redirects: number | null
  /** The choices of a message for the next new branch; null: as before. */
  next_base_branch: string | null
  next_draft: boolean | null
  /** The sequence number of the job's newest event. */
  last_event: Generated<number>
  /** Increased with every change that the API shows; the ETag contains it. */
  version: Generated<number>
  readonly created_at: Date
  updated_at: Date
  archived_at: Date | null
  /** null on a job that the service archived before this column existed. */
  archived_by: 'person' | 'service' | null
  /** When the turns of its runs up to then were deleted by the setting of the project; null: never. */
  transcript_erased_at: Date | null
}

interface MessageTable {
  readonly id: string
  job_id: string
  readonly ordinal: Generated<number>
  /** As JSON: PGlite's decoder drops a U+FEFF at the beginning of a text. */
  readonly prompt: string
  /** JSON: what an outsider sent with it, bounded; null: nothing. */
  data: string | null
  /** JSON: what a run of an automation brings to the pull request that it shares, `Contribution`; null: it is no such run. */
  contribution: string | null
  /** JSON: what the service reads for its run; null: nothing. */
  readonly reads: string | null
  /** The run that sent it to the model; null while it waits. */
  run_id: string | null
  /** Who sent it, if it was a person; the person may be gone. */
  readonly person_id: string | null
  readonly created_at: Date
}

interface RunTable {
  readonly id: string
  readonly job_id: string
  readonly number: number
  state: 'waiting' | 'running' | 'ended'
  /** The fencing token, increased by every claim. */
  fence: Generated<number>
  owner: string | null
  lease_until: Date | null
  /** Claims since the last stored turn. */
  attempts: Generated<number>
  available_at: Date
  /** Since when the run waits for a provider or a forge that is away, and how often it did; null and 0 after a stored turn. */
  waiting_since: Date | null
  waits: Generated<number>
  readonly created_at: Date
  started_at: Date | null
  ended_at: Date | null
  error_code: string | null
  /** How it ended; null until then, after a failure, and on runs of earlier releases. */
  outcome: 'pull_request' | 'no_changes' | 'needs_input' | 'partial' | null
  /** `prepare` sets this and the next columns, up to `branch`, once; null until then. */
  base_branch: string | null
  base_commit: string | null
  start_commit: string | null
  /** The head that the push expects on the job's branch; null: the branch is new. */
  expected_head: string | null
  branch: string | null
  /** JSON: the sources of the run and the commits at which it reads them, `RunSource[]`; null without sources. */
  sources: string | null
  /** JSON: the path policy when `prepare` ended; null on runs of earlier releases. */
  path_policy: string | null
  /** The model's last message. */
  finish: string | null
  /** JSON: the trailers that name people, stored with `finish`. */
  co_authors: string | null
  /** The commit that the run made; null before it, and when nothing changed. */
  commit_id: string | null
  /** JSON: what a reviewer must know about the change; null until it was checked. */
  review: string | null
  /** The part of the usage of the job that is its own; nothing on runs of earlier releases. */
  input_tokens: Generated<number>
  cached_input_tokens: Generated<number>
  output_tokens: Generated<number>
  turns: Generated<number>
  /** US dollars; null after a response of the model whose price is not known. */
  cost_usd: Generated<number | null>
  /** JSON: the hunks that it left out because people had rejected them, `DroppedHunk[]`; null until this is decided. */
  dropped: string | null
  /** JSON: the pull requests of the code that it follows, `CodePulls`; null: it follows no code, or has not asked yet. */
  code_pulls: string | null
  /** JSON: the pages that it was given because readers failed on them, `GivenPage[]`; null: it was given no such page. */
  given_pages: string | null
  /** When the rest of the site is to be checked, because the review is only about what the change affects; null: never. */
  rest_check_after: Date | null
  /** When to look whether the branch can be deleted; null: it was not published, or is done. */
  branch_check_after: Date | null
  /** When its pull request was first seen closed. */
  branch_closed_at: Date | null
}

interface TurnTable {
  readonly run_id: string
  readonly number: number
  /** The messages sent to the model in this turn, in the form of the model interface. */
  readonly input: string
  /** The model's response, unchanged; null until it arrives. */
  answer: string | null
  /** JSON: the attempts at the response that failed after it began, which count as usage; null: no such attempt. */
  failed_attempts: string | null
  /** The results of its tool calls; null until all of them ran. */
  results: string | null
  readonly created_at: Date
}

interface EditTable {
  readonly run_id: string
  readonly turn: number
  readonly path: string
  /** null: the file is deleted. */
  readonly content: Uint8Array | null
  readonly mode: '100644' | '100755'
}

interface EventTable {
  readonly job_id: string
  /** 1, 2, …: the order in which the job's transactions committed. */
  readonly sequence: number
  readonly run_id: string | null
  readonly type: string
  /** JSON. */
  readonly data: string
  readonly created_at: Date
}

interface PullTable {
  readonly project_id: string
  readonly number: number
  readonly job_id: string
  title: string
  /** Begins with the note. */
  body: string
  /** Markdown of the service: why the pull request must be read with care, and the facts. Empty: neither. */
  note: Generated<string>
  facts: Generated<string>
  readonly branch: string
  readonly base: string
  state: 'open' | 'merged' | 'closed'
  /** 128 random bits in the address of the pull request's page. */
  readonly token: string
  base_commit: string
  head_commit: string
  merge_commit: string | null
  readonly created_at: Date
  updated_at: Date
}

/** The changes of the pull requests that runs of automations share, as they were last published. */
interface PublishedHunkTable {
  readonly job_id: string
  /** Hexadecimal: SHA-256 over the path and the lines, see `hunks.ts`. */
  readonly digest: string
  readonly path: string
  /** As JSON. */
  readonly removed: string
  readonly added: string
  readonly created_at: Date
}

interface PullCommentTable {
  readonly id: string
  readonly project_id: string
  readonly number: number
  readonly message_id: string
  readonly path: string
  readonly line: number
  readonly at: 'base' | 'head'
  /** The line when the comment was written. */
  readonly quote: string
  readonly text: string
  /** The name of the person or key. */
  readonly author: string
  readonly created_at: Date
}

interface SaltTable {
  readonly project_id: string
  /** `month:2026-11`, as `src/analytics/window.ts` names them; `visitor-id` for the salt of visitor ids that callers send. */
  readonly window: string
  /** Empty for the salt of page views that are not imported. */
  readonly import_id: Generated<string>
  /** The `salt_window` of page views that it identifies. */
  readonly row_window: Generated<string>
  /** 32 random bytes. Never logged, and never in a response. */
  readonly salt: Uint8Array
  /** null: destroyed with the project. */
  readonly destroy_at: Date | null
  readonly created_at: Generated<Date>
}

/** One row at most: the server that seals windows of visitors. */
interface SealLeaseTable {
  readonly id: number
  holder: string
  until: Date
}

/** The processes that share a database. */
interface ProcessTable {
  readonly id: string
  /** Its role, machine and data directory. */
  readonly name: string
  readonly release: string
  /** JSON: the settings that must be the same in all processes, by variable. */
  readonly settings: string
  seen_at: Date
}

/** One row: salts that are made since then have a `row_window`. */
interface SaltNamingTable {
  since: Date
}

interface ImportTable {
  readonly id: string
  /** Imports of one group share their salts. */
  readonly group_id: string
  readonly project_id: string
  readonly name: string
  /** The command line's fingerprint of the file, which finds an interrupted import again. */
  readonly fingerprint: string
  readonly format: string
  /** The import continues from this position in the file. */
  position: Generated<number>
  accepted: Generated<number>
  rejected: Generated<number>
  readonly created_at: Date
  updated_at: Date
  finished_at: Date | null
}

/** How many page views of browsers in the logs of a day were judged, and how many are probably automated. */
interface AutomatedDayTable {
  readonly project_id: string
  /** As a text in statements; no row is read. */
  readonly day: string
  page_views: number
  judged: number
}

/** Deleted projects whose page views are not deleted yet. */
interface DeletedProjectTable {
  readonly project_id: string
  readonly deleted_at: Generated<Date>
}

/** One row: see `src/time-guard`. */
interface TrustedTimeTable {
  readonly only_row: Generated<boolean>
  trusted_at: Date
  running_ms: number
  seen_at: Date | null
}

export interface Schema
  extends
    ActivitySchema,
    AutomationsSchema,
    HistoriesSchema,
    NotificationsSchema,
    ProjectsSchema,
    PeopleSchema,
    RequestsSchema,
    SecretsSchema {
  jobs: JobTable
  written_texts: WrittenTextTable
  messages: MessageTable
  runs: RunTable
  turns: TurnTable
  edits: EditTable
  pulls: PullTable
  pull_comments: PullCommentTable
  published_hunks: PublishedHunkTable
  events: EventTable
  salts: SaltTable
  salt_naming: SaltNamingTable
  seal_lease: SealLeaseTable
  processes: ProcessTable
  imports: ImportTable
  automated_days: AutomatedDayTable
  deleted_projects: DeletedProjectTable
  trusted_time: TrustedTimeTable
}

export type ProjectRow = Selectable<Schema['projects']>
export type KeyRow = Selectable<Schema['keys']>
export type SiteRow = Selectable<Schema['sites']>
export type SegmentRow = Selectable<Schema['segments']>
export type SourceRow = Selectable<Schema['sources']>
export type EventRow = Selectable<EventTable>
export type JobRow = Selectable<JobTable>
export type MentionRow = Selectable<Schema['mentions']>
export type MessageRow = Selectable<MessageTable>
export type RunRow = Selectable<RunTable>
export type TurnRow = Selectable<TurnTable>
export type TrustedTimeRow = Selectable<TrustedTimeTable>
export type PullRow = Selectable<PullTable>
export type PullCommentRow = Selectable<PullCommentTable>
