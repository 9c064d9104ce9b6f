// The tables of projects, with their settings, of their sites, and of the sources that they read.

import type { Generated } from 'kysely'

interface ProjectTable {
  readonly id: string
  name: string
  repository: string
  /** The address of the fork that has the branches of jobs; null: the repository itself has them. */
  fork: string | null
  /** null: the remote's default branch, looked up for every run. */
  branch: string | null
  /** `provider/model`; null: the service's own setting. */
  model: string | null
  /** The models that a job may choose, besides the default. */
  models: Generated<readonly string[]>
  /** JSON: the project's budgets, each at most the service's. The service's budget applies where one is missing. */
  budget: Generated<string>
  /** JSON: the globs of paths that a job may change. */
  path_policy: Generated<string>
  /** An IANA name; the days of the project's statistics begin in this zone. */
  time_zone: Generated<string>
  /** `strict`: of a page view, only its page, class and a visitor of the day are kept. */
  privacy: Generated<'standard' | 'strict'>
  visitor_window: Generated<'day' | 'week' | 'month' | 'never'>
  collection_source: Generated<'browser' | 'server' | 'both'>
  retention_months: Generated<number>
  signal_retention_days: Generated<number>
  /** The dimensions that are not kept of page views. */
  dimensions_off: Generated<readonly ('country' | 'language' | 'device' | 'browser' | 'os' | 'campaign' | 'title')[]>
  /** JSON: the class of each category that the project changed. The default applies to the others. */
  categories: Generated<string>
  unverified_ai_agents: Generated<'count' | 'ignore'>
  /** JSON: how pull requests are opened. */
  pull_request: Generated<string>
  /** JSON: the first and the last line of commits, and their author. */
  commit: Generated<string>
  /** JSON: the rules by which the host refused a push. null: no such rule is known. */
  learned_rules: Generated<string | null>
  /** Whom commits of jobs name as co-authors. */
  co_authors: Generated<'people' | 'nobody' | 'private'>
  on_budget_end: Generated<'keep' | 'publish'>
  /** Where comments on the forge that call Docent become messages and jobs. */
  mentions: Generated<'pull_requests' | 'everywhere' | 'off'>
  /** Whether the newest release of the repository gets a commit status. */
  release_status: Generated<boolean>
  /** JSON: how changes are checked. */
  checks: Generated<string>
  /** JSON: how much all automations together may start in a day. */
  automation_caps: Generated<string>
  /** JSON: how long the transcripts of jobs are kept. */
  transcripts: Generated<string>
  /** JSON: the pages outside of the repository that jobs may read. */
  pages: Generated<string>
  /** The first host that lines without one got. null: they got no host yet. */
  line_host: Generated<string | null>
  readonly created_at: Date
  updated_at: Date
}

interface SiteTable {
  readonly id: string
  readonly project_id: string
  name: string
  /** Origins whose pages may send page views, such as `https://docs.example.com`. */
  origins: string[]
  /** Whether Global Privacy Control and Do Not Track are honoured. */
  honours_opt_out: Generated<boolean>
  readonly created_at: Date
  updated_at: Date
}

interface SourceTable {
  readonly id: string
  readonly project_id: string
  /** Unique in the project. */
  name: string
  repository: string
  /** null: the remote's default branch. */
  branch: string | null
  /** JSON: the globs of the files that can be read; empty: all files. */
  paths: Generated<string>
  /** Whether people outside of the team commit to it without a review. */
  outsiders_commit: Generated<boolean>
  /** Whether the newest release gets a commit status: the only thing that is ever written to a source. */
  release_status: Generated<boolean>
  /** JSON: what the last check found. null: the repository or the credential changed after it. */
  access: string | null
  readonly created_at: Date
  updated_at: Date
}

interface SegmentTable {
  readonly id: string
  readonly project_id: string
  readonly name: string
  /** JSON: the filters, as `analytics/counts/query/filters.ts` has them. */
  readonly filters: string
  readonly created_at: Date
}

export interface ProjectsSchema {
  projects: ProjectTable
  segments: SegmentTable
  sites: SiteTable
  sources: SourceTable
}
