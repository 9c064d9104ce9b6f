// Follows branches until the signal is aborted: loops poll them, settle runs that have ended, start new ones, show skipped commits to
// a model, and set the commit statuses of releases, each for itself, so that a slow host delays nothing else.

import { sql } from 'kysely'
import type { ReadUpkeepTime } from '../../lib/clock.ts'
import { createPause, type Pause } from '../../postgres/pause.ts'
import { forgetRuns } from '../runs/forget.ts'
import { type SettleOptions, settleRuns } from '../runs/settle.ts'
import { lookAtBranches, type LookOptions } from './look.ts'
import { triageSkipped, type TriageOptions } from '../ledger/triage.ts'
import { sayReleases, type SayOptions } from '../releases/say.ts'
import { takeCommits, type TakeOptions } from './take.ts'

export type FollowOptions = Omit<LookOptions & SayOptions, 'now'> &
  SettleOptions &
  TakeOptions &
  TriageOptions & {
    /** Between two looks; `branchesChannel` wakes it. */
    readonly pause: Pause
    /** Decides the age of old runs. */
    readonly upkeepTime: ReadUpkeepTime
  }

/** How long something may be due before it is found. */
const lookingMs = 5_000
const triageMs = 60_000
const forgettingMs = 3_600_000

/** Every other process that claimed a branch or commits is dead. */
export async function freeFollowed(db: FollowOptions['db']): Promise<void> {
  await sql`/* automations.free */ update followed_repositories set claimed_until = null, look_after = now()
    where claimed_until is not null`.execute(db)
  await db.updateTable('automation_positions').set({ retry_after: null }).execute()
}

/** Logs what fails and continues. */
export async function keepFollowing(options: FollowOptions): Promise<void> {
  const { clock, log, signal, pause } = options
  const now = () => clock.now()
  const repeat = async (work: () => Promise<void>, pauseMs = lookingMs, between = createPause()) => {
    while (!signal.aborted) {
      await work().catch((error: unknown) => log.error({ err: error }, 'automations could not follow their branches'))
      await between.wait(clock, pauseMs, signal)
    }
  }
  const taking = createPause()
  const look = async () => {
    await lookAtBranches({ ...options, now })
    taking.wake()
  }
  await Promise.all([
    repeat(look, lookingMs, pause),
    repeat(() => settleRuns(options)),
    repeat(() => takeCommits(options), lookingMs, taking),
    repeat(() => triageSkipped(options), triageMs),
    repeat(() => sayReleases({ ...options, now })),
    repeat(() => forgetRuns(options.db, options.upkeepTime), forgettingMs),
  ])
}
