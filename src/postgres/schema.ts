// The tables of the jobs database as Kysely sees them. The migrations make them; this page only types them.
// JSON that must come back byte for byte stands in `text` columns: it may hold \u0000 and lone surrogates.

import type { Generated, Selectable } from 'kysely'

interface ProjectTable {
  readonly id: string
  name: string
  repository: string
  /** null: the remote's default branch, asked at every run. */
  branch: string | null
  /** `provider/model`; null: the service's own setting. */
  model: string | null
  /** JSON: budgets of the project, each at most the service's; what is missing is the service's. */
  budget: Generated<string>
  /** JSON: the globs of paths that a job may change. */
  path_policy: Generated<string>
  /** IANA name: the days that visitors are counted in. */
  time_zone: Generated<string>
  visitor_window: Generated<'day' | 'week' | 'month' | 'never'>
  collection_source: Generated<'browser' | 'server' | 'both'>
  retention_months: Generated<number>
  signal_retention_days: Generated<number>
  /** JSON: what each category counts as where the project says so; what is missing is the default. */
  categories: Generated<string>
  unverified_ai_agents: Generated<'count' | 'ignore'>
  readonly created_at: Date
  updated_at: Date
}

interface SiteTable {
  readonly id: string
  readonly project_id: string
  name: string
  /** `https://docs.example.com`: where its pages may send page views from. */
  origins: string[]
  /** Are Global Privacy Control and Do Not Track honoured? */
  honours_opt_out: Generated<boolean>
  readonly created_at: Date
  updated_at: Date
}

interface KeyTable {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key, hexadecimal. The key itself is nowhere. */
  readonly digest: string
  readonly hint: string
  readonly scope: 'read' | 'write' | 'admin'
  /** null: all projects. */
  readonly project_ids: string[] | null
  readonly created_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
  /** null: never. */
  expires_at: Date | null
  /** Addresses and CIDRs; null: from anywhere. */
  readonly allowed_addresses: string[] | null
  /** The key that a rotation made in its place. */
  replaced_by: string | null
}

interface IdempotencyTable {
  readonly principal: string
  readonly key: string
  readonly request_hash: string
  readonly answer: string
  readonly created_at: Date
}

interface JobTable {
  readonly id: string
  readonly project_id: string
  /** Order of creation; what the list's cursor holds. */
  readonly ordinal: Generated<number>
  status: 'active' | 'completed' | 'failed' | 'archived'
  phase: 'queued' | 'preparing' | 'editing' | 'checking' | 'publishing' | null
  /** The project's, when the job last became active. */
  repository: string
  branch: string
  /** 1 for the first branch; grows when a pull request was merged or closed before a follow-up. */
  branch_number: Generated<number>
  /** The model of the last run. */
  model: string
  outcome: 'pull_request' | 'no_changes' | null
  error_code: string | null
  error_message: string | null
  pull_number: number | null
  pr_link: string | null
  /** The job's branch as last published, and the commit of the base branch that it is shown against. */
  base_commit: string | null
  head_commit: string | null
  input_tokens: Generated<number>
  output_tokens: Generated<number>
  turns: Generated<number>
  /** US dollars; null once an answer came whose price is not known. */
  cost_usd: Generated<number | null>
  /** The sequence of its newest event. */
  last_event: Generated<number>
  /** Raised with every change of what the API shows: the ETag. */
  version: Generated<number>
  readonly created_at: Date
  updated_at: Date
  archived_at: Date | null
  /** null on an archived job: before this column existed, the service. */
  archived_by: 'person' | 'service' | null
}

interface MessageTable {
  readonly id: string
  readonly job_id: string
  readonly ordinal: Generated<number>
  /** As JSON: PGlite's decoder drops a U+FEFF at the beginning of a text. */
  readonly prompt: string
  /** null while it waits; then the run that gave it to the model. */
  run_id: string | null
  readonly created_at: Date
}

interface RunTable {
  readonly id: string
  readonly job_id: string
  readonly number: number
  state: 'waiting' | 'running' | 'ended'
  /** Raised by every claim: the fencing token. */
  fence: Generated<number>
  owner: string | null
  lease_until: Date | null
  /** Claims since the last stored turn. */
  attempts: Generated<number>
  available_at: Date
  readonly created_at: Date
  started_at: Date | null
  ended_at: Date | null
  error_code: string | null
  /** What `prepare` decided, once: null until then. */
  base_branch: string | null
  base_commit: string | null
  start_commit: string | null
  /** The head that the push expects on the job's branch; null: the branch is new. */
  expected_head: string | null
  branch: string | null
  /** What the model said when it finished. */
  finish: string | null
  /** What `commit` made; null until then, and when there was nothing to commit. */
  commit_id: string | null
}

interface TurnTable {
  readonly run_id: string
  readonly number: number
  /** Messages given to the model with this turn, as the model boundary has them. */
  readonly input: string
  /** The model's answer, unchanged; null while it is asked. */
  answer: string | null
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

/** The columns are those that rate-limiter-flexible writes. */
interface RateLimitTable {
  readonly key: string
  points: number
  /** Milliseconds since 1970. */
  expire: number | null
}

interface PullTable {
  readonly project_id: string
  readonly number: number
  readonly job_id: string
  title: string
  body: string
  readonly branch: string
  readonly base: string
  state: 'open' | 'merged' | 'closed'
  /** 128 bits, in the address of its page. */
  readonly token: string
  base_commit: string
  head_commit: string
  merge_commit: string | null
  readonly created_at: Date
  updated_at: Date
}

interface SaltTable {
  readonly project_id: string
  /** `month:2026-11`, as `src/analytics/window.ts` names them; `visitor-id`: the key of the callers' own words. */
  readonly window: string
  /** Empty: of page views that come as they happen. */
  readonly import_id: Generated<string>
  /** 32 random bytes. In no log, no answer. */
  readonly salt: Uint8Array
  /** null: it lives as long as the project. */
  readonly destroy_at: Date | null
  readonly created_at: Generated<Date>
}

interface ImportTable {
  readonly id: string
  /** Imports of one group share their salts. */
  readonly group_id: string
  readonly project_id: string
  readonly name: string
  /** Of the file, as the command line made it: an import that was interrupted is found again by it. */
  readonly fingerprint: string
  readonly format: string
  /** What is behind it in the file was not taken yet. */
  position: Generated<number>
  accepted: Generated<number>
  rejected: Generated<number>
  readonly created_at: Date
  updated_at: Date
  finished_at: Date | null
}

/** Projects whose page views are still to be deleted. */
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

export interface Schema {
  projects: ProjectTable
  sites: SiteTable
  keys: KeyTable
  idempotency: IdempotencyTable
  jobs: JobTable
  messages: MessageTable
  runs: RunTable
  turns: TurnTable
  edits: EditTable
  pulls: PullTable
  events: EventTable
  rate_limits: RateLimitTable
  salts: SaltTable
  imports: ImportTable
  deleted_projects: DeletedProjectTable
  trusted_time: TrustedTimeTable
}

export type ProjectRow = Selectable<ProjectTable>
export type KeyRow = Selectable<KeyTable>
export type SiteRow = Selectable<SiteTable>
export type EventRow = Selectable<EventTable>
export type JobRow = Selectable<JobTable>
export type MessageRow = Selectable<MessageTable>
export type RunRow = Selectable<RunTable>
export type TurnRow = Selectable<TurnTable>
export type TrustedTimeRow = Selectable<TrustedTimeTable>
export type PullRow = Selectable<PullTable>
