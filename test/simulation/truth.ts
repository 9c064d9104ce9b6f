// The knowledge of the simulation itself, because it ended the runs and acted for people: which commits each run was given, how it ended, and
// what became of its pull request. The states of the ledger follow from it, without a question to the code under test.

import type { LedgerState } from '../../src/automations/ledger/states.ts'
import type { Commit, History } from './history.ts'
import type { Slots } from './slots.ts'

/** `away`: something is missing that every run needs. */
export type End = 'pull_request' | 'no_changes' | 'question' | 'failed' | 'away' | 'cancelled'

export type Run = {
  readonly id: string
  readonly automation: Automation
  /** The one that has its message now. */
  job: string
  /** In the order of the branch. */
  readonly commits: readonly string[]
  readonly at: Date
  end: End | undefined
  /** A person has answered its question, and the job has not ended since. */
  isAnswered: boolean
  costUsd: number
}

/** `since`: when its first run began. */
export type Pull = { readonly number: number; state: 'open' | 'merged' | 'closed'; readonly since: Date; runs: number }

export type Automation = {
  readonly id: string
  readonly name: string
  /** Undefined: it follows no branch. */
  readonly follows: History | undefined
  /** Whether commits are compared with the pages first. */
  readonly isJudged: boolean
  /** The beginnings of the paths that count; empty: all. */
  readonly paths: readonly string[]
  readonly grouping: 'one' | 'each'
  readonly caps: { readonly runsPerDay: number; readonly costUsdPerDay: number }
  readonly slots: Slots | undefined
  isOn: boolean
}

export type Job = { readonly automation: Automation; pull: Pull | undefined; generation: number }

export type Truth = {
  readonly automations: Automation[]
  readonly runs: readonly Run[]
  readonly jobs: ReadonlyMap<string, Job>
  begin(run: Run): void
  /** Its message is in another job now. */
  move(run: Run, job: string): void
  /** Those of an automation that had the commit, the oldest first. */
  runsWith(automation: Automation, commit: string): readonly Run[]
  /** A person wants a run for it. */
  ask(automation: Automation, commit: Commit): void
  publish(commit: Commit): void
  /** The states that are right. */
  statesOf(automation: Automation, commit: Commit): readonly LedgerState[]
  /** Why a commit must not start the automation. */
  startsNothing(automation: Automation, commit: Commit): string | undefined
}

export function createTruth(): Truth {
  const automations: Automation[] = []
  const runs: Run[] = []
  const jobs = new Map<string, Job>()
  const withCommit = new Map<string, Run[]>()
  /** By automation and commit: how many runs it had when a person asked. */
  const asked = new Map<string, number>()
  const askedChores: { readonly automation: Automation; readonly commit: string }[] = []
  const published = new Map<string, { readonly automation: Automation; readonly generation: number }>()
  const keyOf = (automation: Automation, commit: string) => `${automation.id} ${commit}`
  const runsWith = (automation: Automation, commit: string) => withCommit.get(keyOf(automation, commit)) ?? []

  function startsNothing(automation: Automation, commit: Commit): string | undefined {
    const by = published.get(commit.id)
    if (by?.automation === automation) return 'it published the commit itself'
    if (by !== undefined && by.generation > 1) return 'an automation that was started by one published the commit'
    const { paths } = automation
    const isFollowed = paths.length === 0 || commit.paths.some((path) => paths.some((start) => path.startsWith(start)))
    return isFollowed ? undefined : 'it changes no file that counts'
  }

  /** The run before, with the same commit alone, failed as well. */
  function isSecond(run: Run): boolean {
    const before = runs.filter((one) => one.automation === run.automation && one.end !== 'away')
    const previous = before[before.indexOf(run) - 1]
    const isAlone = run.commits.length === 1 && previous?.commits.length === 1
    return isAlone && previous.end === 'failed' && previous.commits[0] === run.commits[0]
  }

  /** Somebody wanted a chore documented and merged that: the threshold of the repository may be that of chores since. */
  function isLowered({ follows }: Automation): boolean {
    const isMerged = ({ job }: Run) => jobs.get(job)?.pull?.state === 'merged'
    return askedChores.some(
      (one) => one.automation.follows === follows && runsWith(one.automation, one.commit).some(isMerged),
    )
  }

  function afterRun(run: Run): LedgerState {
    if (run.end === 'no_changes') return 'skipped'
    if (run.end === 'cancelled') return 'set_aside'
    if (run.end === 'failed') return isSecond(run) ? 'set_aside' : 'waiting'
    if (run.end !== 'pull_request') return 'waiting'
    return jobs.get(run.job)?.pull?.state === 'closed' ? 'rejected' : 'documented'
  }

  return {
    automations,
    runs,
    jobs,
    runsWith,
    startsNothing,
    begin: (run) => {
      runs.push(run)
      for (const commit of run.commits) {
        const key = keyOf(run.automation, commit)
        withCommit.set(key, [...(withCommit.get(key) ?? []), run])
      }
      const of = run.commits.map((commit) => published.get(commit)?.generation ?? 0)
      const generation = 1 + Math.max(0, ...of)
      const job = jobs.get(run.job) ?? { automation: run.automation, pull: undefined, generation }
      job.generation = Math.max(job.generation, generation)
      jobs.set(run.job, job)
    },
    move: (run, job) => {
      const generation = jobs.get(run.job)?.generation ?? 1
      run.job = job
      if (!jobs.has(job)) jobs.set(job, { automation: run.automation, pull: undefined, generation })
    },
    ask: (automation, { id: commit, kind }) => {
      asked.set(keyOf(automation, commit), runsWith(automation, commit).length)
      if (kind === 'chore') askedChores.push({ automation, commit })
    },
    publish: ({ id, job: jobId }) => {
      const job = jobs.get(jobId ?? '')
      if (job) published.set(id, { automation: job.automation, generation: job.generation })
    },
    statesOf: (automation, commit) => {
      const had = runsWith(automation, commit.id)
      const last = had.at(-1)
      if (asked.get(keyOf(automation, commit.id)) === had.length) return ['waiting']
      if (last) return [afterRun(last)]
      if (startsNothing(automation, commit) !== undefined) return ['skipped']
      if (!automation.isJudged || commit.kind === 'feature') return ['waiting']
      return commit.kind === 'hidden' || isLowered(automation) ? ['skipped', 'waiting'] : ['skipped']
    },
  }
}
