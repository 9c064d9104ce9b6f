// Ends runs as a script says, in the place of a model and a forge: a pull request, no change, a question, a failure, a cancelled job, or
// a worker that dies with the run.

import { cancelJob } from '../../src/jobs/cancel.ts'
import { assignContributions, loadWaiting } from '../../src/jobs/appends/contribution.ts'
import { settle } from '../../src/jobs/queue/settle.ts'
import { settleJob } from '../../src/jobs/run/ends/settle-job.ts'
import { Failure } from '../../src/lib/failure.ts'
import { claimNext, completeRun, toLeased } from '../support/database.ts'
import type { Random } from '../support/random.ts'
import type { End, Run } from './truth.ts'
import type { World } from './world.ts'

const pull = {
  forge: 'github',
  state: 'open',
  draft: false,
  mergedAt: null,
  base: 'main',
  head: 'a'.repeat(40),
} as const
const change = { kind: 'change', title: 'Say more', summary: 'It says more.' } as const

const costUsd = 0.25

/** How many of 100 runs end so. */
const shares: readonly (readonly [End, number])[] = [
  ['pull_request', 50],
  ['no_changes', 20],
  ['failed', 12],
  ['question', 8],
  ['cancelled', 5],
  ['away', 5],
]

function chooseEnd(random: Random): End {
  let at = random.int(100)
  for (const [end, share] of shares) if ((at -= share) < 0) return end
  return 'no_changes'
}

/** Claims the run that has waited longest, and ends it. Returns false if no run waits. `end` undefined: as the script says. */
export async function endOne(world: World, random: Random, end: End = chooseEnd(random)): Promise<boolean> {
  const { db, context, projectId, truth } = world
  const run = await claimNext(db)
  if (!run) return false
  // The worker dies; its lease ends after ten minutes.
  if (random.chance(0.02)) return true
  const { job_id: jobId } = run
  const of = truth.runs.filter(({ job }) => job === jobId)
  const begun = of.findLast((one) => one.end === undefined) ?? of.findLast((one) => one.isAnswered)
  if (!begun) throw new Error(`no automation began the run of ${jobId}`)
  const isAnswer = begun.end !== undefined
  begun.end = end
  for (const one of of) {
    // A cancelled run has not taken the contributions that wait, so it was that of the answer.
    if (end === 'cancelled' && one.isAnswered) one.end = end
    one.isAnswered = false
  }
  if (end === 'cancelled') {
    await cancelJob(context, projectId, jobId)
    return true
  }
  await db.transaction().execute(async (trx) => assignContributions(trx, run.id, await loadWaiting(trx, jobId)))
  // An answer is a message of a person, which does not count for the caps.
  if (!isAnswer) begun.costUsd = costUsd
  await db.updateTable('runs').set({ cost_usd: costUsd }).where('id', '=', run.id).execute()
  const leased = toLeased(db, run)
  if (end === 'failed') await settle(leased, new Failure('model_refused', 'The script said so.'), settleJob)
  else if (end === 'away') await settle(leased, new Failure('model_not_configured', 'No key.'), settleJob)
  else await complete(world, leased, begun, end)
  return true
}

async function complete(world: World, leased: ReturnType<typeof toLeased>, begun: Run, end: End): Promise<void> {
  const { db, truth } = world
  const { id: runId, job_id: jobId } = leased.run
  const job = truth.jobs.get(jobId)
  if (!job) throw new Error(`${jobId} is a job of an automation`)
  if (end === 'question') {
    return await completeRun(leased, { finish: { kind: 'question', question: 'Which one?' }, change: null })
  }
  const isOpen = job.pull?.state === 'open'
  if (end === 'pull_request') {
    job.pull = isOpen && job.pull ? job.pull : { number: world.nextNumber(), state: 'open', since: begun.at, runs: 0 }
    job.pull.runs += 1
  } else if (!isOpen) return await completeRun(leased)
  const branch = `docent/${jobId}/${job.pull?.number}`
  await db.updateTable('jobs').set({ branch }).where('id', '=', jobId).execute()
  await db.updateTable('runs').set({ branch }).where('id', '=', runId).execute()
  const { number = 0 } = job.pull ?? {}
  const proposed = {
    pull: { ...pull, number, link: `https://forge.example/${number}` },
    baseCommit: 'b',
    headCommit: 'c',
  }
  const finish = end === 'pull_request' ? change : ({ kind: 'no_change', reason: 'All is well.' } as const)
  await completeRun(leased, { finish, change: proposed })
}
