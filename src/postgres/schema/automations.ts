// The tables of automations and of their runs.

import type { Generated, Selectable } from 'kysely'

interface AutomationTable {
  readonly id: string
  readonly project_id: string
  /** Unique in the project. */
  name: string
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
  update_mode: 'pull_request' | 'draft'
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
  readonly trigger: 'schedule' | 'person' | 'event'
  /** The time that the schedule named, once for each automation; null for other triggers. */
  readonly slot: Date | null
  /** The id that the sender gave the event, once for each automation; null for other triggers, and for an event without one. */
  readonly event_id: string | null
  /** The name of the person or key that asked for it; null for a schedule, and for a signed event. */
  readonly started_by: string | null
  /** The message that the run is: the run of the job that takes it has its state. null: it sent no message, or an earlier release sent the first one of the job. */
  message_id: string | null
  /** The job of the message; null: it sent no message. */
  readonly job_id: string | null
  /** How a run without a message ended. */
  readonly ended_as: 'failed' | 'skipped' | 'capped' | null
  readonly reason: string | null
  readonly created_at: Date
}

export interface AutomationsSchema {
  automations: AutomationTable
  automation_runs: AutomationRunTable
}

export type AutomationRow = Selectable<AutomationTable>
export type AutomationRunRow = Selectable<AutomationRunTable>
