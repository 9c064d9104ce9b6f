// The tables of automations and of their runs.

import type { Generated, Selectable } from 'kysely'

interface AutomationTable {
  readonly id: string
  readonly project_id: string
  /** Unique in the project. */
  name: string
  /** `custom`, or the name of a ready-made one. */
  readonly kind: Generated<string>
  /** JSON: the switches of the kind. */
  options: Generated<string>
  /** JSON: what starts it, `Trigger`. */
  trigger: string
  /** As JSON, like the messages of jobs. */
  instructions: string
  /** JSON: the names of the sources that its jobs need; null: all of the project. */
  sources: string | null
  /** JSON: the globs of the paths that its jobs may change; empty: all that the project allows. */
  scope: string
  /** null: that of the project. */
  model: string | null
  /** JSON: the budgets of a run, each at most the project's. */
  budgets: string
  update_mode: 'pull_request' | 'draft' | 'merge'
  /** Whether `merge` also holds for a commit on which no check of the forge appears. */
  merge_without_checks: Generated<boolean>
  grouping: Generated<'one' | 'each'>
  /** JSON: how much it may start in a day. */
  caps: string
  enabled: boolean
  /** Why it paused itself; null if it is on, or a person paused it. */
  paused_because: string | null
  /** When it was last turned on again; null: never. */
  resumed_at: Date | null
  /** Encrypted: the secret that signs its events; null without the trigger `event`. */
  event_secret: string | null
  /** Nothing starts from then on; null: never. */
  ends_at: Date | null
  /** The next time that its schedule names; null: nothing is due. */
  next_slot: Date | null
  /** The slot and the spread of the automation: the run is due. */
  next_run_at: Date | null
  /** The zone in which `next_slot` was found. */
  slot_zone: string | null
  readonly created_at: Date
  updated_at: Date
}

interface AutomationRunTable {
  readonly id: string
  readonly automation_id: string
  /** The order in which they were added. */
  readonly ordinal: Generated<number>
  readonly trigger: 'schedule' | 'person' | 'event' | 'docs' | 'code'
  /** The time that the schedule named, once for each automation; null for other triggers. */
  readonly slot: Date | null
  /** The id that the sender gave the event, once for each automation; null for other triggers, and for an event without one. */
  readonly event_id: string | null
  /** The name of the person or key that asked for it; null for a schedule, and for a signed event. */
  readonly started_by: string | null
  /** The message that the run is: the run of the job that takes it has its state. null: it sent no message, or an earlier release sent the first one of the job. */
  message_id: string | null
  /** The job of the message, also after that moved to another one; null: it sent no message. */
  readonly job_id: string | null
  /** How a run without a message ended. */
  readonly ended_as: 'failed' | 'skipped' | 'capped' | null
  readonly reason: string | null
  /** JSON: the commits that it was given, `CommitRange[]`. */
  readonly ranges: Generated<string>
  /** 1, or 2 if an automation published what started it. What such a run publishes starts nothing. */
  readonly generation: Generated<number>
  /** The signed-in person who asked for a run that waits. */
  readonly person_id: string | null
  /** JSON: what came with a run that waits, `EventData`. */
  readonly data: string | null
  /** JSON: what a model used that saw skipped commits, in a run without a job. */
  readonly usage: string | null
  /** It ended with a question to a person, who has not answered yet. */
  has_question: Generated<boolean>
  /** When its end was seen, and what follows from it was stored; null: it waits, or its job was active at the last look. */
  readonly settled_at: Date | null
  readonly created_at: Date
}

/** A repository that automations follow: one look serves all of them. */
interface FollowedRepositoryTable {
  /** The id of its mirror: that of the source, or of the project. */
  readonly repository_id: string
  readonly project_id: string
  /** null: the repository of the documentation. */
  readonly source_id: string | null
  /** The newest commit of the branch at the last look. */
  head: string | null
  looked_at: Date | null
  look_after: Date
  claimed_until: Date | null
  /** JSON: `PollError`, why the last look failed. */
  error: string | null
  /** JSON: the head that the API of the host confirmed last, with its ETags; null: it confirmed no head. */
  confirmed: string | null
  /** The API of the host gave no answer, and is not asked before; null: it may be asked. */
  ask_host_after: Date | null
  /** When git read the head last; null: it has to, or never did. */
  git_looked_at: Date | null
}

