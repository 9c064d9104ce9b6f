// A job's states, as pure functions. Nothing here touches a store.
//
//   create ─► active ─► completed ─► archived
//               │ ▲         │            ▲
//               │ └─message─┤            │
//               ▼           │            │
//             failed ───────┴────────────┘
//
// An archived job takes a message only when the service archived it for idleness; then it is active again.
//
// `active` covers waiting and running: every active job has a waiting run or a run with a live lease.
// A message to an active job waits for the next turn; to a completed or failed one it starts the next run.

import { Failure } from '../lib/failure.ts'

export type JobStatus = 'active' | 'completed' | 'failed' | 'archived'
export type Phase = 'queued' | 'preparing' | 'editing' | 'checking' | 'publishing'
/** Archived by a person is final; archived by the service, for idleness, is not. */
export type Archiver = 'person' | 'service'
/** `needs_input`: the last run asked a question. `partial`: it ended at a budget, and its part is published. */
export type Outcome = 'pull_request' | 'no_changes' | 'needs_input' | 'partial'

/** The words of the agent at the end of the last run. */
export type JobResult = {
  readonly kind: 'change' | 'no_change' | 'question'
  /** One line. */
  readonly title: string
  /** Whole, at most `maxResultText` UTF-16 code units. */
  readonly text: string
  /** The answer to a person beside a change. The pull request and its commits never have it. */
  readonly reply: string | null
}

/** Returns a stored result. Earlier releases stored no reply. */
export function readResult(stored: Omit<JobResult, 'reply'> & Partial<JobResult>): JobResult {
  return { ...stored, reply: stored.reply ?? null }
}

export const maxResultText = 50_000

const maxWaitingMessages = 10
export const maxPromptCharacters = 50_000

/** The effect of a message on a job in this state. Throws `job_archived` and `too_many_messages`. */
export function onMessage(
  { status, archivedBy }: { readonly status: JobStatus; readonly archivedBy: Archiver | null },
  waiting: number,
): 'joins the active run' | 'starts a run' {
  if (archivedBy === 'person') throw new Failure('job_archived', 'The job is archived and takes no more messages.')
  // Waiting messages of a failed job are taken along by this message.
  if (status === 'active' && waiting >= maxWaitingMessages) {
    throw new Failure(
      'too_many_messages',
      `${maxWaitingMessages} messages are already waiting; the agent takes them soon.`,
      {
        retryAfter: 5,
      },
    )
  }
  return status === 'active' ? 'joins the active run' : 'starts a run'
}

/** Throws `job_not_active` for a job that cannot be cancelled. */
export function onCancel(status: JobStatus): void {
  if (status !== 'active') throw new Failure('job_not_active', `The job is ${status}: there is nothing to cancel.`)
}

/** The effect of archiving on a job in this state. Throws `job_active`. */
export function onArchive(status: JobStatus): 'archives' | 'nothing' {
  if (status === 'active') throw new Failure('job_active', 'The job is active; wait until it is completed or failed.')
  return status === 'archived' ? 'nothing' : 'archives'
}

/** The effect of a completed run on its job. */
export function onRunCompleted(waiting: number): 'completes' | 'starts the next run' {
  return waiting > 0 ? 'starts the next run' : 'completes'
}

/** `<prefix><jobId>`, then `<prefix><jobId>-2` and so on when a pull request ended before a follow-up. */
export function branchName(prefix: string, jobId: string, branchNumber: number): string {
  return branchNumber === 1 ? `${prefix}${jobId}` : `${prefix}${jobId}-${branchNumber}`
}
