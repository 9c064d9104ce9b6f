// Executes runs as a worker does, and plays the model: what each run does is drawn when it begins, and kept while it is tried again.

import { refuseExhausted, settle } from '../../src/jobs/queue/settle.ts'
import { executeRun } from '../../src/jobs/run/run.ts'
import { settleJob } from '../../src/jobs/run/ends/settle-job.ts'
import { claimNext, toLeased } from '../support/database.ts'
import type { ChatMessage, Scripted } from '../support/model-server.ts'
import type { Random } from '../support/random.ts'
import { ask, nothing, write } from '../support/scripted.ts'
import type { ForgeWorld } from './forge-world.ts'
import type { End } from './truth.ts'

type Plan = { readonly end: End; readonly path: string }
export type Player = { plan: Plan | undefined; readonly plans: Map<string, Plan> }

const finish: Scripted = { calls: [{ name: 'finish', input: { title: 'Say more', summary: 'It says more.' } }] }

/** The response of the model in the run that is executed. */
export function respond({ plan }: Player, messages: readonly ChatMessage[]): Scripted {
  if (plan?.end === 'question') return ask('Which one?')
  if (plan?.end !== 'pull_request') return nothing
  return JSON.stringify(messages).includes(plan.path) ? finish : write(plan.path, `# Notes\n\nSee ${plan.path}.\n`)
}

/** Executes all runs that wait, one after another. */
export async function executeAll(world: ForgeWorld, player: Player, random: Random, always?: End): Promise<void> {
  for (;;) {
    const run = await claimNext(world.db)
    if (!run) return
    const end =
      always ?? random.pick(['pull_request', 'pull_request', 'pull_request', 'no_changes', 'question'] as const)
    const plan = player.plans.get(run.id) ?? { end, path: `docs/notes/${player.plans.size}.md` }
    player.plans.set(run.id, plan)
    player.plan = plan
    const ended = await execute(world, run)
    await follow(world, run.id, run.job_id, ended === 'completed' ? plan.end : ended)
  }
}

async function execute({ db, clock, deps }: ForgeWorld, run: Parameters<typeof toLeased>[1]) {
  const leased = { ...toLeased(db, run), clock }
  try {
    refuseExhausted(run)
    await executeRun(deps, leased)
    return 'completed'
  } catch (error) {
    const how = await settle(leased, error, settleJob)
    if (how.kind !== 'failed') return 'waits'
    // The forge is away, and no commit is to blame.
    return how.failure.code.startsWith('forge') || how.failure.code.startsWith('repository') ? 'away' : 'failed'
  }
}

/** Notes how the runs of automations ended that this one is, wherever their messages are now. */
async function follow({ db, truth }: ForgeWorld, runId: string, jobId: string, ended: End | 'waits'): Promise<void> {
  const rows = await db
    .selectFrom('messages')
    .innerJoin('automation_runs', 'automation_runs.message_id', 'messages.id')
    .select(['automation_runs.id', 'messages.job_id', 'messages.run_id'])
    .where('automation_runs.settled_at', 'is', null)
    .execute()
  for (const { id, job_id: now, run_id: by } of rows) {
    const run = truth.runs.find((one) => one.id === id)
    if (!run) continue
    if (run.job !== now) truth.move(run, now)
    if (by === runId && ended !== 'waits') run.end = ended
  }
  const answered = truth.runs.filter((one) => one.job === jobId && one.isAnswered)
  if (ended === 'waits') return
  for (const run of answered) Object.assign(run, { end: ended, isAnswered: false })
}