/** How far an automation has come on the branch that starts it. */
interface AutomationPositionTable {
  readonly automation_id: string
  repository_id: string
  repository: string
  branch: string
  /** The name of the commit after which it begins, until it is found; null: the head. */
  since: string | null
  /** It begins after this one; null: not known yet. */
  first_commit: string | null
  /** Up to here, the commits have rows. */
  head_commit: string | null
  /** Failed runs in a row for which the commits are not to blame. */
  away: Generated<number>
  /** The next run takes so many commits at most; null: all. */
  take: number | null
  /** When the commits that wait are due; null: they are not. */
  take_after: Date | null
  /** A process takes them until then, or could not read them; null: no process does. */
  retry_after: Date | null
  /** A fact that people should know, such as that the branch was rewritten. */
  note: string | null
  /** The newest commit of the branch that has a tag; null: no commit has one. */
  tagged_commit: string | null
  /** When the tags of the branch were read; null: they were not. */
  tagged_at: Date | null
  /** The tagged commit for which a model saw the skipped commits last; null: there was no such one. */
  triage_tag: string | null
  /** No model sees skipped commits before; null: at once. */
  triage_after: Date | null
}

interface AutomationCommitTable {
  readonly automation_id: string
  readonly commit: string
  /** The order on the branch. */
  readonly ordinal: Generated<number>
  /** The first one; null: it has no parent. */
  readonly parent: string | null
  readonly subject: string
  readonly author: string
  readonly committed_at: Date
  /** JSON: the numbers that its message names. */
  readonly pull_requests: Generated<string>
  state: 'waiting' | 'in_run' | 'skipped' | 'set_aside' | 'rejected'
  /** Somebody asked for it, so it is not judged again. */
  is_wanted: Generated<boolean>
  /** When a person asked for it; null: nobody did. */
  asked_at: Date | null
  /** When a model saw it among the skipped ones; null: it did not. */
  triaged_at: Date | null
  /** 0: people published it. Otherwise that of the run of an automation that did. */
  readonly generation: Generated<number>
  /** The run of the automation that has it, or had it last. */
  run_id: string | null
  /** From 0 to 1: how likely it concerns the docs; null: not judged. */
  score: number | null
  reason: string | null
  /** When it was no longer in the history of the branch; null: it is. */
  left_at: Date | null
  readonly seen_at: Date
  decided_at: Date | null
}

/** The newest release of a repository that automations follow, and what its commit status says. */
interface ReleaseStatusTable {
  readonly repository_id: string
  /** The tagged one. */
  readonly commit: string
  readonly tag: string
  /** The tag of the release before; null: there is no earlier one. */
  readonly since: string | null
  /** JSON: its changes by first parents, the newest 10,000 of them. */
  readonly commits: string
  /** How many changes it has. */
  readonly length: number
  readonly seen_at: Date
  /** As the status was said last; null: nothing was said yet. */
  state: 'success' | 'failure' | 'pending' | null
  text: string | null
  said_at: Date | null
  /** Why the host refused the last one; null: it did not. */
  refusal: string | null
  /** The version of the credential that was refused; null: there was no refusal, or no credential. */
  refused_credential: Date | null
  /** When the changes are counted again. */
  try_after: Date
}

/** One row for each commit of a repository that automations with the trigger `code` follow. Triggers of the database keep it. */
interface LedgerCommitTable {
  readonly project_id: string
  /** As in `automation_positions`. */
  readonly repository_id: string
  readonly commit: string
  readonly committed_at: Date
  /** The order of commits of one time: that of the row that came first. */
  readonly ordinal: number
  /** The automation whose row has this state. */
  readonly automation_id: string
  /** The best one that any of the automations reached. */
  readonly state: 'documented' | 'skipped' | 'waiting' | 'rejected' | 'set_aside'
  /** Skipped by its score alone: no model was asked. */
  readonly is_saved: boolean
}

/** A commit that the service may merge, as long as it is the head of the pull request of the job. */
interface MergeTable {
  readonly job_id: string
  readonly head_commit: string
  /** `asked` is stored before the forge is asked, and stays unless the forge says no. That it was merged is in the job. */
  state: 'waiting' | 'asked' | 'refused'
  /** When the service first found it at the head. */
  readonly seen_at: Date
  /** When the forge was last asked; null: never. */
  asked_at: Date | null
  /** How often the forge said no, and why the last time. */
  refusals: Generated<number>
  refusal: string | null
  /** The next look at one of Docent's own pull requests; null for those on forges, which are polled. */
  look_after: Date | null
}

export interface AutomationsSchema {
  automations: AutomationTable
  automation_runs: AutomationRunTable
  automation_positions: AutomationPositionTable
  automation_commits: AutomationCommitTable
  followed_repositories: FollowedRepositoryTable
  release_statuses: ReleaseStatusTable
  ledger_commits: LedgerCommitTable
  merges: MergeTable
}

export type AutomationRow = Selectable<AutomationTable>
export type AutomationRunRow = Selectable<AutomationRunTable>
export type PositionRow = Selectable<AutomationPositionTable>
export type AutomationCommitRow = Selectable<AutomationCommitTable>
export type FollowedRow = Selectable<FollowedRepositoryTable>
export type ReleaseStatusRow = Selectable<ReleaseStatusTable>
export type MergeRow = Selectable<MergeTable>
